import { mcpTools, type McpToolList } from '../../lib/mcp/mcp-tools';
import { McpSession } from '../../lib/mcp/session';
import { startFakeServer, testOptions, type Exchange } from './fake-server';

const settings = { include: [] as string[], exclude: [] as string[], prefix: '' };

async function withTools(
	tools: readonly object[],
	use: (list: McpToolList, calls: Exchange[]) => Promise<void> | void,
	changes: Partial<typeof settings> = {},
): Promise<void> {
	const calls: Exchange[] = [];
	const server = await startFakeServer((exchange) => {
		if (exchange.message.method === 'tools/list') return exchange.reply({ tools });
		calls.push(exchange);
		exchange.reply({ content: [{ type: 'text', text: 'done' }] });
	});
	const address = { transport: 'http' as const, url: server.url, headers: {} };
	const session = new McpSession(address, testOptions());
	await use(await mcpTools(session, { ...settings, ...changes, server: address }), calls);
	await session.close();
	await server.stop();
}

const signal = new AbortController().signal;

describe('mcpTools', () => {
	it('S15 lists one bad tool with its reason and keeps the others', async () => {
		const tools = [{ name: 'a', inputSchema: { type: 'object' } }, { name: 'bad', inputSchema: { type: 'objet' } }, { name: 'c', inputSchema: { properties: { x: {} } } },
			{ name: 'odd', inputSchema: [] }, { name: 'd', inputSchema: { type: 'object' }, outputSchema: { $ref: '#/nowhere', type: 'nonsense' } }];
		await withTools(tools, ({ tools: usable, refused }) => {
			expect(usable.map(({ name }) => name)).toEqual(['a', 'c', 'd']);
			expect(refused).toEqual([
				{ name: 'bad', reason: 'its inputSchema has the type "objet", not "object"' },
				{ name: 'odd', reason: 'its inputSchema is not an object' },
			]);
		});
	});

	it('S13 shows the schema byte for byte as declared', async () => {
		const inputSchema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: {
			n: { type: 'integer', minimum: 1, maximum: 9, default: 3 }, m: { enum: ['a', 'b'] }, r: { $ref: '#/$defs/r' } }, $defs: { r: { type: 'string' } }, 'x-note': 1 };
		await withTools([{ name: 'a', inputSchema }], ({ tools }) => {
			expect(JSON.stringify(tools[0]?.inputSchema)).toBe(JSON.stringify(inputSchema));
		});
	});

	it('T01 calls a tool with a dot by its own name with the arguments as they are', async () => {
		await withTools([{ name: 'stock.lire', inputSchema: { type: 'object' } }], async ({ tools }, calls) => {
			expect(tools[0]?.name).toMatch(/^stock_lire_[0-9a-f]{8}$/);
			expect(await tools[0]?.run({ ref: 'A1', tool: 'x' }, { signal })).toEqual({ text: 'done' });
			expect(calls[0]?.message.params).toMatchObject({ name: 'stock.lire', arguments: { ref: 'A1', tool: 'x' } });
		});
	});

	it('takes intent, annotations and prefix from what the server says', async () => {
		const tools = [
			{ name: 'get_part', description: 'Gets a part. Needs a reference.\nMore.', annotations: { readOnlyHint: true, idempotentHint: true } },
			{ name: 'drop-all', title: 'Drop everything', annotations: { destructiveHint: true } },
			{ name: 'no_words' },
		];
		await withTools(tools, ({ tools: made }) => {
			expect(made.map(({ name, intent }) => [name, intent])).toEqual([
				['erp_get_part', 'Gets a part.'], ['erp_drop-all', 'Drop everything'], ['erp_no_words', 'no words'],
			]);
			expect(made.map(({ annotations }) => annotations)).toEqual([{ readOnly: true, idempotent: true }, { destructive: true }, {}]);
			expect(made[0]?.description).toBe('Gets a part. Needs a reference.\nMore.');
		}, { prefix: 'erp' });
	});

	it('T07 leaves braces in a description as they are', async () => {
		await withTools([{ name: 'a', description: 'renvoie {"ok": true}}}' }], ({ tools }) => {
			expect(tools[0]?.description).toBe('renvoie {"ok": true}}}');
		});
	});

	it('includes and excludes by name and by pattern', async () => {
		const tools = ['get_part', 'get_order', 'create_order', 'a.b'].map((name) => ({ name }));
		const names: string[][] = [];
		for (const changes of [{ include: ['get_*'] }, { exclude: ['*_order'] }, { include: ['*order'], exclude: ['create_order'] }, { include: ['a.*'] }]) {
			await withTools(tools, ({ tools: made }) => void names.push(made.map(({ name }) => name.replace(/_[0-9a-f]{8}$/, ''))), changes);
		}
		expect(names).toEqual([['get_part', 'get_order'], ['get_part', 'a_b'], ['get_order'], ['a_b']]);
	});
});
