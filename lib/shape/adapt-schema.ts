import type { JsonSchema } from '../core/model';
import { describeLoss } from './describe-loss';
import { inlineRefs } from './inline-refs';

/**
 * What an API does with a tool's schema.
 *
 * - `plain`: takes JSON Schema (Mistral, local models' templates).
 * - `openai`: as plain, but no alternatives at the top, and every list says what it holds.
 * - `ollama`: keeps type, description, enum, anyOf, items and properties and drops the rest in silence.
 */
export type SchemaDialect = 'plain' | 'openai' | 'ollama';

export interface AdaptedSchema {
	readonly schema: JsonSchema;
	/** What differs from the declaration, after references are put in; [] when nothing does. */
	readonly notes: readonly string[];
}

const adapted = new WeakMap<JsonSchema, Map<SchemaDialect, AdaptedSchema>>();

/**
 * A tool's schema as an API can take it; the declared schema itself where it can. What the API would drop or refuse is said in
 * the description of its place instead, so that the model still reads it; the validator always uses the declaration.
 *
 * Never throws and never changes the schema given.
 */
export function adaptSchema(schema: JsonSchema, dialect: SchemaDialect): AdaptedSchema {
	const known = adapted.get(schema)?.get(dialect);
	if (known !== undefined) return known;
	const result = adapt(schema, dialect);
	adapted.set(schema, (adapted.get(schema) ?? new Map<SchemaDialect, AdaptedSchema>()).set(dialect, result));
	return result;
}

function adapt(declared: JsonSchema, dialect: SchemaDialect): AdaptedSchema {
	const { schema: whole, notes } = inlineRefs(declared);
	const found: string[] = [...notes];
	const typed = whole.type === 'object' ? whole : { ...whole, type: 'object' };
	if (dialect === 'plain') return { schema: typed, notes: found };
	const top = dialect === 'openai' ? openAiTop(typed, found) : ollamaTop(typed, found);
	return { schema: top, notes: [...new Set(found)] };
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'];

function openAiTop(schema: JsonSchema, notes: string[]): JsonSchema {
	const filled = withItems(schema, '', notes);
	const lost = ALTERNATIVES.filter((key) => key in filled);
	const bare = Object.fromEntries(Object.entries(filled).filter(([key]) => !lost.includes(key)));
	if (lost.length === 0) return 'properties' in bare ? bare : { ...bare, properties: {} };
	notes.push(`${lost.join(', ')} at the top said in the description`);
	const merged = mergedTop(filled);
	return { ...bare, ...merged, description: describeLoss(schema, lost) };
}

/** What all branches of a top-level allOf, anyOf or oneOf declare, since a model can only fill properties that it sees. */
function mergedTop(schema: JsonSchema): { properties: JsonSchema; required?: unknown } {
	const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [])).filter(isObject);
	const properties = Object.assign({}, ...branches.map((branch) => asObject(branch.properties)), asObject(schema.properties)) as JsonSchema;
	const all = Array.isArray(schema.allOf) ? schema.allOf.filter(isObject) : [];
	const required = [schema, ...all].flatMap((part) => (Array.isArray(part.required) ? (part.required as unknown[]) : []));
	return { properties, ...(required.length > 0 && { required: [...new Set(required)] }) };
}

function withItems(value: JsonSchema, path: string, notes: string[]): JsonSchema {
	const walked = eachSubschema(value, path, (sub, place) => withItems(sub, place, notes));
	const isList = walked.type === 'array' || (Array.isArray(walked.type) && walked.type.includes('array'));
	if (!isList || 'items' in walked) return walked;
	notes.push(`${path}: a list that says nothing of what it holds`);
	return { ...walked, items: {} };
}

const OLLAMA_KEEPS = ['type', 'description', 'enum', 'anyOf', 'items', 'properties', 'required', '$defs'];

function ollamaTop(schema: JsonSchema, notes: string[]): JsonSchema {
	const merged = ALTERNATIVES.some((key) => key in schema) ? { ...schema, ...mergedTop(schema) } : schema;
	const reduced = ollamaPlace(merged, '', notes);
	return { ...reduced, type: 'object', properties: asObject(reduced.properties) };
}

function ollamaPlace(value: JsonSchema, path: string, notes: string[]): JsonSchema {
	const single = withoutNull(value);
	if (single !== value) notes.push(`${path}: null left out`);
	const alternatives = isList(single.oneOf) && !isList(single.anyOf) ? { ...single, anyOf: single.oneOf } : single;
	const walked = eachSubschema(alternatives, path, (sub, place) => ollamaPlace(sub, place, notes));
	const lost = Object.keys(value).filter((key) => !OLLAMA_KEEPS.includes(key) && !SILENT.has(key) && !(key === 'oneOf' && 'anyOf' in walked));
	if (lost.length > 0) notes.push(`${path === '' ? 'the whole' : path}: ${lost.join(', ')} said in the description`);
	const kept = Object.fromEntries(Object.entries(walked).filter(([key]) => OLLAMA_KEEPS.includes(key)));
	const words = lost.length > 0 ? describeLoss(value, lost) : value.description;
	return typeof words === 'string' && words !== '' ? { ...kept, description: words } : withoutKey(kept, 'description');
}

/** Words about the schema itself, of no use to a model. */
const SILENT = new Set(['$schema', '$id', 'id', '$comment', 'title', 'additionalProperties', 'definitions', 'deprecated', 'readOnly']);

/** `string or null` is `string`: what may be null may be left out, and the validator puts either right. */
function withoutNull(value: JsonSchema): JsonSchema {
	if (Array.isArray(value.type)) {
		const types = value.type.filter((type) => type !== 'null') as unknown[];
		return types.length === value.type.length || types.length === 0 ? value : { ...value, type: types.length === 1 ? types[0] : types };
	}
	for (const key of ['anyOf', 'oneOf']) {
		const branches = value[key];
		if (!Array.isArray(branches)) continue;
		const rest = branches.filter((branch) => !(isObject(branch) && branch.type === 'null')) as unknown[];
		const [only] = rest;
		if (rest.length === 1 && isObject(only)) return { ...only, ...withoutKey(value, key) };
		if (rest.length < branches.length && rest.length > 0) return { ...value, [key]: rest };
	}
	return value;
}

function eachSubschema(schema: JsonSchema, path: string, change: (sub: JsonSchema, place: string) => JsonSchema): JsonSchema {
	const changed: Record<string, unknown> = { ...schema };
	if (isObject(schema.properties)) {
		changed.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, sub]) =>
			[name, isObject(sub) ? change(sub, path === '' ? name : `${path}.${name}`) : {}]));
	}
	if (isObject(schema.items)) changed.items = change(schema.items, `${path}[]`);
	for (const key of ['anyOf', 'oneOf', 'allOf']) {
		const branches = schema[key];
		if (Array.isArray(branches)) changed[key] = branches.map((branch) => (isObject(branch) ? change(branch, path) : (branch as unknown)));
	}
	return changed;
}

function withoutKey(schema: JsonSchema, key: string): JsonSchema {
	return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
}

function asObject(value: unknown): JsonSchema {
	return isObject(value) ? value : {};
}

function isList(value: unknown): value is unknown[] {
	return Array.isArray(value);
}

function isObject(value: unknown): value is JsonSchema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
