import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { chat, type ChatEvent, type ChatParts } from '../../lib/chat/chat-engine';
import type { ChatRequest } from '../../lib/chat/chat-request';
import { conversation, DEFAULT_WINDOW } from '../../lib/chat/conversation';
import { openMemory } from '../../lib/chat/open-memory';
import type { Retriever } from '../../lib/core/document';
import { textMessage } from '../../lib/core/message';
import { makeChatModel } from '../../lib/providers/openai-compatible/model';
import { indexDocuments } from '../../lib/rag/index-documents';
import { openOrCreateTheme, openTheme } from '../../lib/rag/open-theme';
import { retrieve as search } from '../../lib/rag/retrieve';
import { fakePorts } from '../support/fake-ports';

jest.setTimeout(120_000);

const CHATS = 500;
const folder = mkdtempSync(path.join(tmpdir(), 'abandoned-'));
let server: Server;
let url: string;
const place = { folder, theme: 'procedures' };
let requests = 0;
const open = new Set<ServerResponse>();

beforeAll(async () => {
	// Begins to answer and never ends: what is open then is open until the client lets go.
	server = createServer((_request, response) => {
		requests += 1;
		open.add(response);
		response.on('close', () => open.delete(response));
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const content of ['Elle ', 'est ', 'de ']) {
			response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`);
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const store = await openOrCreateTheme(place, { createdBy: 'test' });
	await indexDocuments([{ id: 'd', text: 'La pompe N-92c travaille à une pression de 35 bar.' }], { store });
	await store.close();
});
afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	rmSync(folder, { recursive: true });
});

const descriptors = (): number => readdirSync('/proc/self/fd').length;

const retrieve: Retriever = async (request) => {
	const store = await openTheme(place);
	try {
		return [...(await search({ ...request, acl: 'all' }, { store })).hits];
	} finally {
		await store.close();
	}
};

/** Begins a chat over real stores and a real connection, and leaves it after `events` events. */
async function abandon(number: number, events: number): Promise<void> {
	const ports = fakePorts();
	const signal = new AbortController().signal;
	const memory = conversation({ key: { memory: 'm', user: 'anne', session: `s${number % 20}` }, limits: DEFAULT_WINDOW, open: async () => await openMemory({ folder }), ports, signal });
	if (number < 20) await memory.save([textMessage('user', 'Quelle pompe ?'), textMessage('assistant', 'La N-92c.')]);
	const parts: ChatParts = { model: makeChatModel({ model: 'm', baseUrl: `${url}/v1`, preset: 'generic' }, ports), retrieve, ports, signal };
	const request: ChatRequest = {
		question: 'Quelle est la pression de la pompe N-92c ?', history: await memory.load(), instructions: '', detail: 'brief', condenses: false, topK: 4, minScore: 0,
		maxPassageTokens: 1_000, maxHistoryTokens: 500, answersAnyway: true, temperature: 0,
	};
	const seen: ChatEvent[] = [];
	for await (const event of chat(parts, request)) if (seen.push(event) >= events) break;
}

it(`${CHATS} abandoned chats leave no descriptor, no connection and no stream`, async () => {
	for (let warm = 0; warm < 10; warm++) await abandon(warm, 4);
	const before = descriptors();
	for (let number = 0; number < CHATS; number++) await abandon(number, 1 + (number % 5));
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(requests).toBeGreaterThan(CHATS / 2);
	expect(open.size).toBe(0);
	expect(descriptors()).toBeLessThanOrEqual(before);
});
