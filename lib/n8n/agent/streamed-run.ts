import type { IExecuteFunctions } from 'n8n-workflow';

import { RunStream, type StreamPiece } from '../../react/run-stream';
import type { AgentOutcome, runAgent } from '../../react/run-agent';
import type { AgentParameters } from './parameters';

/**
 * Drains a run and, when n8n streams the response, passes its text on meanwhile: one begin and one end around what this call
 * of the node has to say, nothing for a call that only asks for tools.
 */
export async function streamedRun(
	ctx: IExecuteFunctions,
	{ itemIndex, streams, choice, granularity }: { itemIndex: number; streams: boolean } & AgentParameters['stream'],
	run: ReturnType<typeof runAgent>,
): Promise<AgentOutcome> {
	const stream = new RunStream(choice, granularity);
	let hasBegun = false;
	const send = async (pieces: readonly StreamPiece[]): Promise<void> => {
		for (const { text } of streams ? pieces : []) {
			if (!hasBegun) await ctx.sendChunk('begin', itemIndex);
			hasBegun = true;
			await ctx.sendChunk('item', itemIndex, text);
		}
	};
	for (;;) {
		const next = await run.next();
		if (!next.done) {
			await send(stream.take(next.value));
			continue;
		}
		const outcome = next.value;
		await send(outcome.kind === 'ended' ? stream.rest(outcome.end.answer) : [...callPieces(stream, outcome), ...stream.rest('')]);
		if (hasBegun) await ctx.sendChunk('end', itemIndex);
		return outcome;
	}
}

/** n8n's engine runs the calls, so the loop has no event for them. */
function callPieces(stream: RunStream, { state, calls }: Extract<AgentOutcome, { kind: 'suspended' }>): StreamPiece[] {
	const step = state.turns.length;
	return calls.flatMap(({ callId, name, input }) => stream.take({ type: 'tool-call', step, callId, name, input }));
}
