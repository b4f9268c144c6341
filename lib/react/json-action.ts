import { findJson } from '../text/tolerant-json';
import { retry } from './corrections';

/** A call as the text protocol gives it; `argumentsText` is JSON where the model wrote JSON, else plain text. */
export interface TextCall {
	readonly name: string;
	readonly argumentsText: string;
}

/** Names that models write when they want no tool. */
export const NO_ACTION = /^(?:none|n\/?a|null|no action|aucune?(?: action)?|rien|-)(?:\s*\(.*\))?$/iu;

const NAME_KEYS = ['action', 'tool', 'tool_name', 'name', 'function'];
const INPUT_KEYS = ['action_input', 'input', 'arguments', 'args', 'parameters', 'tool_input', 'actionInput', 'toolInput'];
const WRAPPERS = ['tool_call', 'toolCall', 'function_call', 'functionCall', 'call', 'tool_calls', 'function', 'action'];

/**
 * A call written as a JSON object (`{"action": …, "action_input": …}` and its relatives, also wrapped in an outer key), with
 * its place in the text; undefined when the text holds no object that says an action.
 *
 * @throws RetryException  when several actions stand side by side, or an action names no tool
 */
export function callOfJson(text: string): { call: TextCall; start: number; end: number } | undefined {
	for (let from = 0; ; ) {
		const found = findJson(text.slice(from));
		if (!found) return undefined;
		const call = readCall(found.value);
		const end = from + found.end;
		if (call) {
			if (findsCall(text.slice(end))) throw retry('twoActions');
			return { call, start: from + found.start, end };
		}
		from = end;
	}
}

function findsCall(text: string): boolean {
	const found = findJson(text);
	return found !== undefined && readCall(found.value) !== undefined;
}

function readCall(value: unknown): TextCall | undefined {
	const object = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
	if (!isObject(object)) return undefined;
	const nameKey = NAME_KEYS.find((key) => typeof object[key] === 'string');
	const inputKey = INPUT_KEYS.find((key) => key in object);
	if (nameKey && (inputKey || nameKey === 'action' || nameKey === 'tool')) {
		return { name: String(object[nameKey]).trim(), argumentsText: inputKey ? asText(object[inputKey]) : '' };
	}
	const inner = WRAPPERS.map((key) => object[key]).find((candidate) => isObject(candidate) || Array.isArray(candidate));
	return inner === undefined ? undefined : readCall(inner);
}

function asText(input: unknown): string {
	return typeof input === 'string' ? input : JSON.stringify(input);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
