import type { Fault } from './compile-schema';
import { jsonTypeOf } from './coerce-value';
import { groupBy } from './group-by';
import { toPointer, pointerKeys, valueAt } from './json-pointer';

const MAX_LINES = 12;
const MAX_VALUE_CHARS = 80;
/** Faults that only say that something inside does not fit. */
const WRAPPERS = new Set(['anyOf', 'oneOf', 'allOf', 'if', '$ref', 'properties', 'items', 'additionalItems']);

/**
 * Tells a model which arguments do not fit: one line a path with what was expected and what came, at most twelve lines.
 *
 * @param faults at least one
 */
export function describeFaults(faults: readonly Fault[], value: unknown): string {
	const telling = faults.filter((fault) => !WRAPPERS.has(fault.keyword));
	const byPath = groupBy(telling.length > 0 ? telling : faults, placeOf);
	const lines = [...byPath].map(([path, group]) => `- ${path || 'the arguments'}: ${lineOf(group, value)}`);
	const shown = lines.slice(0, MAX_LINES);
	if (lines.length > shown.length) shown.push(`- and ${lines.length - shown.length} more`);
	return `The arguments do not fit the tool's schema:\n${shown.join('\n')}\nCall the tool again with arguments that fit.`;
}

function placeOf(fault: Fault): string {
	return fault.key === undefined ? fault.path : toPointer([...pointerKeys(fault.path), fault.key]);
}

function lineOf(faults: readonly Fault[], value: unknown): string {
	const first = faults[0];
	if (first?.key !== undefined) return first.keyword === 'required' ? 'is missing' : 'is not a key of this tool';
	const expected = [...new Set(faults.map(expectationOf))].join(' or ');
	return `expected ${expected}, got ${shown(valueAt(value, first?.path ?? ''))}`;
}

function expectationOf(fault: Fault): string {
	if (fault.keyword === 'type' && fault.wanted !== undefined) return [fault.wanted].flat().join(' or ');
	if (fault.keyword === 'enum') return `one of ${JSON.stringify(fault.wanted)}`;
	if (fault.keyword === 'const') return JSON.stringify(fault.wanted);
	return `a value that ${fault.message.replace(/^must /, 'is to ')}`;
}

function shown(value: unknown): string {
	if (value === undefined) return 'nothing';
	const text = JSON.stringify(value);
	const cut = text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
	return value === null ? 'null' : `${cut} (${jsonTypeOf(value)})`;
}
