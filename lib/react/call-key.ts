/**
 * Equal for two calls of one tool with the same arguments, whatever the order of their keys; a blocked call without
 * arguments equals only another one of the same tool.
 */
export function callKey(name: string, input: Readonly<Record<string, unknown>> | undefined): string {
	return `${name} ${input ? inputKey(input) : 'blocked'}`;
}

/** Arguments never change, and every step looks at those of all steps before. */
const texts = new WeakMap<object, string>();

/** Equal for the same arguments, whatever the order of their keys. */
export function inputKey(input: object): string {
	const known = texts.get(input);
	if (known !== undefined) return known;
	const text = JSON.stringify(sorted(input));
	texts.set(input, text);
	return text;
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
