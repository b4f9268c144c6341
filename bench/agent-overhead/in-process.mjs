/** The same task, once as a bare fetch loop and once through the engine. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const load = (file) => require(`../../dist/lib/${file}.js`);

const INSTRUCTIONS = 'You solve tasks step by step with your tools. Use exact figures.';
const DESCRIPTION = 'Calculates an arithmetic expression exactly.';
const SCHEMA = { type: 'object', properties: { expression: { type: 'string', description: 'The expression.' } }, required: ['expression'], additionalProperties: false };
const query = (steps) => `Calculate in ${steps} steps.`;

function calculate({ expression }) {
	const [a, b] = expression.split(' * ').map(Number);
	return `${expression} = ${a * b}`;
}

/** What anybody would write in thirty lines: streams each reply, calls the tool, sends all back. */
export async function fetchLoop(url, steps) {
	const messages = [{ role: 'system', content: INSTRUCTIONS }, { role: 'user', content: query(steps) }];
	const tools = [{ type: 'function', function: { name: 'calculate', description: DESCRIPTION, parameters: SCHEMA } }];
	for (;;) {
		const body = JSON.stringify({ model: 'bench-model', messages, tools, temperature: 0, stream: true, stream_options: { include_usage: true } });
		const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
		const message = await readMessage(response.body);
		messages.push(message);
		if (!message.tool_calls) return message.content;
		for (const call of message.tool_calls) {
			messages.push({ role: 'tool', tool_call_id: call.id, content: calculate(JSON.parse(call.function.arguments)) });
		}
	}
}

async function readMessage(body) {
	const message = { role: 'assistant', content: null };
	const decoder = new TextDecoder();
	let rest = '';
	for await (const bytes of body) {
		const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
		rest = lines.pop();
		for (const line of lines) {
			if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
			const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
			if (delta.content) message.content = (message.content ?? '') + delta.content;
			for (const { index, function: piece, ...more } of delta.tool_calls ?? []) {
				message.tool_calls ??= [];
				const call = (message.tool_calls[index] ??= { ...more, function: { name: piece.name, arguments: '' } });
				call.function.arguments += piece.arguments;
			}
		}
	}
	return message;
}

const ports = {
	fetch: globalThis.fetch,
	clock: load('core/real-clock').realClock,
	log: () => undefined,
	ids: randomUUID,
};

/** The engine in direct mode, with its report, as ReActEngine runs it. */
export async function libRun(url, steps) {
	const { runAgent } = load('react/run-agent');
	const { runToolCalls } = load('react/run-tool-calls');
	const { startRun } = load('react/start-run');
	const { runReport } = load('react/report');
	const model = load('providers/registry').loadChatModel('openai-compatible', { model: 'bench-model', baseUrl: `${url}/v1` }, ports);
	const tools = [{ name: 'calculate', intent: DESCRIPTION, description: DESCRIPTION, inputSchema: SCHEMA, tags: [], run: async (input) => ({ text: calculate(input) }) }];
	const { signal } = new AbortController();
	const setup = {
		model, tools, ports, signal, protocol: 'auto', language: 'en', atLimit: 'fail', temperature: 0, prices: [],
		limits: { ...load('react/agent-setup').DEFAULT_LIMITS, maxSteps: 100 }, results: load('react/result-store').memoryResultStore(),
	};
	const state = await startRun(setup, { instructions: INSTRUCTIONS, query: query(steps), context: '', history: [], today: '2026-01-01 (UTC)' });
	const run = runAgent(setup, state, async (calls) => await runToolCalls(tools, calls, { ports, signal, timeoutMs: 60_000 }));
	for (;;) {
		const next = await run.next();
		if (!next.done) continue;
		const { end, state: last } = next.value;
		if (end.answer !== `Done after ${steps} steps.`) throw new Error(`The engine ended with ${end.stoppedBy}: ${end.error?.message}`);
		return await runReport(setup, last, { end, detail: 'summary' });
	}
}
