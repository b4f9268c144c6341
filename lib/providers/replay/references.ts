import { CodedError, raise } from '../../core/errors';
import { isRecord } from '../json';
import { applyFilter, asText } from './filters';
import type { Position } from './position';

const REFERENCE = /\{\{\s*([^{}]+?)\s*\}\}/g;
const SHOWN_CHARACTERS = 300;
const OR = 'or:';

/**
 * Puts the values of references into a JSON value; texts without `{{` stay as they are.
 *
 * `{{label.path[0].field | filter:option}}`: label of a call of this run (or `query`), a path into its result, then filters.
 * Negative indexes count from the end; `.length` counts a list. `or:words` among the filters stands for a value that is not there,
 * for example because a person refused the call. A text that is one reference and nothing else becomes the
 * value itself, with its type; inside other text it is written as text.
 *
 * @throws CodedError BAD_INPUT that names the reference and shows what the observation held
 */
export function fillReferences(value: unknown, position: Position): unknown {
	if (typeof value === 'string') return fillText(value, position);
	if (Array.isArray(value)) return value.map((entry) => fillReferences(entry, position));
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillReferences(entry, position)]));
}

/** The same for a text that stays a text. */
export function fillAsText(text: string, position: Position): string {
	return text.replace(REFERENCE, (_, expression: string) => asText(valueOf(expression, position)));
}

function fillText(text: string, position: Position): unknown {
	const whole = /^\s*\{\{\s*([^{}]+?)\s*\}\}\s*$/.exec(text)?.[1];
	return whole === undefined ? fillAsText(text, position) : valueOf(whole, position);
}

function valueOf(expression: string, position: Position): unknown {
	const [path = '', ...all] = expression.split('|').map((part) => part.trim());
	const instead = all.find((filter) => filter.startsWith(OR))?.slice(OR.length).trim();
	const filters = all.filter((filter) => !filter.startsWith(OR));
	try {
		return filters.reduce((value, filter) => {
			const filtered = applyFilter(filter, value);
			if (filtered === undefined) throw unusable(expression, `the filter "${filter}" does not fit ${asText(value).slice(0, 80)}`);
			return filtered;
		}, lookUp(path, expression, position));
	} catch (error) {
		return instead ?? raise(error);
	}
}

function lookUp(path: string, expression: string, position: Position): unknown {
	const label = /^[\w-]+/.exec(path)?.[0] ?? '';
	if (label === 'query' && path === 'query') return position.query;
	const observation = position.observations.get(label);
	if (!observation) {
		const known = [...position.observations.keys()].join(', ') || 'none yet';
		throw unusable(expression, `no call named "${label}" has a result in this run (results: ${known}); the script is made for an agent whose tools give it`);
	}
	if (observation.isError) throw unusable(expression, `the call "${label}" failed: ${observation.text.slice(0, SHOWN_CHARACTERS)}`);
	const steps = stepsOf(path.slice(label.length), expression);
	const value = steps.reduce<unknown>(stepInto, observation.value);
	if (value !== undefined && value !== null) return value;
	const cut = /\bread_result\b/.test(observation.text) ? ' (it was cut, so it is no JSON any more: let the call give less)' : '';
	throw unusable(expression, `the result of "${label}"${cut} held ${observation.text.slice(0, SHOWN_CHARACTERS) || '(nothing)'}`);
}

/** `.name`, `[0]`, `[-1]` and `["any name"]`, in order. */
function stepsOf(path: string, expression: string): (string | number)[] {
	const steps: (string | number)[] = [];
	const step = /\.([\p{L}\p{N}_$-]+)|\[(-?\d+)\]|\[(["'])(.*?)\3\]/uy;
	while (step.lastIndex < path.length) {
		const at = step.lastIndex;
		const found = step.exec(path);
		if (!found) throw unusable(expression, `"${path.slice(at)}" is no path`);
		steps.push(found[2] === undefined ? (found[1] ?? found[4] ?? '') : Number(found[2]));
	}
	return steps;
}

function stepInto(value: unknown, step: string | number): unknown {
	if (Array.isArray(value)) {
		if (step === 'length') return value.length;
		return typeof step === 'number' ? value.at(step) : undefined;
	}
	return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function unusable(expression: string, why: string): CodedError {
	return new CodedError('BAD_INPUT', `The replay script refers to {{${expression}}}, but ${why}`, {
		remedy: 'Correct the reference in the script of the model node, or the call that it refers to.',
	});
}
