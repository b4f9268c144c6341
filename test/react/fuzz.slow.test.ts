import type { ChatModel, ModelEvent } from '../../lib/core/model';
import type { StoppedBy } from '../../lib/core/run';
import { scriptedSetup } from '../support/run-scripted';
import { tool } from '../support/test-nodes';
import { runAgent, type AgentOutcome } from '../../lib/react/run-agent';
import { runToolCalls } from '../../lib/react/run-tool-calls';
import { startRun } from '../../lib/react/start-run';

/** 20,000 mutated or random model replies through the whole loop, in each protocol; the seed names a run. */

const SEEDS = [
	'Thought: voir\nAction: stock\nAction Input: {"ref":"A1"}',
	'Thought: ok\nAnswer: 42 pièces',
	'{"thought":"x","action":"stock","action_input":{"ref":"B"}}',
	'{"thought":"x","answer":"done"}',
	'<think>hm</think>Final Answer: yes',
	'Action: nowhere\nAction Input: {\'a\': None, "b": [1,2,}',
	'```json\n{"tool_call":{"action":"fails","action_input":{}}}\n```',
	'Observation: invented\nAnswer:',
	'',
];
const PIECES = ['{', '}', '[', ']', '"', "'", '\\', '\n', ':', 'Action', 'Action Input:', 'Answer:', '</think>', '<think>', 'null', '\u0000', 'é', '🦊', ' '.repeat(50)];
const ENDS: readonly StoppedBy[] = ['answer', 'step-limit', 'time', 'budget', 'no-progress', 'forced-answer', 'error'];
const MAX_STEPS = 6;

/** Mulberry32: a small generator with a fixed seed, so that a failing run can be repeated. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

function mutated(next: () => number): string {
	const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
	let text = pick(SEEDS);
	for (let change = Math.floor(next() * 4); change > 0; change--) {
		const at = Math.floor(next() * (text.length + 1));
		const cut = at + Math.floor(next() * 6);
		text = text.slice(0, at) + (next() < 0.7 ? pick(PIECES) : pick(SEEDS)) + text.slice(next() < 0.5 ? at : cut);
	}
	return text;
}

/** Replies from the generator: text, calls with broken arguments, both, nothing, sometimes without an end. */
function fuzzedModel(next: () => number, counted: { replies: number }): ChatModel {
	return {
		id: 'fuzz/model',
		capabilities: { tools: 'yes', responseSchema: 'yes', images: 'no' },
		async *stream(): AsyncGenerator<ModelEvent> {
			counted.replies++;
			if (next() < 0.8) yield { type: 'text-delta', text: mutated(next) };
			for (let index = 0; next() < 0.4; index++) {
				const name = ['stock', 'fails', 'empty', 'Stock', ''][Math.floor(next() * 5)] ?? '';
				yield { type: 'tool-call-delta', index, callId: next() < 0.5 ? 'same' : `c${index}`, name, argumentsDelta: mutated(next) };
			}
			if (next() < 0.9) yield { type: 'finish', reason: next() < 0.1 ? 'length' : 'stop', usage: { inputTokens: 10, outputTokens: null } };
		},
	};
}

const tools = [
	tool('stock', ({ ref }) => ({ text: `36 of ${String(ref)}` }), { inputSchema: { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] } }),
	tool('empty', () => ({ text: '' })),
	tool('fails', () => {
		throw new Error('no');
	}),
];

async function fuzzRun(seed: number, counted: { replies: number }): Promise<AgentOutcome> {
	const next = random(seed);
	const protocol = (['native', 'text', 'json'] as const)[seed % 3] as 'native';
	const atLimit = seed % 2 === 0 ? 'fail' : 'answer';
	const setup = scriptedSetup({ model: fuzzedModel(next, counted), tools, limits: { maxSteps: MAX_STEPS }, setup: { protocol, atLimit } });
	const state = await startRun(setup, { instructions: '', query: 'q', context: '', history: [], today: 'x' });
	const run = runAgent(setup, state, async (calls) => await runToolCalls(tools, calls, { ...setup, timeoutMs: 60_000 }));
	for (;;) {
		const step = await run.next();
		if (step.done) return step.value;
	}
}

it('every run over 20,000 broken replies ends with a reason, within its caps, never with an empty success', async () => {
	const counted = { replies: 0 };
	const ends = new Map<string, number>();
	for (let seed = 1; counted.replies < 20_000; seed++) {
		const outcome = await fuzzRun(seed, counted);
		if (outcome.kind !== 'ended') throw new Error(`seed ${seed}: suspended`);
		const { end, state } = outcome;
		const problem =
			(!ENDS.includes(end.stoppedBy) && `ended by ${end.stoppedBy}`) ||
			(end.error?.code === 'INTERNAL' && `an error of ours: ${end.error.message}`) ||
			(end.answer.trim() === '' && !end.error && 'an empty success') ||
			(state.turns.length > MAX_STEPS + 1 && `${state.turns.length} steps`) ||
			(end.stoppedBy === 'answer' && end.partial && state.warnings.length === 0 && 'a partial answer without a word on why');
		if (problem) throw new Error(`seed ${seed}: ${problem}`);
		ends.set(end.stoppedBy, (ends.get(end.stoppedBy) ?? 0) + 1);
	}
	expect(counted.replies).toBeGreaterThanOrEqual(20_000);
	expect([...ends.keys()].sort()).toEqual(expect.arrayContaining(['answer', 'no-progress', 'step-limit']));
}, 60_000);
