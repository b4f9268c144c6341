/** A chat completions server that takes no time: "… N steps" in the first user message makes it ask for N calculations, then answer. */
import { createServer } from 'node:http';

const HEAD = { id: 'chatcmpl-1', created: 1767225600, model: 'bench-model' };
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** @returns {url, lastBytes(), stop()}; url is without /v1 */
export async function startFakeModel() {
	let lastBytes = 0;
	const server = createServer((request, response) => {
		const parts = [];
		request.on('data', (part) => parts.push(part));
		request.on('end', () => {
			const bytes = Buffer.concat(parts);
			lastBytes = bytes.length;
			answer(response, JSON.parse(bytes.toString('utf8')));
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		lastBytes: () => lastBytes,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function answer(response, { messages, stream }) {
	const asked = JSON.stringify(messages.find(({ role }) => role === 'user').content);
	const wanted = Number(/(\d+) steps/.exec(asked)[1]);
	const done = messages.filter(({ role }) => role === 'tool').length;
	const isEnd = done >= wanted;
	const call = { name: 'calculate', arguments: JSON.stringify({ expression: `${done + 101} * 23` }) };
	if (stream) return sendEvents(response, isEnd ? textDeltas(done) : callDeltas(call, done), isEnd ? 'stop' : 'tool_calls');
	const message = isEnd
		? { role: 'assistant', content: `Done after ${done} steps.` }
		: { role: 'assistant', content: null, tool_calls: [{ id: `call_${done}`, type: 'function', function: call }] };
	const choices = [{ index: 0, message, finish_reason: isEnd ? 'stop' : 'tool_calls' }];
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage: USAGE }));
}

function callDeltas(call, done) {
	const pieces = call.arguments.match(/.{1,8}/g);
	const begin = { role: 'assistant', content: null, tool_calls: [{ index: 0, id: `call_${done}`, type: 'function', function: { name: call.name, arguments: '' } }] };
	return [begin, ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] }))];
}

function textDeltas(done) {
	return [{ role: 'assistant', content: '' }, ...['Done ', 'after ', `${done} `, 'steps.'].map((content) => ({ content }))];
}

function sendEvents(response, deltas, reason) {
	const chunk = (choices, more = {}) => `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
	response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
	for (const delta of deltas) response.write(chunk([{ index: 0, delta, finish_reason: null }]));
	response.write(chunk([{ index: 0, delta: {}, finish_reason: reason }]));
	response.write(chunk([], { usage: USAGE }));
	response.end('data: [DONE]\n\n');
}
