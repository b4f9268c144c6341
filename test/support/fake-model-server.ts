import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** One HTTP answer of the fake server. Text is sent as it is; anything else as JSON. */
export type FakeAnswer =
	| { readonly fixture: string; readonly cutBytes?: number }
	| { readonly chunks: readonly unknown[]; readonly cutBytes?: number }
	| { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
	| { readonly chunks: readonly unknown[]; readonly dropAfter: number }
	| { readonly hang: true };

export interface FakeRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: Record<string, string>;
	readonly body: Record<string, unknown>;
}

export interface FakeModelServer {
	/** http://127.0.0.1:port, without /v1. */
	readonly url: string;
	readonly requests: readonly FakeRequest[];
	/** Requests whose client went away before the answer ended. */
	readonly abandoned: () => number;
	/** Adds answers to the queue of a route: `chat` is any …/chat/completions or /api/chat, `embed` any …/embeddings or /api/embed. */
	answer(route: 'chat' | 'embed' | 'models', ...answers: FakeAnswer[]): void;
	/** Ends the server. Throws when a request came that nobody expected, or an answer was left over. */
	close(): Promise<void>;
}

type Route = 'chat' | 'embed' | 'models';

const FIXTURES = path.resolve(__dirname, '../fixtures/providers');

export type FakeApi = 'mistral' | 'openai-compatible' | 'ollama';

/**
 * A server on 127.0.0.1 that speaks the wire format of one API and gives queued answers in order.
 *
 * @param api  folder of fixtures under test/fixtures/providers, and the Content-Type and [DONE] habits of that API
 */
export async function startFakeModelServer(api: FakeApi): Promise<FakeModelServer> {
	const queues: Record<Route, FakeAnswer[]> = { chat: [], embed: [], models: [] };
	const requests: FakeRequest[] = [];
	const unexpected: string[] = [];
	let abandoned = 0;
	const server = createServer((request, response) => {
		response.on('close', () => {
			if (!response.writableFinished) abandoned += 1;
		});
		void receive(request).then((received) => {
			requests.push(received);
			const answer = queues[routeOf(received.path)].shift();
			if (answer) return send(response, answer, api);
			unexpected.push(`${received.method} ${received.path}`);
			response.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"unexpected request"}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		abandoned: () => abandoned,
		answer: (route, ...answers) => void queues[route].push(...answers),
		close: async () => {
			await closed(server);
			const left = Object.entries(queues).filter(([, queue]) => queue.length > 0);
			if (unexpected.length > 0) throw new Error(`Unexpected requests: ${unexpected.join(', ')}`);
			if (left.length > 0) throw new Error(`Answers never asked for: ${left.map(([name, q]) => `${q.length} ${name}`).join(', ')}`);
		},
	};
}

/** The chunks of a fixture, one JSON value a line. */
export function fixtureChunks(api: string, name: string): unknown[] {
	const text = readFileSync(path.join(FIXTURES, api, `${name}.chunks.jsonl`), 'utf8');
	return text
		.split('\n')
		.filter((line) => line !== '')
		.map((line): unknown => JSON.parse(line));
}

/** The bytes of chunks as an event stream, with the [DONE] that closes it. */
export function eventStream(chunks: readonly unknown[]): Buffer {
	const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
	return Buffer.from(`${events.join('')}data: [DONE]\n\n`);
}

async function receive(request: IncomingMessage): Promise<FakeRequest> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const text = Buffer.concat(parts).toString('utf8');
	return {
		method: request.method ?? '',
		path: request.url ?? '',
		headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
		body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
	};
}

function routeOf(url: string): Route {
	if (/\/(?:embeddings|embed)$/.test(url)) return 'embed';
	return /\/(?:models|tags|props)$/.test(url) ? 'models' : 'chat';
}

/** The bytes of chunks as the API streams them: events, or one JSON object a line. */
export function streamBytes(api: string, chunks: readonly unknown[]): Buffer {
	return api === 'ollama' ? Buffer.from(chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('')) : eventStream(chunks);
}

async function send(response: ServerResponse, answer: FakeAnswer, api: string): Promise<void> {
	if ('hang' in answer) return;
	if ('body' in answer) {
		const isText = typeof answer.body === 'string';
		const type = isText ? 'text/html; charset=utf-8' : 'application/json';
		response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers });
		response.end(isText ? answer.body : JSON.stringify(answer.body));
		return;
	}
	const type = api === 'ollama' ? 'application/x-ndjson' : 'text/event-stream; charset=utf-8';
	response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
	if ('dropAfter' in answer) {
		response.write(streamBytes(api, answer.chunks.slice(0, answer.dropAfter)).toString('utf8').replace('data: [DONE]\n\n', ''));
		setImmediate(() => response.destroy());
		return;
	}
	const bytes = streamBytes(api, 'fixture' in answer ? fixtureChunks(api, answer.fixture) : answer.chunks);
	await sendCut(response, bytes, answer.cutBytes ?? bytes.length);
}

/** Writes piece by piece, each in its own turn of the event loop, so that the client sees the cuts. */
async function sendCut(response: ServerResponse, bytes: Buffer, cutBytes: number): Promise<void> {
	for (let at = 0; at < bytes.length && !response.destroyed; at += cutBytes) {
		response.write(bytes.subarray(at, at + cutBytes));
		await new Promise((resolve) => setImmediate(resolve));
	}
	response.end();
}

async function closed(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise<void>((resolve) => server.close(() => resolve()));
}
