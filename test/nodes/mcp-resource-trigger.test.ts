import type { ServerResponse } from 'node:http';
import type { IDataObject, INodeExecutionData, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { McpResourceTrigger } from '../../nodes/McpResourceTrigger/McpResourceTrigger.node';
import { startFakeServer, type FakeServer } from '../mcp/fake-server';
import { node } from '../support/run-workflow';

const PLAN = 'file:///plan.md';
let server: FakeServer;
let contents: { [uri: string]: string };
let stream: ServerResponse | undefined;
let subscribed: string[];
let canSubscribe: boolean;
let failing: number;
const open: ITriggerResponse[] = [];

async function startServer(): Promise<void> {
	server = await startFakeServer(({ message, reply, refuse, status }) => {
		const uri = String(message.params?.uri);
		if (failing > 0) {
			failing -= 1;
			return status(503, 'restarting');
		}
		switch (message.method) {
			case 'resources/list':
				return reply({ resources: Object.keys(contents).map((one) => ({ uri: one, name: one.slice(8), mimeType: 'text/markdown' })) });
			case 'resources/subscribe':
				subscribed.push(uri);
				return reply({});
			default:
				return uri in contents ? reply({ contents: [{ uri, text: contents[uri] }] }) : refuse(-32002, 'Resource not found');
		}
	}, {
		capabilities: { resources: { subscribe: canSubscribe } },
		onGet: (response) => {
			stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
			stream.write(': open\n\n');
		},
	});
}

beforeEach(async () => {
	contents = { [PLAN]: 'v1', 'file:///notes.md': 'n1' };
	subscribed = [];
	canSubscribe = true;
	failing = 0;
	stream = undefined;
	await startServer();
});

afterEach(async () => {
	for (const { closeFunction } of open.splice(0)) await closeFunction?.();
	await server.stop();
});

interface Started {
	readonly response: ITriggerResponse;
	readonly emitted: INodeExecutionData[];
	readonly logged: string[];
}

async function start(parameters: IDataObject, more: { data?: IDataObject; mode?: string } = {}): Promise<Started> {
	const emitted: INodeExecutionData[] = [];
	const logged: string[] = [];
	const values: IDataObject = { transport: 'http', url: server.url, authentication: 'none', uris: '', checkSeconds: 5, notice: 'subscribe', options: {}, ...parameters };
	const log = (message: string): void => void logged.push(message);
	const ctx = {
		getNode: () => node('Watch', 'p.watch'),
		getNodeParameter: (name: string, fallback: unknown) => values[name] ?? fallback,
		getMode: () => more.mode ?? 'trigger',
		getWorkflowStaticData: () => more.data ?? {},
		getCredentials: async () => ({}),
		emit: ([items]: INodeExecutionData[][]) => void emitted.push(...(items ?? [])),
		helpers: {},
		logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
	} as unknown as ITriggerFunctions;
	const response = await new McpResourceTrigger().trigger.call(ctx);
	open.push(response);
	return { response, emitted, logged };
}

async function until(isTrue: () => boolean, ms = 3000): Promise<void> {
	for (const end = performance.now() + ms; performance.now() < end && !isTrue();) await new Promise((resolve) => setTimeout(resolve, 10));
	expect(isTrue()).toBe(true);
}

function tell(uri: string): void {
	stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })}\n\n`);
}

describe('MCP Resource Trigger', () => {
	it('emits the new content when the server tells of a change, and nothing when the content is the same', async () => {
		const { emitted } = await start({});
		expect(subscribed).toEqual(Object.keys(contents));
		await until(() => stream !== undefined);
		tell(PLAN);
		await until(() => server.seen.filter((line) => line === 'POST resources/read').length === 3);
		expect(emitted).toEqual([]);
		contents[PLAN] = 'v2';
		tell(PLAN);
		tell(PLAN);
		await until(() => emitted.length > 0);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(emitted.map(({ json }) => json)).toEqual([
			{ uri: PLAN, name: 'plan.md', mimeType: 'text/markdown', change: 'changed', hash: expect.stringMatching(/^[0-9a-f]{32}$/), text: 'v2' },
		]);
	});

	it('emits after a restart what changed meanwhile, once, also what is new', async () => {
		const data: IDataObject = {};
		const first = await start({}, { data });
		await first.response.closeFunction?.();
		expect(first.emitted).toEqual([]);
		contents = { ...contents, [PLAN]: 'v2', 'file:///new.md': 'hello' };
		const kept = JSON.parse(JSON.stringify(data)) as IDataObject;
		const second = await start({}, { data: kept });
		expect(second.emitted.map(({ json }) => [json.uri, json.change, json.text])).toEqual([[PLAN, 'changed', 'v2'], ['file:///new.md', 'added', 'hello']]);
		await second.response.closeFunction?.();
		expect((await start({}, { data: kept })).emitted).toEqual([]);
	});

	it('polls a server that cannot tell', async () => {
		await server.stop();
		canSubscribe = false;
		await startServer();
		const { emitted } = await start({ uris: PLAN, checkSeconds: 0.05 });
		contents[PLAN] = 'v2';
		await until(() => emitted.length === 1);
		expect(subscribed).toEqual([]);
	});

	it('watches only what fits the pattern, and one that cannot be read does not hide the others', async () => {
		const { emitted, logged } = await start({ uris: 'file:///gone.md\nfile:///pl*', checkSeconds: 0.05 });
		contents = { [PLAN]: 'v2', 'file:///notes.md': 'n2' };
		await until(() => emitted.length > 0);
		expect(emitted.map(({ json }) => json.uri)).toEqual([PLAN]);
		expect(logged).toContain('MCP resource file:///gone.md cannot be read');
	});

	it('waits with growing pauses for a server that is down, subscribes anew and misses nothing', async () => {
		const { emitted, logged } = await start({ checkSeconds: 0.05 });
		// Each try is one request and its repetition on a new session.
		failing = 4;
		contents[PLAN] = 'v2';
		await until(() => emitted.length === 1, 8000);
		expect(logged.filter((line) => line.includes('next try in'))).toEqual([
			'MCP resources cannot be watched now; next try in 1 s', 'MCP resources cannot be watched now; next try in 2 s',
		]);
		expect(subscribed.length).toBe(4);
	});

	it('gives the present contents when it is tested by hand', async () => {
		const { response, emitted } = await start({ uris: PLAN }, { mode: 'manual' });
		expect(emitted).toEqual([]);
		await response.manualTriggerFunction?.();
		expect(emitted.map(({ json }) => json.text)).toEqual(['v1']);
	});

	it('fails to start when nothing but the builder can put it right, and goes on when the server is only down', async () => {
		await expect(start({ url: 'no address' })).rejects.toThrow('is not the address of an MCP server');
		await server.stop();
		expect((await start({})).logged).toContain('The MCP server cannot be reached yet; the trigger goes on trying');
		await startServer();
	});

	it('sends nothing any more once it is closed', async () => {
		const { response } = await start({ checkSeconds: 0.02 });
		await response.closeFunction?.();
		const before = server.seen.length;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(server.seen).toHaveLength(before);
		expect(server.seen.filter((line) => line === 'DELETE')).toHaveLength(1);
	});
});
