import type { ChatModel, ModelEvent, ModelRequest } from '../../lib/core/model';

/** One turn of a scripted model: text, calls with their arguments as written, both, or an error to throw (after the text). */
export interface ScriptedTurn {
	readonly text?: string;
	readonly reasoning?: string;
	readonly calls?: ReadonlyArray<{ readonly name: string; readonly args: unknown; readonly id?: string }>;
	readonly error?: Error;
}

export interface ScriptedModel extends ChatModel {
	/** What the model was sent, turn by turn, as it was at that moment. */
	readonly requests: ModelRequest[];
}

/**
 * A model that plays turns in order and records its requests; a function gets the request and gives the turn. A turn too many
 * throws, so no test passes by accident.
 */
export function scriptedModel(
	turns: ReadonlyArray<ScriptedTurn | ((request: ModelRequest) => ScriptedTurn)>,
	tools: 'yes' | 'no' = 'yes',
): ScriptedModel {
	const requests: ModelRequest[] = [];
	return {
		id: 'scripted/model',
		capabilities: { tools, responseSchema: 'no', images: 'no' },
		requests,
		async *stream(request, signal): AsyncGenerator<ModelEvent> {
			signal.throwIfAborted();
			const planned = turns[requests.length];
			requests.push(structuredClone(request));
			if (!planned) throw new Error(`The script has no turn ${requests.length}`);
			yield* eventsOf(typeof planned === 'function' ? planned(request) : planned, requests.length);
		},
	};
}

function* eventsOf(turn: ScriptedTurn, number: number): Generator<ModelEvent> {
	if (turn.reasoning) yield { type: 'reasoning-delta', text: turn.reasoning };
	for (const text of turn.text?.match(/[\s\S]{1,7}/g) ?? []) yield { type: 'text-delta', text };
	if (turn.error) throw turn.error;
	for (const [index, call] of (turn.calls ?? []).entries()) {
		const argumentsDelta = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
		yield { type: 'tool-call-delta', index, callId: call.id ?? `m${number}c${index + 1}`, name: call.name, argumentsDelta };
	}
	const reason = turn.calls?.length ? 'tool-calls' : 'stop';
	yield { type: 'finish', reason, usage: { inputTokens: 100, outputTokens: 10 } };
}
