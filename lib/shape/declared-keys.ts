import type { JsonSchema } from '../core/model';
import { valueAt } from './json-pointer';

const MAX_DEPTH = 8;

/**
 * The keys that a tool's schema declares for its arguments, also through `$ref`, `allOf`, `anyOf` and `oneOf`; undefined when it
 * takes any key at all and names none.
 */
export function declaredKeys(schema: JsonSchema): string[] | undefined {
	const found = new Set<string>();
	collect(schema, schema, found, 0);
	const isOpen = found.size === 0 && isObject(schema.additionalProperties ?? schema.patternProperties);
	return isOpen ? undefined : [...found];
}

function collect(root: JsonSchema, schema: JsonSchema, found: Set<string>, depth: number): void {
	if (depth > MAX_DEPTH) return;
	if (isObject(schema.properties)) for (const key of Object.keys(schema.properties)) found.add(key);
	const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => (Array.isArray(schema[word]) ? (schema[word] as unknown[]) : []));
	if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#')) parts.push(valueAt(root, schema.$ref));
	for (const part of parts) if (isObject(part)) collect(root, part, found, depth + 1);
}

function isObject(value: unknown): value is JsonSchema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
