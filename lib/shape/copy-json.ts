/** A deep copy of plain JSON: lists and objects are new, all else is the same. Several times faster than `structuredClone`. */
export function copyJson<T>(value: T): T {
	if (Array.isArray(value)) return value.map(copyJson) as T;
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyJson(inner as unknown)])) as T;
}
