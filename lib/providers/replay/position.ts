import { textOf, toolCallsOf, type Message, type ToolResultPart } from '../../core/message';
import { withoutFence } from '../../text/fence';
import { jsonOf } from '../json';
import type { ScriptTurn } from './script';

/** What a call of the script gave in this run. */
export interface Observation {
	readonly text: string;
	/** The JSON value of the text; the text itself when it holds none. */
	readonly value: unknown;
	readonly isError: boolean;
}

/** Where a run stands in its script. */
export interface Position {
	/** Index of the turn to play; it may lie behind the last one. */
	readonly turn: number;
	/** Observations of this run by label; the latest one when a label comes twice. */
	readonly observations: ReadonlyMap<string, Observation>;
	/** The question of this run; '' when there is none. */
	readonly query: string;
}

const OBSERVATION = /^\s*\**Observations?\s*\d*(?:\s*\([^)]*\))?\**\s*:\**\s*/i;
const TEXT_ACTION = /^\s*\**Action\**\s*:/im;

/**
 * Finds the place of a run in its script from the messages alone: one assistant message is one turn.
 *
 * A run begins at the last user message that is a question: not an observation of the text protocol, and not a remark of the
 * loop, which follows a call, a result or another remark.
 *
 * @param turns   as played: for the text protocol one call a turn
 * @param groups  what else references may name; a call of the same label comes first
 */
export function positionOf(messages: readonly Message[], turns: readonly ScriptTurn[], groups: Readonly<Record<string, string>> = {}): Position {
	const start = messages.findLastIndex((_, at) => isQuestion(messages, at));
	const run = messages.slice(start + 1);
	const observations = new Map(Object.entries(groups).flatMap(([name, text]) => (text === undefined ? [] : [[name, { text, value: text, isError: false }] as [string, Observation]])));
	let turn = 0;
	run.forEach((message, at) => {
		if (message.role !== 'assistant') return;
		const results = resultsOf(message, run.slice(at + 1));
		turns[turn]?.calls.forEach((call, order) => {
			const result = results[order];
			if (result) observations.set(call.label, result);
		});
		turn += 1;
	});
	return { turn, observations, query: start < 0 ? '' : textOf(messages[start]!) };
}

/** Turns with one call each, as the text protocol makes them; the thought stays with the first. */
export function oneCallATurn(turns: readonly ScriptTurn[]): ScriptTurn[] {
	return turns.flatMap((turn) =>
		turn.calls.length < 2 ? [turn] : turn.calls.map((call, i) => ({ thought: i === 0 ? turn.thought : '', calls: [call] })),
	);
}

function isQuestion(messages: readonly Message[], at: number): boolean {
	const message = messages[at];
	const previous = messages[at - 1];
	if (message?.role !== 'user' || OBSERVATION.test(textOf(message))) return false;
	if (previous?.role === 'user') return isQuestion(messages, at - 1);
	if (previous?.role === 'assistant') return toolCallsOf(previous).length === 0 && !TEXT_ACTION.test(textOf(previous));
	return previous?.role !== 'tool';
}

/** Results of an assistant turn in the order of its calls; in the text protocol the one observation after it. */
function resultsOf(turn: Message, after: readonly Message[]): (Observation | undefined)[] {
	const calls = toolCallsOf(turn);
	if (calls.length > 0) {
		const parts = after.flatMap((message) => message.parts.filter((part): part is ToolResultPart => part.type === 'tool-result'));
		return calls.map((call) => {
			const part = parts.find((candidate) => candidate.callId === call.callId);
			return part && observation(part.text, part.isError);
		});
	}
	const next = after[0];
	return next && OBSERVATION.test(textOf(next)) ? [observation(withoutFence(textOf(next).replace(OBSERVATION, '')), false)] : [];
}

function observation(text: string, isError: boolean): Observation {
	return { text, isError, value: jsonOf(text) ?? embeddedJson(text) ?? text };
}

/** The JSON between the first bracket and the last one that closes it, for results that stand inside a fence or a sentence. */
function embeddedJson(text: string): unknown {
	const start = text.search(/[[{]/);
	if (start < 0) return undefined;
	const close = text[start] === '{' ? '}' : ']';
	const value = jsonOf(text.slice(start, text.lastIndexOf(close) + 1));
	// `[1]` before a passage is its number, not a result.
	if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'number') return undefined;
	return typeof value === 'object' && value !== null ? value : undefined;
}
