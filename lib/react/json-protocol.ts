import type { JsonSchema } from '../core/model';
import type { Tool } from '../core/tool';
import { isCutOff, parseTolerant } from '../text/tolerant-json';
import { retry } from './corrections';
import type { ParsedReply } from './output-parser';

/**
 * The schema that holds a step: one of the tools with its own arguments, or the answer. Built from the tools of this turn;
 * without tools only an answer fits.
 */
export function stepSchema(tools: readonly Tool[]): JsonSchema {
	const thought = { type: 'string' };
	const answer = object({ thought, answer: { type: 'string' } });
	const actions = tools.map(({ name, inputSchema }) => object({ thought, action: { const: name }, action_input: inputSchema }));
	return actions.length === 0 ? answer : { anyOf: [...actions, answer] };
}

function object(properties: Record<string, unknown>): JsonSchema {
	return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * Reads one step. Text around the object is tolerated, since not every server holds to the schema.
 *
 * @throws RetryException  when there is no object, or it is neither an action nor an answer
 */
export function parseStep(text: string): ParsedReply {
	const value = parseTolerant(text);
	if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(text);
	const { thought, action, action_input: input, answer } = value as Record<string, unknown>;
	const said = typeof thought === 'string' ? thought : '';
	if (typeof action === 'string' && action !== '') {
		const argumentsText = typeof input === 'string' ? input : JSON.stringify(input ?? {});
		return { kind: 'calls', thought: said, calls: [{ name: action, argumentsText }], kept: text };
	}
	if (answer === undefined || answer === null || answer === '') {
		throw retry('neitherKey');
	}
	return { kind: 'answer', thought: said, answer: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}

function unreadable(text: string): Error {
	if (text.trim() === '') return retry('jsonEmpty');
	return retry(isCutOff(text) ? 'jsonCut' : 'jsonUnreadable');
}
