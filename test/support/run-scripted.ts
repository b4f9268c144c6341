import type { CodedError } from '../../lib/core/errors';
import type { ChatModel } from '../../lib/core/model';
import type { RunEvent, RunReport } from '../../lib/core/run';
import type { Tool } from '../../lib/core/tool';
import { DEFAULT_LIMITS, type AgentInput, type AgentSetup, type Limits } from '../../lib/react/agent-setup';
import { runReport } from '../../lib/react/report';
import { memoryResultStore } from '../../lib/react/result-store';
import { runAgent, type AgentEnd } from '../../lib/react/run-agent';
import { runToolCalls } from '../../lib/react/run-tool-calls';
import { startRun } from '../../lib/react/start-run';
import { fakePorts } from './fake-ports';

export interface Scripted {
	readonly events: readonly RunEvent[];
	readonly end: AgentEnd;
	readonly error: CodedError | undefined;
	readonly run: RunReport;
}

export interface ScriptedCase {
	readonly model: ChatModel;
	readonly tools?: readonly Tool[];
	readonly limits?: Partial<Limits>;
	readonly setup?: Partial<AgentSetup>;
	readonly input?: Partial<AgentInput>;
}

/** A setup with a fake clock, results in memory, and the defaults of the node. */
export function scriptedSetup({ model, tools = [], limits, setup }: ScriptedCase): AgentSetup {
	return {
		model,
		tools,
		protocol: 'auto',
		language: 'en',
		limits: { ...DEFAULT_LIMITS, ...limits },
		atLimit: 'fail',
		temperature: 0,
		prices: [],
		results: memoryResultStore(),
		ports: fakePorts(),
		signal: new AbortController().signal,
		...setup,
	};
}

/** Runs to the end in direct mode. */
export async function runScripted(given: ScriptedCase): Promise<Scripted> {
	const setup = scriptedSetup(given);
	const input = { instructions: 'Be good.', query: 'go', context: '', history: [], today: '2026-01-01 (UTC)', ...given.input };
	const state = await startRun(setup, input);
	const run = runAgent(setup, state, async (calls) => await runToolCalls(setup.tools, calls, { ...setup, timeoutMs: 60_000 }));
	const events: RunEvent[] = [];
	for (;;) {
		const next = await run.next();
		if (!next.done) {
			events.push(next.value);
			continue;
		}
		if (next.value.kind !== 'ended') throw new Error('the run was suspended');
		const { end, state: last } = next.value;
		return { events, end, error: end.error, run: await runReport(setup, last, { end, detail: 'full' }) };
	}
}
