/**
 * Equal for two calls of one tool with the same arguments, whatever the order of their keys; a blocked call without
 * arguments equals only another one of the same tool.
 */
export function callKey(name: string, input: Readonly<Record<string, unknown>> | undefined): string {
	return `${name} ${input ? textOf(input) : 'blocked'}`;
}

/** Arguments never change, and every step looks at those of all steps before. */
const texts = new WeakMap<object, string>();

function textOf(input: object): string {
	const text = texts.get(input) ?? JSON.stringify(sorted(input));
	texts.set(input, text);
	return text;
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
