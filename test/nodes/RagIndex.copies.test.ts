import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { indexItems, runOne } from './rag-nodes';

const procedures = [
	{ id: 'p1', text: '# Pompe N-92c\n\nPurger la pompe.', title: 'Pompes' },
	{ id: 'p2', text: 'Fermer la vanne.', title: 'Vannes' },
];
const indexOf = (items: readonly INodeExecutionData[]): IDataObject[] => items.map(({ json }) => json.index as IDataObject);

describe('RAG Index, copies and rebuild', () => {
	const run = async (parameters: IDataObject, items: INodeExecutionData[] = [{ json: { keep: 1 } }], embeddings?: IDataObject) =>
		await runOne({ type: 'index', parameters, items, ...(embeddings && { embeddings }) });

	beforeAll(async () => {
		await indexItems('copies', procedures, { embeddings: {} });
	});

	it('backs up into a file and restores it under another name', async () => {
		const saved = (await run({ operation: 'backup', knowledgeBase: 'copies' })).items('N');
		expect(saved).toMatchObject([{ json: { keep: 1, index: { outcome: 'backed up', file: 'copies.jsonl.gz' } }, binary: { data: { mimeType: 'application/gzip' } } }]);
		const restored = await run({ operation: 'restore', knowledgeBase: 'copy' }, saved);
		expect(restored.error).toBeUndefined();
		expect(indexOf(restored.items('N'))).toEqual([{ outcome: 'restored', knowledgeBase: 'copy', from: 'copies', documents: 2, chunks: 2, removed: 0 }]);
		const found = await runOne({ type: 'retriever', parameters: { knowledgeBase: 'copy', query: 'purger n92c' }, embeddings: {}, items: [{ json: {} }] });
		expect((found.items('N')[0]?.json.documents as IDataObject[])[0]).toMatchObject({ documentId: 'p1', section: 'Pompe N-92c' });
		expect((await run({ operation: 'restore', knowledgeBase: 'copies' }, saved)).error?.message).toBe('The knowledge base "copies" holds 2 documents');
		expect(indexOf((await run({ operation: 'restore', knowledgeBase: 'copies', replace: true }, saved)).items('N'))).toMatchObject([{ outcome: 'restored', removed: 0 }]);
	});

	it('says what is wrong with a file that is no backup', async () => {
		const binary = (text: string) => [{ json: {}, binary: { data: { data: Buffer.from(text).toString('base64'), mimeType: 'text/plain', fileName: 'x' } } }];
		expect((await run({ operation: 'restore', knowledgeBase: 'broken' }, binary('hello'))).error?.message).toContain('not a whole backup');
		expect((await run({ operation: 'restore', knowledgeBase: 'broken' }, binary('\u001f'))).error?.message).toContain('not a whole backup');
	});

	it('exports documents with their passages', async () => {
		const items = (await run({ operation: 'export', knowledgeBase: 'copies' })).items('N');
		expect(items.map(({ json }) => json.document)).toMatchObject([
			{ id: 'p1', title: 'Pompes', passages: [{ text: '# Pompe N-92c\n\nPurger la pompe.', titlePath: ['Pompe N-92c'] }] },
			{ id: 'p2' },
		]);
	});

	it('rebuilds with other embeddings, where adding refuses them', async () => {
		await indexItems('old', procedures, { embeddings: {} });
		const refused = await indexItems('old', [{ id: 'p3', text: 'Un texte.' }], { embeddings: { id: 'new/words', dimension: 32 } });
		expect(refused.error?.message).toContain('was built with');
		const rebuilt = await run({ operation: 'rebuild', knowledgeBase: 'old' }, [{ json: {} }], { id: 'new/words', dimension: 32 });
		expect(indexOf(rebuilt.items('N'))).toEqual([{ outcome: 'rebuilt', knowledgeBase: 'old', embedded: 2, embedderId: 'new/words', dimension: 32 }]);
		expect((await indexItems('old', [{ id: 'p3', text: 'Un texte.' }], { embeddings: { id: 'new/words', dimension: 32 } })).error).toBeUndefined();
		expect((await run({ operation: 'rebuild', knowledgeBase: 'old' })).error?.message).toBe('No embeddings are connected');
	});
});
