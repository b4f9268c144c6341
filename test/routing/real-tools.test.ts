/** The tools of 20 real MCP servers: what the audit says of them, and how they are routed by their words alone. */
import { auditTable } from '../../lib/routing/audit-table';
import { auditTools } from '../../lib/routing/audit-tools';
import { routeSummary, routeTools } from '../../lib/routing/tool-router';
import { realToolLists, realTools } from '../support/mcp-servers';

const tools = realTools();
const nodes = realToolLists().flatMap((list) => list.tools.map(() => list.package));
const given = tools.map((tool, at) => ({ tool, originalName: tool.name, node: nodes[at] ?? '' }));

describe('the audit of 518 real tools', () => {
	const audited = auditTools(given, { intents: new Map(), query: 'Which customers owe us money?', topK: 5 });

	it('counts tools, tokens and findings by node', async () => {
		const { totals, tools: rows } = await audited;
		expect(totals).toMatchObject({ tools: 518, withFindings: 225, missingIntents: 518 });
		expect(totals.tokens).toBeGreaterThan(150_000);
		const costOf = (node: string): number => rows.filter((row) => row.node === node).reduce((sum, { tokens }) => sum + tokens, 0);
		expect(costOf('@mondaydotcomorg/monday-api-mcp') / totals.tokens).toBeGreaterThan(0.25);
	});

	it('finds the same names and spellings of different servers', async () => {
		const { collisions } = await audited;
		expect(collisions.filter(({ why }) => why === 'same name').map(({ first }) => first)).toEqual(['search', 'query']);
		expect(collisions).toContainEqual(expect.objectContaining({ first: 'create-invoice', second: 'create_invoice', why: 'same words in another order or spelling' }));
	});

	it('reads as a table: totals, kinds of findings, what each node costs, one line for each tool', async () => {
		const table = auditTable(await audited);
		expect(table).toMatch(/^518 tools, about 174,\d{3} tokens at every turn; 225 with findings/);
		expect(table).toContain('120 names against the rules · 91 costly');
		expect(table).toMatch(/\| @mondaydotcomorg\/monday-api-mcp \| 92 \| 53,\d{3} \| 31 \|/);
		expect(table).toContain('| 1 | erpnext_ar_aging |');
		const lines = table.slice(table.indexOf('### Tools')).split('\n').slice(4);
		expect(lines).toHaveLength(518);
		expect(lines.every((line) => line.replace(/\\\|/g, '').split('|').length === 7)).toBe(true);
	});

	it('takes as intent what a tool is for, not the heading above it', async () => {
		const intents = (await audited).tools.map(({ intent }) => intent);
		expect(intents.filter((intent) => /^\p{So}|^.{0,20}:$/u.test(intent))).toEqual([]);
		expect(intents[0]).toBe("Authenticates and analyzes the current HubSpot access token, providing context about the user's permissions and account details.");
	});
});

describe('the router over 518 real tools, by words alone', () => {
	it.each([
		['Convert 30 miles to kilometres', 'convert'],
		['Take a screenshot of the page', 'browser_take_screenshot'],
		['Create a pull request on GitHub', 'create_pull_request'],
		['Fais un graphique en camembert des ventes', 'generate_pie_chart'],
		['Liste les factures impayées', 'list-invoices'],
	])('%s', async (query, expected) => {
		const route = await routeTools(tools, query, { topK: 8, passthroughUpTo: 12, alwaysOn: [] });
		expect(route.tools.map(({ name }) => name)).toContain(expected);
		expect(routeSummary(route)).toBe('8 of 518 tools, about 170,000 tokens saved');
	});
});
