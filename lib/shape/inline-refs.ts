import type { JsonSchema } from '../core/model';
import { valueAt } from './json-pointer';

/** A schema that grows past this when its references are put in is better shown with them. */
const MOST_NODES = 4000;

export interface Inlined {
	readonly schema: JsonSchema;
	/** What could not be put in, one sentence each. */
	readonly notes: readonly string[];
}

/**
 * Puts local references (`#/$defs/…`) in where they are used, so that nobody has to look them up. Schemas without any come back
 * as they are.
 *
 * A reference inside itself ends there, as an object without detail; one that leads nowhere or to another document becomes
 * "anything". Words beside a reference (a description, a default) win. A schema that would grow too large keeps its references.
 */
export function inlineRefs(schema: JsonSchema): Inlined {
	if (!hasRef(schema)) return { schema, notes: [] };
	const state: State = { root: schema, notes: new Set(), nodes: 0 };
	const whole = resolved(schema, [], state) as Record<string, unknown>;
	if (state.nodes > MOST_NODES) return { schema, notes: ['its references are left in: the schema would grow too large'] };
	const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== '$defs' && key !== 'definitions'));
	return { schema: hasRef(rest) ? whole : rest, notes: [...state.notes] };
}

interface State {
	readonly root: JsonSchema;
	readonly notes: Set<string>;
	nodes: number;
}

function hasRef(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(hasRef);
	if (!isObject(value)) return false;
	return typeof value.$ref === 'string' || Object.values(value).some(hasRef);
}

function resolved(value: unknown, open: readonly string[], state: State): unknown {
	state.nodes += 1;
	if (state.nodes > MOST_NODES) return value;
	if (Array.isArray(value)) return value.map((entry) => resolved(entry, open, state));
	if (!isObject(value)) return value;
	const { $ref, ...beside } = value;
	// A property may be called $ref; then it is a schema, not a text.
	if (typeof $ref !== 'string') return mapped(value, open, state);
	const own = mapped(beside, open, state);
	if (open.includes($ref)) {
		state.notes.add(`${$ref} contains itself; it is shown once`);
		return { type: 'object', ...own };
	}
	const target = $ref.startsWith('#') ? valueAt(state.root, $ref) : undefined;
	if (!isObject(target)) {
		state.notes.add(`${$ref} leads nowhere; anything is taken there`);
		return own;
	}
	return { ...(resolved(target, [...open, $ref], state) as object), ...own };
}

function mapped(value: JsonSchema, open: readonly string[], state: State): JsonSchema {
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => {
		// Examples and defaults are data; definitions are only read through references.
		const isSchema = !['default', 'const', 'enum', 'examples', '$defs', 'definitions'].includes(key);
		return [key, isSchema ? resolved(entry, open, state) : entry];
	}));
}

function isObject(value: unknown): value is JsonSchema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
