import type { Tool } from '../../lib/core/tool';
import { auditTable } from '../../lib/routing/audit-table';
import { auditTools, type AuditOptions } from '../../lib/routing/audit-tools';
import { readIntentMap } from '../../lib/routing/intent-map';
import { checkTool } from '../../lib/routing/name-rules';
import { fakeEmbedder } from '../support/fake-embedder';
import { tool } from '../support/test-nodes';

const make = (name: string, description: string, more: Partial<Tool> = {}) => tool(name, () => ({ text: '' }), { intent: description, description, ...more });
const given = (tools: readonly Tool[], node = 'Server') => tools.map((one) => ({ tool: one, originalName: one.name, node }));
const options: AuditOptions = { intents: new Map(), query: '', topK: 5 };
const rules = (one: Tool) => checkTool(one).map(({ rule }) => rule);
const listOf = (name: string) => ({ type: 'object', properties: { [name]: { type: 'array' } }, required: [name] });

describe('checkTool', () => {
	it('finds nothing wrong with a tool that keeps the rules', () => {
		expect(checkTool(make('readable_dates_to_timestamps_ms', 'Turns dates into timestamps.', { inputSchema: listOf('dates') }))).toEqual([]);
		expect(checkTool(make('liste_pannes', 'Liste les pannes d’une machine.'))).toEqual([]);
	});

	it('names each rule that is broken, with what to change', () => {
		expect(checkTool(make('API-post-search', 'Searches by title.'))[0]?.message).toContain('for example api_post_search');
		expect(rules(make('convert_date', 'Converts a date.'))).toEqual(['direction']);
		expect(rules(make('date_to_timestamp', 'Turns a date into a timestamp.'))).toEqual(['unit']);
		expect(rules(make('date_to_timestamp_ms', 'Turns dates into timestamps.', { inputSchema: listOf('dates') }))).toEqual(['plural']);
		expect(rules(make('wait_here', 'Waits.', { inputSchema: { type: 'object', properties: { delay: { type: 'number' } } } }))).toEqual(['unit']);
		expect(rules(make('wait_here', 'Waits.', { inputSchema: { type: 'object', properties: { delay: { type: 'number', description: 'in ms' } } } }))).toEqual([]);
		expect(rules(make('thing', 'The very big green thing of all.'))).toEqual(['description']);
		expect(rules(make('thing', ''))).toEqual(['intent']);
		expect(rules(make('read_all', `Reads. ${'x '.repeat(1_500)}`))).toEqual(['description', 'tokens']);
	});
});

describe('auditTools', () => {
	const stock = make('stock_level', 'Gives how many spare parts are in stock.');
	const weather = make('weather', 'Gives the weather forecast of a town.');

	it('lists tools with tokens and says where each intent comes from', async () => {
		const own = make('sum_of_numbers', 'Adds numbers.', { description: 'Adds numbers. Returns {result}.', tags: ['statistics'] });
		const audit = await auditTools(given([stock, weather, own, make('bare', '')]), { ...options, intents: readIntentMap({ weather: 'Can we lift?', gone: 'x' }) });
		expect(audit.tools.map(({ intentFrom }) => intentFrom)).toEqual(['description', 'map', 'tool', 'missing']);
		expect(audit.totals).toMatchObject({ tools: 4, missingIntents: 2 });
		expect(audit.totals.tokens).toBe(audit.tools.reduce((sum, { tokens }) => sum + tokens, 0));
		expect(audit.warnings).toEqual(['Intents of tools that are not connected: gone']);
	});

	it('T05 finds one name on two servers, one name in two spellings, and tools that mean the same', async () => {
		const twin = { tool: make('stock_level_1a2b3c4d', 'Something else entirely.'), originalName: 'stock_level', node: 'Other' };
		const spelled = make('levelStock', 'Unlike in words.');
		const audit = await auditTools([...given([stock, weather, spelled]), twin], options);
		expect(audit.collisions.map(({ first, second, why }) => [first, second, why])).toEqual([
			['stock_level', 'stock_level_1a2b3c4d', 'same name'],
			['stock_level', 'levelStock', 'same words in another order or spelling'],
			['levelStock', 'stock_level_1a2b3c4d', 'same words in another order or spelling'],
		]);
		const close = [make('town_weather', 'Gives the weather forecast of a town.'), weather, stock];
		const embedded = await auditTools(given(close), { ...options, embedder: fakeEmbedder({ id: 'test/audit' }) });
		expect(embedded.collisions).toEqual([expect.objectContaining({ first: 'town_weather', second: 'weather', why: 'nearly the same meaning' })]);
	});

	it('ranks for a query and says which words did it', async () => {
		const { ranking } = await auditTools(given([weather, stock]), { ...options, query: 'parts in stock?' });
		expect(ranking?.[0]).toMatchObject({ name: 'stock_level', words: ['parts', 'stock'] });
		expect(ranking).toHaveLength(2);
	});

	it('writes a table that Markdown can show, and takes no tools', async () => {
		const audit = await auditTools(given([make('a|b', 'Reads a|b\nand more.'), stock]), { ...options, query: 'stock' });
		const text = auditTable(audit);
		expect(text).toContain('2 tools, about');
		expect(text).toContain('| a\\|b | Server | Reads a\\|b and more. |');
		expect(text).toContain('### Ranking');
		expect(auditTable(await auditTools([], options))).toContain('0 tools, about 0 tokens');
	});
});
