import { isRecord } from './json';

/**
 * True when an API's strict mode takes the schema: every object closed, every property required, at every depth.
 *
 * A schema that is not strict is still sent; the API then only tries to keep to it.
 */
export function isStrictSchema(schema: unknown): boolean {
	if (Array.isArray(schema)) return schema.every(isStrictSchema);
	if (!isRecord(schema)) return true;
	const properties = schema['properties'];
	if (isRecord(properties)) {
		const required: unknown = schema['required'];
		const all = Object.keys(properties).every((name) => Array.isArray(required) && required.includes(name));
		if (!all || schema['additionalProperties'] !== false) return false;
		if (!Object.values(properties).every(isStrictSchema)) return false;
	} else if (schema['type'] === 'object') {
		return false;
	}
	return ['items', 'anyOf', '$defs'].every((key) => isStrictIn(schema[key], key));
}

function isStrictIn(value: unknown, key: string): boolean {
	return key === '$defs' && isRecord(value) ? Object.values(value).every(isStrictSchema) : isStrictSchema(value);
}
