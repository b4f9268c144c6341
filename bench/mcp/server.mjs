/**
 * An MCP server over streamable HTTP for the suite `mcp`: as many tools as it is told, 100 a page; a call gives its arguments
 * back. Prints its port, counts what it is asked, and answers `GET /counts`. Ends with its input.
 */
import { createServer } from 'node:http';

const PAGE = 100;
const tools = Array.from({ length: Number(process.argv[2] ?? 500) }, (_, number) => ({
	name: `plant.area_${number % 20}/read_value_${number}`,
	description: `Reads value ${number} of area ${number % 20}. Give the reference of the machine and the period.`,
	inputSchema: {
		type: 'object',
		properties: {
			reference: { type: 'string', description: 'Reference such as N-92c' },
			period: { $ref: '#/$defs/period' },
			limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
		},
		required: ['reference'],
		$defs: { period: { type: 'object', properties: { from: { type: 'string', format: 'date' }, to: { type: 'string', format: 'date' } } } },
	},
	annotations: { readOnlyHint: true },
}));
const counts = {};

function resultOf({ method, params }) {
	if (method === 'initialize') return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } };
	if (method === 'tools/list') {
		const from = Number(params?.cursor ?? 0);
		const next = from + PAGE;
		return { tools: tools.slice(from, next), ...(next < tools.length && { nextCursor: String(next) }) };
	}
	return { content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] };
}

const http = createServer(async (request, response) => {
	if (request.url === '/counts') return void response.end(JSON.stringify(counts));
	if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
	const message = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
	counts[message.method] = (counts[message.method] ?? 0) + 1;
	if (message.id === undefined) return void response.writeHead(202).end();
	const session = message.method === 'initialize' ? { 'mcp-session-id': `s${counts.initialize}` } : {};
	response.writeHead(200, { 'content-type': 'application/json', ...session });
	response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }));
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`${http.address().port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
