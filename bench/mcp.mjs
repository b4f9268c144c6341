/**
 * Suite `mcp`: what our part adds to the MCP SDK, against a server in a process of its own over streamable HTTP.
 *
 * `--n` tools (500) are listed by the bare SDK and by us; our part is what happens to a list that is there (names, intents,
 * schemas, and their adaptation for a provider). Calls go by turns through the bare SDK and through a tool of ours. The
 * initialize requests are counted over ten turns of an agent. Times are medians in ms; each has its ratio to the bare SDK.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../examples/setup/places.mjs';

const LISTS = 9;
const CALLS = 200;
const TURNS = 10;
const load = createRequire(import.meta.url);

/** @returns {tools, listMs, listMsSdk, listRatio, ourPartMs, callMs, callMsSdk, callAddsMs, callRatio, initializeRequests} */
export async function run({ n = 500, say }) {
	const server = await startServer(n);
	try {
		const parts = partsOf(server.url);
		const lists = await measureLists(parts, n);
		const calls = await measureCalls(parts);
		const initializeRequests = await countInitializes(parts, server.url);
		const result = { tools: n, ...lists, ...calls, initializeRequests };
		say(`${n} tools listed: ${result.listMs} ms (bare SDK ${result.listMsSdk} ms, ratio ${result.listRatio}); our part ${result.ourPartMs} ms`);
		say(`A call: ${result.callMs} ms (bare SDK ${result.callMsSdk} ms, ratio ${result.callRatio}): adds ${result.callAddsMs} ms`);
		say(`${TURNS} turns of an agent: ${initializeRequests} initialize request`);
		return result;
	} finally {
		await server.stop();
	}
}

function startServer(tools) {
	const child = spawn(process.execPath, [path.join(root, 'bench/mcp/server.mjs'), String(tools)], { stdio: ['pipe', 'pipe', 'inherit'] });
	const stop = () => new Promise((resolve) => child.once('exit', resolve) && child.stdin.end());
	return new Promise((resolve) => child.stdout.once('data', (port) => resolve({ url: `http://127.0.0.1:${Number(port)}/mcp`, stop })));
}

function partsOf(url) {
	const part = (name) => load(path.join(root, 'dist/lib', name));
	const { McpSession } = part('mcp/session.js');
	const { mcpTools } = part('mcp/mcp-tools.js');
	const { adaptSchema } = part('shape/adapt-schema.js');
	const { sessionFor, closeSessions } = part('mcp/session-cache.js');
	const server = { transport: 'http', url, headers: {} };
	const options = { timeoutMs: 30_000, ports: { fetch: globalThis.fetch, log: () => undefined } };
	const settings = { server, include: [], exclude: [], prefix: 'erp' };
	const newSession = () => new McpSession(server, options);
	return { newSession, tools: (session) => mcpTools(session, settings), adaptSchema, sessionFor: (scope) => sessionFor(scope, server, options), closeSessions, newClient: () => bareClient(url) };
}

async function bareClient(url) {
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js');
	const { StreamableHTTPClientTransport } = load('@modelcontextprotocol/sdk/client/streamableHttp.js');
	const client = new Client({ name: 'bench', version: '1' });
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	return client;
}

async function measureLists({ newSession, newClient, tools, adaptSchema }, n) {
	const [ours, bare, part] = [[], [], []];
	for (let round = 0; round < LISTS; round++) {
		const client = await newClient();
		bare.push(await timed(async () => {
			let cursor;
			do ({ nextCursor: cursor } = await client.listTools(cursor === undefined ? {} : { cursor }));
			while (cursor !== undefined);
		}));
		await client.close();
		const session = newSession();
		await session.can('tools');
		ours.push(await timed(() => tools(session)));
		part.push(await timed(async () => {
			const list = await tools(session);
			for (const tool of list.tools) adaptSchema(tool.inputSchema, 'openai');
			if (list.tools.length !== n) throw new Error(`Only ${list.tools.length} of ${n} tools came`);
		}));
		await session.close();
	}
	const [listMs, listMsSdk] = [median(ours), median(bare)];
	return { listMs: rounded(listMs), listMsSdk: rounded(listMsSdk), listRatio: rounded(listMs / listMsSdk), ourPartMs: rounded(median(part)) };
}

async function measureCalls({ newSession, newClient, tools }) {
	const session = newSession();
	const [tool] = (await tools(session)).tools;
	const client = await newClient();
	const { signal } = new AbortController();
	const [ours, bare] = [[], []];
	for (let call = 0; call < CALLS + 20; call++) {
		const args = { reference: `N-${call}`, limit: 5 };
		const bareMs = await timed(() => client.callTool({ name: 'plant.area_0/read_value_0', arguments: args }));
		const ourMs = await timed(() => tool.run(args, { signal }));
		if (call < 20) continue;
		bare.push(bareMs);
		ours.push(ourMs);
	}
	await session.close();
	await client.close();
	const [callMs, callMsSdk] = [median(ours), median(bare)];
	return { callMs: rounded(callMs), callMsSdk: rounded(callMsSdk), callAddsMs: rounded(callMs - callMsSdk), callRatio: rounded(callMs / callMsSdk) };
}

/** As the node does it: the session is asked for anew at every turn. */
async function countInitializes({ sessionFor, tools, closeSessions }, url) {
	const counts = async () => (await (await fetch(new URL('/counts', url))).json()).initialize ?? 0;
	const before = await counts();
	for (let turn = 0; turn < TURNS; turn++) {
		const list = await tools(sessionFor('bench'));
		await list.tools[0].run({ reference: `turn ${turn}` }, { signal: new AbortController().signal });
	}
	await closeSessions('bench');
	return (await counts()) - before;
}

async function timed(work) {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function rounded(value) {
	return Math.round(value * 100) / 100;
}
