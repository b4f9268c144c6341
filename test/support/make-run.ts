import type { RunReport, Step, StepCall } from '../../lib/core/run';

/** A finished run with one call a step; `over` replaces single fields. */
export function makeRun(calls: readonly StepCall[], over: Partial<RunReport> = {}): RunReport {
	return {
		usage: { model: 'mistral/mistral-small', in: 1200, out: 90, cost: null },
		stoppedBy: 'answer',
		partial: false,
		answer: 'Machine A cost most.',
		steps: calls.map(
			(call, index): Step => ({ number: index + 1, parent: index || null, thought: '', calls: [call], usage: { in: 600, out: 45 }, durationMs: 40 }),
		),
		startedAt: '2026-01-05T06:00:00.000Z',
		durationMs: 2345,
		firstTokenMs: 80,
		protocol: 'native',
		prompt: { name: 'native', version: 1, hash: 'x', system: 'You are an agent.', question: 'Which?' },
		tools: ['aggregate_records'],
		sources: [],
		warnings: [],
		...over,
	};
}

/** A call that succeeded, with what its tool gave. */
export function makeCall(name: string, input: unknown, data: unknown, over: Partial<StepCall['result']> = {}): StepCall {
	return { callId: `${name}-1`, name, input, result: { callId: `${name}-1`, name, text: 'ok', isError: false, data, durationMs: 12, ...over } };
}
