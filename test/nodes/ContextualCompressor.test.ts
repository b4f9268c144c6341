import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { indexItems, ragNodeTypes, runOne } from './rag-nodes';

const documents = [
	{ id: 'a', text: 'La chaudière est au sous-sol. La pompe travaille à 3,5 bar de pression.', title: 'Manuel', meta: { page: 4 } },
	{ pageContent: 'Le déjeuner est servi à midi. Le café est offert.', metadata: { source: 'menu.pdf' } },
];

describe('Contextual Compressor', () => {
	it('adds documents, context and counts, and keeps the rest', async () => {
		const run = await runOne({
			type: 'compressor',
			parameters: { keep: 40 },
			items: [{ json: { query: 'Quelle pression ?', documents, user: 'x' } }, { json: { chatInput: 'Où est la chaudière ?', documents } }],
		});
		expect(run.error).toBeUndefined();
		const [first, second] = run.items('N');
		expect(first?.json).toMatchObject({
			user: 'x',
			query: 'Quelle pression ?',
			documents: [{ id: 'a', text: 'La pompe travaille à 3,5 bar de pression.', meta: { page: 4 } }],
			context: '[1] Manuel\nLa pompe travaille à 3,5 bar de pression.',
			compression: { documentsIn: 2, documentsOut: 1, method: 'recommended' },
		});
		expect(second?.json.context).toContain('sous-sol');
		expect(run.items('N').map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(run.runData.N?.[0]?.hints?.[0]?.message).toBe('Only words were compared: no embeddings are connected.');
	});

	it('accepts an item without documents', async () => {
		const run = await runOne({ type: 'compressor', parameters: {}, items: [{ json: { query: 'x' } }] });
		expect(run.error).toBeUndefined();
		expect(run.items('N')[0]?.json).toMatchObject({ documents: [], context: '', compression: { documentsIn: 0, method: 'none' } });
	});

	it('stands between the retriever and what follows, with embeddings for both', async () => {
		await indexItems('chain', documents.map(({ id = 'b', text, pageContent }: Record<string, unknown>) => ({ id, text: text ?? pageContent }) as never), { embeddings: {} });
		const run = await runWorkflow({
			nodeTypes: ragNodeTypes,
			nodes: [start(), node('R', 'p.retriever', { knowledgeBase: 'chain' }), node('C', 'p.compressor', {}), node('E', 'p.embeddings')],
			connections: connect(['Start', 'main', 'R'], ['R', 'main', 'C'], ['E', 'ai_embedding', 'R'], ['E', 'ai_embedding', 'C']),
			input: [{ json: { query: 'pression de la pompe' } }],
		});
		expect(run.error).toBeUndefined();
		expect(run.items('C')[0]?.json).toMatchObject({
			context: expect.stringContaining('3,5 bar'),
			compression: { documentsIn: 2, warnings: [] },
			retrieval: { method: 'hybrid' },
		});
	});
});
