import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { elicitorFor } from '../../lib/mcp/elicitation';
import { mcpTools, type McpToolList } from '../../lib/mcp/mcp-tools';
import { promptOutput, resourceOutput } from '../../lib/mcp/resources';
import { samplerFor } from '../../lib/mcp/sampling';
import type { McpOptions, McpServer } from '../../lib/mcp/server';
import { McpSession } from '../../lib/mcp/session';
import { validateInput } from '../../lib/shape/validate-input';
import type { ToolOutput } from '../../lib/core/tool';
import { scriptedModel } from '../support/scripted-model';
import { testOptions } from './fake-server';

const root = path.join(__dirname, '../..');
const entry = (name: string, file: string): string => path.join(root, 'node_modules/@modelcontextprotocol', name, 'dist', file);
const everything = entry('server-everything', 'index.js');
const stdio = (script: string, ...args: string[]): McpServer => ({ transport: 'stdio', command: process.execPath, args: [script, ...args], env: {} });

async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
	const { port } = probe.address() as AddressInfo;
	await new Promise((resolve) => probe.close(resolve));
	return port;
}

/** Starts server-everything as a server of its own and waits until it listens. */
async function withServer(kind: 'sse' | 'streamableHttp', use: (origin: string) => Promise<void>): Promise<void> {
	const { startChild, stopChild } = await import('../../examples/setup/processes.mjs');
	const port = await freePort();
	const child = startChild(process.execPath, [everything, kind], { cwd: root, env: { ...process.env, PORT: String(port) }, log: () => undefined });
	try {
		for (let tries = 0; tries < 200; tries++) {
			if (await fetch(`http://127.0.0.1:${port}/none`).then(() => true, () => false)) break;
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		await use(`http://127.0.0.1:${port}`);
	} finally {
		await stopChild(child);
	}
}

interface Open {
	readonly session: McpSession;
	readonly list: McpToolList;
	call(name: string, input?: Record<string, unknown>): Promise<ToolOutput>;
}

async function withTools(server: McpServer, use: (open: Open) => Promise<void>, options: Partial<McpOptions> = {}): Promise<void> {
	const session = new McpSession(server, { ...testOptions(30_000), ...options });
	try {
		const list = await mcpTools(session, { server, include: [], exclude: [], prefix: '' });
		await use({ session, list, call: async (name, input = {}) => {
			const tool = list.tools.find((candidate) => candidate.name === name);
			const checked = validateInput(tool?.inputSchema ?? {}, input);
			if (tool === undefined || !checked.ok) throw new Error(`${name}: ${checked.ok ? 'unknown' : checked.message}`);
			return await tool.run(checked.value, { signal: new AbortController().signal });
		} });
	} finally {
		await session.close();
	}
}

const elicit = elicitorFor({ answers: { name: 'Ada' }, useDefaults: true });

async function exerciseEverything({ session, list, call }: Open): Promise<void> {
	expect(list.tools.length).toBeGreaterThan(8);
	expect(await call('echo', { message: 'bonjour' })).toEqual({ text: 'Echo: bonjour' });
	expect((await call('get-sum', { a: '2', b: 3 })).text).toContain('5');
	const image = await call('get-tiny-image');
	expect(image.files).toEqual([expect.objectContaining({ mediaType: 'image/png' })]);
	expect((await call('get-structured-content', { location: 'Chicago' })).data).toMatchObject({ temperature: expect.any(Number) });
	const resources = await session.listOf('resources');
	expect(resources.length).toBeGreaterThan(0);
	expect(resourceOutput(await session.ask('resources/read', { uri: resources[0]?.uri })).text).not.toBe('');
	expect(await session.listOf('resourceTemplates')).not.toEqual([]);
	const prompts = await session.listOf('prompts');
	const simple = prompts.find((prompt) => !Array.isArray(prompt.arguments) || prompt.arguments.length === 0);
	expect(promptOutput(await session.ask('prompts/get', { name: simple?.name, arguments: {} })).text).not.toBe('');
}

describe('the reference servers', () => {
	it('server-everything works over stdio, also what it asks of us', async () => {
		const sample = samplerFor(scriptedModel([{ text: 'sampled words' }]));
		const lines: string[] = [];
		const log: McpOptions['ports']['log'] = (_level, message) => void lines.push(message);
		await withTools(stdio(everything, 'stdio'), async (open) => {
			await exerciseEverything(open);
			await open.call('trigger-long-running-operation', { duration: 1, steps: 4 });
			expect(lines.filter((line) => line.startsWith('MCP progress of trigger-long')).length).toBeGreaterThan(2);
			const names = (await open.session.listTools()).map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(['trigger-sampling-request', 'trigger-elicitation-request']));
			const { tools } = await mcpTools(open.session, { server: stdio(everything), include: ['trigger-*'], exclude: [], prefix: '' });
			const run = async (name: string, input: Record<string, unknown>): Promise<string> =>
				(await tools.find((tool) => tool.name === name)?.run(input, { signal: new AbortController().signal }))?.text ?? '';
			expect(await run('trigger-sampling-request', { prompt: 'Hi', maxTokens: 10 })).toContain('sampled words');
			expect(await run('trigger-elicitation-request', {})).toContain('Ada');
			expect(open.list.refused).toEqual([]);
			expect((await open.call('simulate-research-query', { topic: 'joints' })).text).toContain('joints');
			const unclear = await open.call('simulate-research-query', { topic: 'python', ambiguous: true });
			expect(unclear.text).toContain('python');
		}, { sample, elicit, ports: { fetch: globalThis.fetch, log } });
	}, 90_000);

	it('server-everything works over streamable HTTP, and its sessions end', async () => {
		await withServer('streamableHttp', async (origin) => {
			for (const transport of ['http', 'auto'] as const) {
				await withTools({ transport, url: `${origin}/mcp`, headers: {} }, exerciseEverything, { elicit });
			}
		});
	}, 90_000);

	it('server-everything works over SSE, also when the transport is found out', async () => {
		await withServer('sse', async (origin) => {
			for (const transport of ['sse', 'auto'] as const) {
				await withTools({ transport, url: `${origin}/sse`, headers: {} }, exerciseEverything, { elicit });
			}
		});
	}, 90_000);

	it('server-filesystem reads and writes files, and says what it may not do', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'mcp-files-'));
		writeFileSync(path.join(folder, 'plan.md'), '# Révision\n- joint');
		await withTools(stdio(entry('server-filesystem', 'index.js'), folder), async ({ list, call }) => {
			expect(list.refused).toEqual([]);
			expect((await call('read_text_file', { path: path.join(folder, 'plan.md') })).text).toContain('# Révision');
			await call('write_file', { path: path.join(folder, 'neu.txt'), content: 'ja' });
			expect(readFileSync(path.join(folder, 'neu.txt'), 'utf8')).toBe('ja');
			expect(await call('read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true, text: expect.stringContaining('Access denied') });
		});
	}, 60_000);

	it('server-memory keeps what it is told', async () => {
		const file = path.join(mkdtempSync(path.join(tmpdir(), 'mcp-memory-')), 'memory.jsonl');
		const server = { ...stdio(entry('server-memory', 'index.js')), env: { MEMORY_FILE_PATH: file } } as McpServer;
		await withTools(server, async ({ call }) => {
			await call('create_entities', { entities: [{ name: 'N-92c', entityType: 'pump', observations: ['leaks'] }] });
			expect((await call('search_nodes', { query: 'pump' })).text).toContain('N-92c');
		});
	}, 60_000);
});
