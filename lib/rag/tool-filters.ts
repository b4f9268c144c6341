/**
 * Filters that a model may send with a search: only over fields that the builder allowed, each of one type. What comes is checked
 * here whatever the caller has checked, and only ever narrows a search: it is joined to the builder's own filter by "and".
 */
import { CodedError } from '../core/errors';
import type { Filter, FilterValue } from './filter';

/** A metadata field that a model may filter by. */
export interface AllowedField {
	readonly field: string;
	readonly type: 'text' | 'number' | 'boolean' | 'date';
	/** For the model: what it holds. */
	readonly description?: string;
}

/** One argument of the tool: a field and how its value is compared. */
interface Argument {
	readonly allowed: AllowedField;
	readonly operator: '==' | '>=' | '<=';
	readonly schema: { readonly type: string; readonly description: string };
}

const MOST_FIELDS = 20;
/** Behind every text that begins with a date: a day or month at the end of a range is meant whole. */
const LAST = '\uffff';
const DATE = /^\d{4}(-\d\d(-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?)?)?$/;

function safeName(field: string): string {
	const name = field.normalize('NFD').replace(/\p{M}/gu, '').replace(/[^a-zA-Z0-9_]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 50);
	return name === '' ? 'field' : name;
}

function argumentsOf(allowed: AllowedField): [name: string, argument: Argument][] {
	const name = safeName(allowed.field);
	const about = allowed.description?.trim() ? `. ${allowed.description.trim()}` : '';
	const one = (suffix: string, operator: Argument['operator'], what: string): [string, Argument] => {
		const type = allowed.type === 'number' || allowed.type === 'boolean' ? allowed.type : 'string';
		return [name + suffix, { allowed, operator, schema: { type, description: `Only documents whose "${allowed.field}" is ${what}${about}` } }];
	};
	const range = (what: string): [string, Argument][] => [one('_from', '>=', `${what} this or later`), one('_to', '<=', `${what} this or earlier`)];
	switch (allowed.type) {
		case 'date':
			return range('(as 2026, 2026-03 or 2026-03-31)');
		case 'number':
			return [one('', '==', 'this number'), one('_from', '>=', 'this or more'), one('_to', '<=', 'this or less')];
		case 'boolean':
			return [one('', '==', 'this')];
		default:
			return [one('', '==', 'exactly this text')];
	}
}

function allArguments(fields: readonly AllowedField[]): Map<string, Argument> {
	const named = new Map<string, Argument>();
	for (const [name, argument] of fields.flatMap(argumentsOf)) {
		const before = named.get(name);
		if (before) refuse(`The fields "${before.allowed.field}" and "${argument.allowed.field}" would have the same argument "${name}"`, 'Allow one of them.');
		named.set(name, argument);
	}
	if (fields.length > MOST_FIELDS) refuse(`${fields.length} fields may be filtered by`, `Allow ${MOST_FIELDS} at most: each one costs the model attention.`);
	return named;
}

function refuse(problem: string, remedy: string): never {
	throw new CodedError('BAD_INPUT', problem, { remedy });
}

/**
 * The schema of the tool's argument `filters`; undefined when no field is allowed.
 *
 * @throws CodedError BAD_INPUT for more than 20 fields, and for two whose names are alike
 */
export function toolFilterSchema(fields: readonly AllowedField[]): Record<string, unknown> | undefined {
	if (fields.length === 0) return undefined;
	const properties = Object.fromEntries([...allArguments(fields)].map(([name, { schema }]) => [name, schema]));
	return { type: 'object', description: 'Narrows the search; leave out what the question does not say', properties, additionalProperties: false };
}

function readValue(name: string, given: unknown, { allowed: { type }, operator }: Argument): FilterValue {
	const wrong = (what: string): never => refuse(`The filter "${name}" needs ${what}, not ${(JSON.stringify(given) ?? 'nothing').slice(0, 80)}`, 'Correct the value, or leave the filter out.');
	if (type === 'number') {
		const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
		return typeof number === 'number' && Number.isFinite(number) ? number : wrong('a number');
	}
	if (type === 'boolean') return typeof given === 'boolean' ? given : given === 'true' ? true : given === 'false' ? false : wrong('true or false');
	if (typeof given !== 'string') return wrong('a text');
	if (type === 'text') return given;
	if (!DATE.test(given.trim())) return wrong('a date such as 2026-03-31');
	return operator === '<=' ? given.trim() + LAST : given.trim();
}

/**
 * The filter that a model sent.
 *
 * @param given  the argument `filters`; absent, null or {} for none; values that are null or '' are left out
 * @returns      undefined when nothing is to be filtered
 * @throws       CodedError BAD_INPUT for a field that is not allowed and for a value of another type
 */
export function readToolFilter(fields: readonly AllowedField[], given: unknown): Filter | undefined {
	if (given === undefined || given === null) return undefined;
	if (typeof given !== 'object' || Array.isArray(given)) return refuse('"filters" is not an object', 'Give {} or an object of filters.');
	const named = allArguments(fields);
	const and = Object.entries(given).flatMap(([name, value]): Filter[] => {
		const argument = named.get(name);
		if (!argument) return refuse(`There is no filter "${name}"`, `Filters are: ${[...named.keys()].join(', ') || 'none'}.`);
		if (value === null || value === '') return [];
		return [{ field: argument.allowed.field, operator: argument.operator, value: readValue(name, value, argument) }];
	});
	return and.length > 0 ? { and } : undefined;
}
