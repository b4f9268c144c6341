/** Digits that a double carries safely through a computation. */
const SAFE_DIGITS = 12;
/** Nesting that is followed; what lies deeper is left out. */
const DEEPEST = 20;

/**
 * Any value of a library as plain JSON: numbers of 12 significant digits (0.1 + 0.2 reads 0.3), NaN and infinities as null,
 * undefined as null, big integers as text, dates as ISO text, maps as objects, sets as lists; objects with their own text, such as
 * decimals, as that text. Values of an object that are undefined stay away.
 */
export function normaliseValue(value: unknown, depth = 0): unknown {
	switch (typeof value) {
		case 'number':
			return Number.isFinite(value) ? Number(value.toPrecision(SAFE_DIGITS)) : null;
		case 'bigint':
			return value.toString();
		case 'string':
		case 'boolean':
			return value;
		case 'object':
			return value === null || depth > DEEPEST ? null : normaliseObject(value, depth + 1);
		default:
			return null;
	}
}

function normaliseObject(value: object, depth: number): unknown {
	if (Array.isArray(value)) return value.map((entry) => normaliseValue(entry, depth));
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
	if (value instanceof Set) return [...value].map((entry) => normaliseValue(entry, depth));
	if (value instanceof Map) return normaliseFields([...value].map(([key, entry]) => [String(key), entry]), depth);
	if (ArrayBuffer.isView(value) && Symbol.iterator in value) return Array.from(value as Float64Array, (entry) => normaliseValue(entry, depth));
	const { prototype } = Object;
	const parent: unknown = Object.getPrototypeOf(value);
	const isPlain = parent === null || parent === prototype || Object.getPrototypeOf(parent) === null;
	if (!isPlain && value.toString !== prototype.toString) return value.toString();
	return normaliseFields(Object.entries(value), depth);
}

function normaliseFields(entries: readonly (readonly [string, unknown])[], depth: number): Record<string, unknown> {
	return Object.fromEntries(entries.flatMap(([key, entry]) => (entry === undefined ? [] : [[key, normaliseValue(entry, depth)]])));
}

