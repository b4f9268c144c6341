import type { JsonSchema } from '../core/model';
import { toPointer, valueAt } from './json-pointer';

const MAX_DEPTH = 12;

/**
 * Pointers of the declared, not required properties that stand in a value, deepest last.
 *
 * Follows local `$ref`, `allOf`, `anyOf`, `oneOf`, `items` and `properties`; a property that any of them requires is not
 * optional. What the schema does not declare is not listed.
 */
export function findOptionals(schema: JsonSchema, value: unknown): OptionalProperty[] {
	const found: OptionalProperty[] = [];
	walk({ root: schema, found }, [schema], value, []);
	return found;
}

export interface OptionalProperty {
	readonly path: string;
	readonly value: unknown;
	/** The subschemas that declare it. */
	readonly schemas: readonly JsonSchema[];
}

interface Walk {
	readonly root: JsonSchema;
	readonly found: OptionalProperty[];
}

function walk(state: Walk, schemas: readonly JsonSchema[], value: unknown, keys: readonly string[]): void {
	if (keys.length > MAX_DEPTH || typeof value !== 'object' || value === null) return;
	const all = schemas.flatMap((schema) => branches(state.root, schema, 0));
	if (Array.isArray(value)) {
		const items = all.map((schema) => schema.items).filter(isSchema);
		if (items.length > 0) value.forEach((entry, index) => walk(state, items, entry, [...keys, String(index)]));
		return;
	}
	for (const [key, entry] of Object.entries(value)) {
		const declared = all.map((schema) => propertyOf(schema, key)).filter(isSchema);
		if (declared.length === 0) continue;
		const own = [...keys, key];
		if (!all.some((schema) => Array.isArray(schema.required) && schema.required.includes(key))) {
			const declarations = declared.flatMap((schema) => branches(state.root, schema, 0));
			state.found.push({ path: toPointer(own), value: entry, schemas: declarations });
		}
		walk(state, declared, entry, own);
	}
}

function propertyOf(schema: JsonSchema, key: string): unknown {
	const properties = schema.properties;
	return isSchema(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** A schema and all that it is made of at the same place. */
function branches(root: JsonSchema, schema: JsonSchema, depth: number): JsonSchema[] {
	if (depth > MAX_DEPTH) return [];
	const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => (Array.isArray(schema[word]) ? schema[word] : []));
	if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#')) parts.push(valueAt(root, schema.$ref));
	return [schema, ...parts.filter(isSchema).flatMap((part) => branches(root, part, depth + 1))];
}

function isSchema(value: unknown): value is JsonSchema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
