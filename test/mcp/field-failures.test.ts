import type { Tool } from '../../lib/core/tool';
import { mcpTools } from '../../lib/mcp/mcp-tools';
import type { HttpServer } from '../../lib/mcp/server';
import { McpSession } from '../../lib/mcp/session';
import { isSafeToolName } from '../../lib/shape/tool-names';
import { validateInput } from '../../lib/shape/validate-input';
import { startFakeServer, testOptions, type FakeServer } from './fake-server';

const servers: Array<{ server: FakeServer; session: McpSession }> = [];

/** Tools that a server declares in its own odd way, and what it receives when they are called. */
async function toolsOf(declared: readonly object[], prefix = ''): Promise<{ tools: readonly Tool[]; received: unknown[]; refused: readonly unknown[] }> {
	const received: unknown[] = [];
	const server = await startFakeServer(({ message, reply }) => {
		if (message.method === 'tools/list') return reply({ tools: declared });
		received.push(message.params);
		reply({ content: [] });
	});
	const address: HttpServer = { transport: 'http', url: server.url, headers: {} };
	const session = new McpSession(address, testOptions());
	servers.push({ server, session });
	return { ...(await mcpTools(session, { server: address, include: [], exclude: [], prefix })), received };
}

afterEach(async () => {
	for (const { server, session } of servers.splice(0)) {
		await session.close();
		await server.stop();
	}
});

/** The arguments that reach the server when a model writes `args`, or the message that goes back to the model. */
async function sent(inputSchema: object, args: unknown): Promise<unknown> {
	const { tools: [tool], received } = await toolsOf([{ name: 't', inputSchema }]);
	const checked = validateInput(tool?.inputSchema ?? {}, args);
	if (!checked.ok) return checked.message;
	await tool?.run(checked.value, { signal: new AbortController().signal });
	return (received[0] as { arguments: unknown }).arguments;
}

describe('schemas of servers in the field', () => {
	it.each([
		['S04', 'plain properties', { type: 'object', properties: { id: { type: 'number' } } }, { id: 4 }, { id: 4 }],
		['S06', 'a value or null', { properties: { id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } } }, { id: null }, { id: null }],
		['S06', 'a value or null that is left out', { properties: { id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } } }, {}, {}],
		['S07', 'only null', { properties: { x: { type: 'null' }, y: { type: ['string', 'null'] } } }, { y: 'a' }, { y: 'a' }],
		['S09', 'alternatives in a list', { properties: { list: { type: 'array', items: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
			{ type: 'object', properties: { b: { type: 'number' } }, required: ['b'] }] } } } }, { list: [{ a: 'x' }, { b: '2' }] }, { list: [{ a: 'x' }, { b: 2 }] }],
		['S11', 'blank optionals', { properties: { pays: { type: 'string', default: 'fr' }, tags: { type: 'array' } } }, { pays: '', tags: [] }, {}],
		['S12', 'null where it is forbidden', { properties: { curseur: { type: 'string' } } }, { curseur: null }, {}],
		['S12', 'the word null', { properties: { gen: { type: ['integer', 'null'] }, nom: { type: 'string' } } }, { gen: 'null', nom: 'null' }, { gen: null, nom: 'null' }],
		['S17', 'no type', { properties: { a: {} } }, { a: 1 }, { a: 1 }],
		['S17', 'another dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: { a: { type: 'string' } } }, { a: 'x' }, { a: 'x' }],
		['S20', 'a number as text', { type: 'object', properties: { n: { type: 'integer' } } }, { n: '4' }, { n: 4 }],
	])('%s takes %s', async (_id, _title, schema, args, expected) => {
		expect(await sent(schema, args)).toEqual(expected);
	});

	it('S20 tells the model which value does not fit, and calls nothing', async () => {
		expect(await sent({ type: 'object', properties: { n: { type: 'integer' } } }, { n: 'four' })).toContain('n');
	});
});

describe('names of servers in the field', () => {
	it('T03 makes a name of 90 characters with a slash safe and keeps the server\'s own', async () => {
		const name = `plant/${'area_'.repeat(17)}`.slice(0, 90);
		const { tools: [tool], received } = await toolsOf([{ name }], 'erp');
		expect(isSafeToolName(tool?.name ?? '')).toBe(true);
		await tool?.run({}, { signal: new AbortController().signal });
		expect(received[0]).toMatchObject({ name });
	});

	it('T05 gives names that are equal after cutting the same aliases in both orders', async () => {
		const [one, other] = [`${'x'.repeat(64)}_one`, `${'x'.repeat(64)}_two`];
		const there = (await toolsOf([{ name: one }, { name: other }])).tools.map(({ name }) => name);
		const back = (await toolsOf([{ name: other }, { name: one }])).tools.map(({ name }) => name);
		expect(back).toEqual([...there].reverse());
		expect(new Set(there).size).toBe(2);
	});
});

describe('lists of servers in the field', () => {
	it('S15 takes a list with entries that are no tools', async () => {
		const { tools, refused } = await toolsOf([null, 'text', { description: 'nameless' }, { name: 'ok' }] as object[]);
		expect(tools.map(({ name }) => name)).toEqual(['ok']);
		expect(refused).toEqual([{ name: 'undefined', reason: 'it has no name' }]);
	});

	it('offers no tools for a server that has none and says so in its own way', async () => {
		const server = await startFakeServer(({ refuse }) => refuse(-32601, 'Method not found'));
		const address: HttpServer = { transport: 'http', url: server.url, headers: {} };
		const session = new McpSession(address, testOptions());
		servers.push({ server, session });
		expect((await mcpTools(session, { server: address, include: [], exclude: [], prefix: '' })).tools).toEqual([]);
	});
});
