import { indexItems, runOne } from './rag-nodes';

const procedures = [
	{ id: 'p1', text: '# Pompe N-92c\n\nPurger la pompe avant le démarrage.', title: 'Pompes' },
	{ id: 'p2', text: 'Close the valve P101/A. Then call the shift leader.' },
];

describe('RAG Index', () => {
	it('adds documents, skips unchanged ones and replaces changed ones', async () => {
		const first = await indexItems('index-add', procedures);
		expect(first.error).toBeUndefined();
		expect(first.items('N').map((item) => item.json)).toEqual([
			{ ...procedures[0], index: { outcome: 'added', documentId: 'p1', knowledgeBase: 'index-add', chunks: 1 } },
			{ ...procedures[1], index: { outcome: 'added', documentId: 'p2', knowledgeBase: 'index-add', chunks: 1 } },
		]);
		expect(first.items('N').map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const second = await indexItems('index-add', [procedures[0]!, { id: 'p2', text: 'Other text.' }]);
		expect(second.items('N').map((item) => (item.json.index as { outcome: string }).outcome)).toEqual(['unchanged', 'updated']);
	});

	it('reads text files and sends others, and texts without words, to Unreadable', async () => {
		const file = (data: string | Buffer, fileName: string, mimeType: string) => ({
			json: {},
			binary: { data: { data: Buffer.from(data).toString('base64'), fileName, mimeType } },
		});
		const run = await runOne({
			type: 'index',
			parameters: { knowledgeBase: 'index-files', from: 'file' },
			items: [
				file('# Vanne\n\nOuvrir la vanne.', 'vanne.md', 'text/markdown'),
				file('%PDF-1.7\0', 'scan.pdf', 'application/pdf'),
				file(' \n', 'empty.txt', 'text/plain'),
				file(Buffer.from('arr\xeat', 'latin1'), 'old.txt', 'text/plain'),
			],
		});
		expect(run.error).toBeUndefined();
		expect(run.items('N').map((item) => item.json.index)).toEqual([
			expect.objectContaining({ outcome: 'added', documentId: 'vanne.md' }),
			expect.objectContaining({ outcome: 'added', documentId: 'old.txt' }),
		]);
		expect(run.items('N', 1).map((item) => item.json.index)).toEqual([
			{ outcome: 'unreadable', documentId: 'scan.pdf', knowledgeBase: 'index-files', reason: '"scan.pdf" cannot be read: Invalid PDF structure.' },
			expect.objectContaining({ outcome: 'unreadable', documentId: 'empty.txt', reason: '"empty.txt" has no text' }),
		]);
		expect(run.items('N', 1)[0]?.binary?.data?.fileName).toBe('scan.pdf');
		const found = await runOne({ type: 'retriever', parameters: { knowledgeBase: 'index-files', query: 'arrêt' }, items: [{ json: {} }] });
		expect(found.items('N')[0]?.json.documents).toMatchObject([{ documentId: 'old.txt', title: 'old', source: 'old.txt', text: 'arrêt' }]);
	});

	it('fails one item and leaves the others', async () => {
		const items = [{ id: 'a', text: 'pompe' }, { text: 'no id' }, { id: 'c' }, { id: 'd', text: 'vanne' }];
		const run = await indexItems('index-errors', items, { onError: 'continueRegularOutput' });
		expect(run.items('N').map((item) => item.json.error ?? (item.json.index as { outcome: string }).outcome)).toEqual([
			'added',
			'The document has no ID',
			'The text of the document is missing',
			'added',
		]);
		const stopped = await indexItems('index-errors', items);
		expect(stopped.error).toMatchObject({ message: 'The document has no ID', context: { itemIndex: 1 } });
	});

	it('names a metadata field that no filter could compare', async () => {
		const run = await indexItems('index-meta', [{ id: 'a', text: 'pompe' }], { parameters: { options: { metadata: '{"site": {"a": 1}}' } } });
		expect(run.error?.message).toBe('The metadata field "site" holds {"a":1}');
	});

	it('E03 names both embeddings when the knowledge base was built with others', async () => {
		await indexItems('index-mismatch', procedures, { embeddings: { id: 'model-x', dimension: 3 } });
		const run = await indexItems('index-mismatch', [{ id: 'n', text: 'new' }], { embeddings: { id: 'model-y', dimension: 4 } });
		expect(run.error?.message).toContain('was built with the embeddings "model-x" (3 numbers); now there are the embeddings "model-y"');
		expect((run.error as { description?: string }).description).toContain('Connect "model-x" again');
	});

	it('deletes a document, then the whole knowledge base, and describes', async () => {
		const manage = async (parameters: Record<string, string>) =>
			await runOne({ type: 'index', items: [{ json: { id: 'p1' } }], parameters: { knowledgeBase: 'index-delete', ...parameters } });
		await indexItems('index-delete', procedures, { embeddings: {} });
		const described = await manage({ operation: 'describe' });
		expect(described.items('N')[0]?.json.index).toMatchObject({
			knowledgeBase: 'index-delete',
			documents: 2,
			embedderId: 'fake/words',
			dimension: 64,
			createdBy: 'wf',
		});
		expect((await manage({ operation: 'delete' })).items('N')[0]?.json.index).toMatchObject({ outcome: 'deleted', documentId: 'p1' });
		expect((await manage({ operation: 'delete' })).items('N')[0]?.json.index).toMatchObject({ outcome: 'unknown' });
		expect((await manage({ operation: 'describe' })).items('N')[0]?.json.index).toMatchObject({ documents: 1 });
		const gone = await manage({ operation: 'delete', which: 'knowledgeBase' });
		expect(gone.items('N')[0]?.json.index).toEqual({ outcome: 'deleted', knowledgeBase: 'index-delete' });
		expect((await manage({ operation: 'describe' })).error?.message).toBe('There is no knowledge base "index-delete"');
	});

	it('keeps the knowledge bases of two storages apart', async () => {
		await indexItems('index-storage', procedures, { storage: 'team a' });
		const search = async (storage?: string) =>
			await runOne({
				type: 'retriever',
				parameters: { knowledgeBase: 'index-storage', query: 'pompe' },
				items: [{ json: {} }],
				...(storage !== undefined && { storage }),
			});
		expect((await search('team a')).items('N')[0]?.json.documents).toHaveLength(1);
		expect((await search('team b')).error?.message).toBe('There is no knowledge base "index-storage"');
		expect((await search()).error?.message).toBe('There is no knowledge base "index-storage"');
	});
});
