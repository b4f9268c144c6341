import type { Hit } from '../../lib/core/document';
import { createSearchTool, searchToolName } from '../../lib/rag/search-tool';
import { validateInput } from '../../lib/shape/validate-input';

const hit: Hit = { id: 'a#0', documentId: 'a', text: 'Purger la pompe.', title: 'Pompes', source: 'p.md', meta: {}, score: 0.98765 };

function searchTool(hits: Hit[], warnings: string[] = []) {
	const asked: { query: string; topK: number }[] = [];
	const tool = createSearchTool({
		theme: 'Procédures atelier',
		intent: '',
		topK: 6,
		search: async ({ query, topK }) => {
			asked.push({ query, topK });
			return { hits, method: 'lexical', alpha: 0, notes: [], warnings };
		},
	});
	const run = async (input: Record<string, unknown>) => await tool.run(input, { signal: new AbortController().signal });
	return { tool, asked, run };
}

describe('the search tool', () => {
	it('is named after its knowledge base, safely', () => {
		expect(searchToolName('Procédures atelier')).toBe('search_procedures_atelier');
		expect(searchToolName('手順')).toBe('search_documents');
		expect(searchToolName('x'.repeat(90))).toHaveLength(64);
		expect(searchToolName('../../x; rm')).toBe('search_x_rm');
	});

	it('gives numbered passages with their sources, and the same as data', async () => {
		const { run, asked } = searchTool([hit]);
		expect(await run({ query: 'purge', max_results: 3 })).toEqual({
			text: '[1] Pompes (p.md)\nPurger la pompe.',
			data: [{ id: 'a#0', documentId: 'a', title: 'Pompes', source: 'p.md', score: 0.988, meta: {}, text: 'Purger la pompe.' }],
		});
		await run({ query: 'purge' });
		expect(asked).toEqual([
			{ query: 'purge', topK: 3 },
			{ query: 'purge', topK: 6 },
		]);
	});

	it('says that nothing fits instead of giving nothing', async () => {
		expect(await searchTool([]).run({ query: 'zèbre' })).toEqual({ text: 'No passage fits "zèbre". Try other words.', data: [] });
	});

	it('does not pretend to list everything, and takes no more than ten passages', () => {
		const { tool } = searchTool([]);
		expect(tool.description).toContain('It does not list everything');
		expect(tool.intent).toBe('Find passages of the documents in "Procédures atelier"');
		expect(validateInput(tool.inputSchema, { query: 'x', max_results: 11 }).ok).toBe(false);
		expect(validateInput(tool.inputSchema, {}).ok).toBe(false);
		expect(validateInput(tool.inputSchema, { query: 'x' }).ok).toBe(true);
	});

	it('tells the model what went wrong on the way, with and without passages', async () => {
		const warning = 'The embeddings could not be used.';
		expect((await searchTool([hit], [warning]).run({ query: 'x' })).text).toMatch(/^\(Warning: The embeddings could not be used\.\)\n\n\[1\] Pompes/);
		expect((await searchTool([], [warning]).run({ query: 'x' })).text).toMatch(/^\(Warning: .*\)\n\nNo passage fits "x"/);
	});
});
