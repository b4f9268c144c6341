/** The server over streamable HTTP: one MCP session for each client, on 127.0.0.1 only, with a bearer token if wanted. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const MAX_BODY_BYTES = 1_000_000;

/**
 * Listens until `close` is called.
 *
 * @param {{ port: number, token?: string, makeServer: () => import('@modelcontextprotocol/sdk/server/mcp.js').McpServer }} options
 *   port 0 takes a free one
 * @returns {Promise<{ url: string, close: () => Promise<void>, sessions: () => number }>}
 */
export async function listenHttp({ port, token, makeServer }) {
	const sessions = new Map();
	const http = createServer((request, response) => {
		handle({ request, response, sessions, token, makeServer }).catch((error) => {
			if (!response.headersSent) send(response, 500, error.message);
			else response.destroy();
		});
	});
	await new Promise((resolve, reject) => {
		http.once('error', reject);
		http.listen(port, '127.0.0.1', resolve);
	});
	const close = async () => {
		await Promise.all([...sessions.values()].map((transport) => transport.close()));
		http.closeAllConnections();
		await new Promise((resolve) => http.close(resolve));
	};
	return { url: `http://127.0.0.1:${http.address().port}/mcp`, close, sessions: () => sessions.size };
}

async function handle({ request, response, sessions, token, makeServer }) {
	const { pathname } = new URL(request.url, 'http://127.0.0.1');
	if (pathname !== '/mcp') return send(response, 404, 'The MCP endpoint is /mcp');
	// A page in a browser must not reach the server through a name that points here.
	if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) return send(response, 403, 'Unknown host');
	if (token && !sameText(request.headers.authorization, `Bearer ${token}`)) return send(response, 401, 'A bearer token is needed');
	const id = request.headers['mcp-session-id'];
	const body = request.method === 'POST' ? await readBody(request) : undefined;
	const known = id === undefined ? undefined : sessions.get(id);
	if (known !== undefined) return known.handleRequest(request, response, body);
	if (id !== undefined) return send(response, 404, 'Session not found');
	if (body?.method !== 'initialize') return send(response, 400, 'No valid session id');
	const transport = new StreamableHTTPServerTransport({
		sessionIdGenerator: () => randomUUID(),
		onsessioninitialized: (sessionId) => sessions.set(sessionId, transport),
	});
	transport.onclose = () => sessions.delete(transport.sessionId);
	await makeServer().connect(transport);
	return transport.handleRequest(request, response, body);
}

async function readBody(request) {
	const chunks = [];
	let size = 0;
	for await (const chunk of request) {
		size += chunk.length;
		if (size > MAX_BODY_BYTES) throw new Error(`The request is larger than ${MAX_BODY_BYTES} bytes`);
		chunks.push(chunk);
	}
	return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Compared as hashes, so that time says nothing about the token. */
function sameText(given, expected) {
	const hash = (text) => createHash('sha256').update(text).digest();
	return timingSafeEqual(hash(given ?? ''), hash(expected));
}

function send(response, status, message) {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}
