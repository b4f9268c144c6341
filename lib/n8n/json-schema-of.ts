import type { JsonSchema } from '../core/model';
import { aiNodeSdk, zod4ToJsonSchema } from './host-packages';

/**
 * The JSON Schema of a tool made by somebody else: JSON Schema is passed through untouched, zod 3 and zod 4 are converted.
 *
 * No schema gives an object without properties.
 */
export function jsonSchemaOf(schema: unknown): JsonSchema {
	if (typeof schema !== 'object' || schema === null) return { type: 'object', properties: {} };
	if ('_zod' in schema) return zod4ToJsonSchema(schema);
	if (!('_def' in schema)) return schema as JsonSchema;
	const tool = { type: 'function', name: 'tool', inputSchema: schema } as never;
	return aiNodeSdk().getParametersJsonSchema(tool) as JsonSchema;
}
