import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mcpTools } from '../../lib/mcp/mcp-tools';
import { McpSession } from '../../lib/mcp/session';
import type { McpServer } from '../../lib/mcp/server';
import type { Tool } from '../../lib/core/tool';
import { validateInput } from '../../lib/shape/validate-input';
import { testOptions } from './fake-server';

const root = path.join(__dirname, '../..');
const script = path.join(root, 'examples/cmms-server/server.mjs');
const csv = readFileSync(path.join(root, 'examples/data/excavator-work-orders.csv'), 'utf8');
const rows = csv.trimEnd().split('\n').slice(1).map((line) => line.split(',', 5));
const TOKEN = 'test-token';

const databaseFor = (name: string): string => path.join(mkdtempSync(path.join(tmpdir(), 'cmms-')), `${name}.sqlite`);
const stdioServer = (...more: string[]): McpServer => ({
	transport: 'stdio', command: process.execPath, args: [script, '--stdio', ...more], env: {},
});

let url: string;
let end: () => Promise<number | null>;

beforeAll(async () => {
	const { startChild, stopChild } = await import('../../examples/setup/processes.mjs');
	url = await new Promise((resolve) => {
		const child = startChild(process.execPath, [script, '--http', '--port', '0', '--database', databaseFor('http')], {
			cwd: root, env: { ...process.env, CMMS_TOKEN: TOKEN },
			log: (text: string) => resolve(/http:\S+/.exec(text)?.[0] ?? text),
		});
		end = async () => {
			await stopChild(child);
			return child.exitCode;
		};
	});
});

afterAll(async () => expect(await end()).toBe(0));

const httpServer = (token: string): McpServer => ({ transport: 'http', url, headers: { authorization: `Bearer ${token}` } });

async function withTools(server: McpServer, use: (tools: readonly Tool[]) => Promise<void>): Promise<void> {
	const session = new McpSession(server, testOptions(20_000));
	try {
		const { tools, refused } = await mcpTools(session, { server, include: [], exclude: [], prefix: '' });
		expect(refused).toEqual([]);
		await use(tools);
	} finally {
		await session.close();
	}
}

async function ask(tools: readonly Tool[], name: string, input: object): Promise<Record<string, unknown>> {
	const tool = tools.find((candidate) => candidate.name === name);
	const check = validateInput(tool?.inputSchema ?? {}, input);
	if (tool === undefined || !check.ok) throw new Error(`${name}: ${check.ok ? 'unknown' : check.message}`);
	const output = await tool.run(check.value, { signal: new AbortController().signal });
	return { text: output.text, isError: output.isError ?? false, ...(output.data as object | undefined) };
}

describe.each([
	['stdio', () => stdioServer('--database', databaseFor('stdio'))],
	['streamable HTTP', () => httpServer(TOKEN)],
])('the CMMS server over %s', (_name, server) => {
	it('offers six tools with their hints', async () => {
		await withTools(server(), async (tools) => {
			expect(tools.map(({ name, annotations }) => [name, annotations?.readOnly])).toEqual([
				['search_work_orders', true], ['get_work_order', true], ['list_assets', true], ['parts_stock', true], ['meter_readings', true],
				['create_work_order', false],
			]);
			expect(tools[5]?.annotations).toEqual({ readOnly: false, destructive: false, idempotent: false });
		});
	});

	it('gives the figures of a direct count, and what is made up says so', async () => {
		await withTools(server(), async (tools) => {
			const found = await ask(tools, 'search_work_orders', { asset: 'd', from: '2008-01-01', to: '2008-12-31', limit: '3', text: '' });
			const expected = rows.filter(([, date = '', asset]) => asset === 'D' && date.startsWith('2008'));
			const cents = expected.reduce((sum, row) => sum + Math.round(Number(row[4]) * 100), 0);
			expect(found).toMatchObject({ total: expected.length, totalCost: cents / 100, returned: 3, complete: false });
			expect(await ask(tools, 'get_work_order', { id: 'e0' })).toMatchObject({ text: expect.any(String), asset: 'A', cost: 183.05 });
			expect(await ask(tools, 'list_assets', {})).toMatchObject({ total: 5 });
			expect(await ask(tools, 'parts_stock', { asset: 'A' })).toMatchObject({ total: 8, madeUp: true });
			expect(await ask(tools, 'meter_readings', { asset: 'b', to: '2001-12-31' })).toMatchObject({ asset: 'B', total: 6, madeUp: true });
		});
	});

	it('creates work orders that can be found again', async () => {
		await withTools(server(), async (tools) => {
			const created = await ask(tools, 'create_work_order', { asset: 'C', text: 'Replace the fuel filter', date: '2012-12-20' });
			expect(created).toMatchObject({ isError: false, asset: 'C', type: 'PM01', createdHere: true });
			expect(await ask(tools, 'get_work_order', { id: String(created.id) })).toMatchObject({ date: '2012-12-20', cost: null });
			expect(await ask(tools, 'create_work_order', { asset: 'Z', text: 'nothing' })).toMatchObject({
				isError: true, text: 'There is no machine "Z". The machines are: A, B, C, D, E.',
			});
		});
	});
});

describe('the CMMS server', () => {
	it('refuses a wrong token', async () => {
		await expect(withTools(httpServer('wrong'), async () => undefined)).rejects.toMatchObject({ status: 401 });
	});

	it('makes up the same parts every time and follows when a row is changed', async () => {
		const data = path.join(mkdtempSync(path.join(tmpdir(), 'cmms-')), 'orders.csv');
		const database = databaseFor('changed');
		const answers: Record<string, unknown>[] = [];
		for (const cost of ['183.05', '283.05']) {
			writeFileSync(data, csv.replace('PM01,183.05,', `PM01,${cost},`));
			await withTools(stdioServer('--data', data, '--database', database), async (tools) => {
				answers.push(await ask(tools, 'get_work_order', { id: 'e0' }), await ask(tools, 'parts_stock', {}));
			});
		}
		expect([answers[0]?.cost, answers[2]?.cost]).toEqual([183.05, 283.05]);
		expect(answers[1]).toEqual(answers[3]);
	});

	it('ends when its input closes', async () => {
		const { startChild } = await import('../../examples/setup/processes.mjs');
		const child = startChild(process.execPath, [script, '--stdio', '--database', databaseFor('end')], { cwd: root, env: process.env, log: () => undefined });
		expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
	});
});
