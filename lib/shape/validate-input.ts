/**
 * Shape: everything about JSON Schema and names between a model and a tool.
 *
 * In: a tool's raw schema and the arguments that a model wrote. Out: arguments that fit, or a message that tells the model
 * which path failed. Changes are lossless only. Nothing here fills in defaults (the tool's server has its own), rebuilds a
 * schema, or knows a provider.
 */
import type { JsonSchema } from '../core/model';
import { coerceValue, jsonTypeOf, type JsonType } from './coerce-value';
import { copyJson } from './copy-json';
import { compileSchema, type Fault, type SchemaCheck } from './compile-schema';
import { describeFaults } from './describe-faults';
import { findOptionals } from './find-optionals';
import { groupBy } from './group-by';
import { deleteAt, replaceAt, valueAt } from './json-pointer';

export type InputCheck =
	| { readonly ok: true; readonly value: Record<string, unknown> }
	| { readonly ok: false; readonly message: string };

const MAX_ROUNDS = 8;

/**
 * Checks the arguments of a call against the tool's schema.
 *
 * Neither schema nor input is changed; the value is a copy. Text that is a JSON object is read, nothing (null, undefined)
 * counts as {}. Blank optional values ("", {}, []) are left out unless the schema cannot do without them; null is left out
 * where it is not allowed; values are coerced where nothing is lost. The message is written for the model. Never throws.
 */
export function validateInput(schema: JsonSchema, input: unknown): InputCheck {
	const given = asObject(input);
	if (given === undefined) return { ok: false, message: wrongKind(schema, input) };
	const check = compileSchema(schema);
	const blanks = hasBlank(given) ? findOptionals(schema, given).filter(isNeedlessBlank).map((optional) => optional.path) : [];
	const bare = repair(check, schema, without(given, blanks));
	if (bare.faults.length === 0) return { ok: true, value: bare.value };
	if (blanks.length > 0) {
		const whole = repair(check, schema, copyJson(given));
		if (whole.faults.length === 0) return { ok: true, value: dropWhatIsNotNeeded(check, whole.value, blanks) };
	}
	return { ok: false, message: describeFaults(bare.faults, bare.value) };
}

type Arguments = Record<string, unknown>;

function asObject(input: unknown): Arguments | undefined {
	if (input === null || input === undefined) return {};
	const read = coerceValue(input, ['object'])?.value ?? input;
	return jsonTypeOf(read) === 'object' ? (read as Arguments) : undefined;
}

function wrongKind(schema: JsonSchema, input: unknown): string {
	const keys = Object.keys((schema.properties as object | undefined) ?? {});
	const wanted = keys.length > 0 ? ` with the keys ${keys.join(', ')}` : '';
	const kind = Array.isArray(input) ? 'a list' : `not an object but ${jsonTypeOf(input)}`;
	return `The arguments are ${kind}. Give one JSON object${wanted}; for several calls, call the tool several times.`;
}

function isNeedlessBlank({ value, schemas }: { value: unknown; schemas: readonly JsonSchema[] }): boolean {
	return isBlank(value) && !schemas.some((schema) => Array.isArray(schema.enum) && schema.enum.includes(value));
}

function isBlank(value: unknown): boolean {
	return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/** Most arguments hold nothing blank, and then the schema need not be walked. */
function hasBlank(value: unknown): boolean {
	return isBlank(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasBlank));
}

function without(value: Arguments, paths: readonly string[]): Arguments {
	const copy = copyJson(value);
	for (const path of paths) deleteAt(copy, path);
	return copy;
}

function dropWhatIsNotNeeded(check: SchemaCheck, value: Arguments, blanks: readonly string[]): Arguments {
	return blanks.reduce((kept, path) => {
		const lighter = without(kept, [path]);
		return check(lighter).length === 0 ? lighter : kept;
	}, value);
}

/** Coerces what the validator complains about, until it is content or nothing more can be done. Changes `value`. */
function repair(check: SchemaCheck, schema: JsonSchema, value: Arguments): { value: Arguments; faults: Fault[] } {
	let faults = check(value);
	for (let round = 0; faults.length > 0 && round < MAX_ROUNDS; round++) {
		const optional = new Set(findOptionals(schema, value).map(({ path }) => path));
		const changed = [...groupBy(faults, (fault) => fault.path)]
			.map(([path, group]) => repairAt(value, path, { group, optional: optional.has(path) }))
			.some(Boolean);
		if (!changed) break;
		faults = check(value);
	}
	return { value, faults };
}

function repairAt(root: Arguments, path: string, { group, optional }: { group: Fault[]; optional: boolean }): boolean {
	const value = valueAt(root, path);
	const wanted = wantedTypes(group);
	if (value === undefined || path === '') return false;
	if (value === null) return optional && wanted.length > 0 && deleteAt(root, path);
	const coerced = coerceValue(value, wanted) ?? listedForm(value, group);
	if (coerced === undefined) return false;
	replaceAt(root, path, coerced.value);
	return true;
}

/** Types asked for at one place; none when the value's own type fits a branch and something else is wrong with it. */
function wantedTypes(group: readonly Fault[]): JsonType[] {
	const unions = ['anyOf', 'oneOf', 'type'];
	if (!group.every((fault) => unions.includes(fault.keyword))) return [];
	return group.filter(({ keyword }) => keyword === 'type').flatMap(({ wanted }) => [wanted].flat() as JsonType[]);
}

/** The listed value that reads the same: "2" where 1, 2, 3 are allowed. */
function listedForm(value: unknown, group: readonly Fault[]): { readonly value: unknown } | undefined {
	const listed = group
		.filter(({ keyword }) => keyword === 'enum' || keyword === 'const')
		.flatMap(({ wanted }) => (Array.isArray(wanted) ? (wanted as unknown[]) : [wanted]));
	const same = listed.filter((entry) => entry !== null && typeof entry !== 'object' && String(entry) === String(value));
	return same.length === 1 && same[0] !== value ? { value: same[0] } : undefined;
}
