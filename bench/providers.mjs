/**
 * Suite providers: what a provider adds to a raw fetch of the same stream (request built, stream parsed, limits, times).
 *
 * A server on 127.0.0.1 streams `--n N` chunks (default 200) of one reply, one each millisecond, as a fast model does. Baseline `raw`: the
 * same POST with fetch, its body read to the end. Both take turns, 20 times each; times are medians, overhead is the share over raw.
 * `unpacedOverheadMs` is the same for a stream that comes at once: the whole cost of the parsing.
 */
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const TURNS = 20;
const ROUTES = { mistral: '/v1/chat/completions', 'openai-compatible': '/v1/chat/completions', ollama: '/api/chat' };

if (process.argv[2] === '--serve') serve(Number(process.argv[3]));

export async function run({ n = 200, say }) {
	const server = fork(fileURLToPath(import.meta.url), ['--serve', String(n)]);
	try {
		const port = await new Promise((resolve) => server.once('message', resolve));
		const providers = {};
		for (const provider of Object.keys(ROUTES)) {
			const paced = await compare(provider, `http://127.0.0.1:${port}/paced`);
			const atOnce = await compare(provider, `http://127.0.0.1:${port}/once`);
			providers[provider] = { ...paced, unpacedOverheadMs: round(atOnce.ms - atOnce.rawMs), unpacedMsPerChunk: round((atOnce.ms - atOnce.rawMs) / n) };
			say(`${provider}: ${JSON.stringify(providers[provider])}`);
		}
		return { chunks: n, overhead: Math.max(...Object.values(providers).map(({ overhead }) => overhead)), providers };
	} finally {
		server.kill();
	}
}

async function compare(provider, url) {
	const { loadChatModel } = require('../dist/lib/providers/registry.js');
	const { textMessage } = require('../dist/lib/core/message.js');
	const clock = { now: () => Date.now(), sleep: (ms, signal) => new Promise((resolve, reject) => waitFor(ms, signal, resolve, reject)) };
	const ports = { fetch, clock, log: () => undefined, ids: () => 'id' };
	const model = loadChatModel(provider, { model: 'm', apiKey: 'k', baseUrl: provider === 'openai-compatible' ? `${url}/v1` : url }, ports);
	const request = { messages: [textMessage('system', 'Be brief.'), textMessage('user', 'How many failures?')] };
	const ours = async () => {
		let characters = 0;
		for await (const event of model.stream(request, new AbortController().signal)) if (event.type === 'text-delta') characters += event.text.length;
		return characters;
	};
	const raw = async () => {
		const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'How many failures?' }], stream: true });
		const response = await fetch(url + ROUTES[provider], { method: 'POST', headers: { 'content-type': 'application/json' }, body });
		let bytes = 0;
		for await (const chunk of response.body) bytes += chunk.length;
		return bytes;
	};
	for (let warm = 0; warm < 3; warm += 1) if ((await ours()) === 0 || (await raw()) === 0) throw new Error('The stream was empty.');
	const times = { ours: [], raw: [] };
	for (let turn = 0; turn < TURNS; turn += 1) {
		times.raw.push(await timed(raw));
		times.ours.push(await timed(ours));
	}
	const [ms, rawMs] = [median(times.ours), median(times.raw)];
	return { ms: round(ms), rawMs: round(rawMs), overhead: Math.round((ms / rawMs - 1) * 10_000) / 10_000 };
}

function waitFor(ms, signal, resolve, reject) {
	const timer = setTimeout(resolve, ms);
	signal?.addEventListener('abort', () => {
		clearTimeout(timer);
		reject(signal.reason);
	});
}

/** The server, in a process of its own: /paced sends a chunk each millisecond, /once all of them together. */
function serve(chunks) {
	const server = createServer((request, response) => {
		request.resume();
		request.on('end', () => {
			const lines = linesFor(request.url.endsWith('/api/chat'), chunks);
			response.writeHead(200, { 'content-type': request.url.endsWith('/api/chat') ? 'application/x-ndjson' : 'text/event-stream' });
			if (request.url.startsWith('/once')) return response.end(lines.join(''));
			let at = 0;
			const timer = setInterval(() => {
				if (at < lines.length) return response.write(lines[at++]);
				clearInterval(timer);
				response.end();
			}, 1);
		});
	});
	server.listen(0, '127.0.0.1', () => process.send(server.address().port));
	process.on('disconnect', () => process.exit());
}

function linesFor(isOllama, chunks) {
	const text = (at) => ` word${at}`;
	if (isOllama) {
		const line = (more) => `${JSON.stringify({ model: 'm', created_at: '2026-01-01T00:00:00Z', ...more })}\n`;
		const body = Array.from({ length: chunks }, (_, at) => line({ message: { role: 'assistant', content: text(at) }, done: false }));
		return [...body, line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: chunks })];
	}
	const event = (more) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', ...more })}\n\n`;
	const body = Array.from({ length: chunks }, (_, at) => event({ choices: [{ index: 0, delta: { content: text(at) }, finish_reason: null }] }));
	const usage = { prompt_tokens: 9, completion_tokens: chunks, total_tokens: chunks + 9 };
	return [...body, event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }), 'data: [DONE]\n\n'];
}

async function timed(fn) {
	const start = performance.now();
	await fn();
	return performance.now() - start;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const round = (value) => Math.round(value * 1000) / 1000;
