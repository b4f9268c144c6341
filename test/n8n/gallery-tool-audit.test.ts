/** The example "Tool audit" in a real n8n: page and table of the tools of two toolkits and an MCP server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishExamples } from '../support/gallery';
import { connectToN8n, itemsOf, realN8n, type Execution, type RestCall } from '../support/real-n8n';
import { runByHand } from '../support/run-by-hand';

jest.setTimeout(120_000);

interface Audit {
	readonly tools: ReadonlyArray<{ readonly name: string; readonly node: string; readonly tokens: number }>;
	readonly totals: { readonly tools: number; readonly tokens: number };
	readonly collisions: ReadonlyArray<{ readonly first: string; readonly second: string; readonly nodes: readonly string[] }>;
	readonly ranking: ReadonlyArray<{ readonly name: string; readonly relevance: number; readonly semantic?: number }>;
}

let call: RestCall;
let execution: Execution;
let audit: Audit;
const written = (name: string): string => readFileSync(join(realN8n().user.reports, name), 'utf8');

beforeAll(async () => {
	call = await connectToN8n();
	await publishExamples(call, 'tool-audit');
	execution = await runByHand(call, 'toolAudit0000001', 'By Hand');
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	({ audit } = itemsOf(execution, 'Tool Audit')[0] as unknown as { audit: Audit });
});

it('counts the tools and the tokens of each node, those of a running MCP server too', () => {
	const nodes = new Set(audit.tools.map(({ node }) => node));
	expect([...nodes].sort()).toEqual(['CMMS (MCP)', 'General Toolkit', 'Records Toolkit']);
	expect(audit.tools.filter(({ node }) => node === 'CMMS (MCP)').map(({ name }) => name)).toEqual(expect.arrayContaining(['parts_stock', 'search_work_orders', 'create_work_order']));
	expect(audit.totals).toMatchObject({ tools: audit.tools.length, tokens: audit.tools.reduce((sum, { tokens }) => sum + tokens, 0) });
});

it('ranks by words and meaning, and names tools that are too alike', () => {
	expect(audit.ranking[0]).toMatchObject({ name: 'parts_stock', semantic: expect.any(Number) });
	expect(audit.collisions.length).toBeGreaterThan(0);
});

it('writes a page with its tables and a table with the dearest tool first', () => {
	const page = written('tool-audit.html');
	expect(page).toMatch(/^<!DOCTYPE html>/i);
	expect(page).toContain(`${audit.totals.tools} tools, about ${audit.totals.tokens.toLocaleString('en')} tokens at every turn`);
	expect(page).toContain('<td>count_working_days</td>');
	expect(page.match(/<table>/g)!.length).toBeGreaterThanOrEqual(4);
	const [head, ...rows] = written('tool-audit.csv').trimEnd().split(/\r?\n/);
	expect(head!.replace(/^\uFEFF/, '')).toBe('tool,node,intent,tokens,findings');
	expect(rows).toHaveLength(audit.tools.length);
	const tokens = itemsOf(execution, 'Dearest First').map((row) => Number(row.tokens));
	expect(tokens).toEqual(audit.tools.map((row) => row.tokens).sort((first, second) => second - first));
});

it('shows the page for a question of the caller', async () => {
	const question = 'How many days are there between two dates? <img src=x>';
	const url = `${realN8n().url}/webhook/tool-audit?question=${encodeURIComponent(question)}`;
	let response = await fetch(url);
	for (let attempt = 0; response.status === 404 && attempt < 40; attempt++) {
		await new Promise((resolve) => setTimeout(resolve, 250));
		response = await fetch(url);
	}
	const page = await response.text();
	expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
	expect(page).toContain('Ranked for: How many days are there between two dates? &lt;img src=x&gt;');
	const ranking = page.slice(page.indexOf('Ranking'));
	expect(ranking.slice(0, ranking.indexOf('</tr>', ranking.indexOf('<tbody>')))).toContain('date_difference');
});
