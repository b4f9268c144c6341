/** Types that a value may take instead of its own, when nothing is lost by the change. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

/** The JSON type of a value; whole numbers are `number`; undefined counts as null. */
export function jsonTypeOf(value: unknown): JsonType {
	if (value === null || value === undefined) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') {
		return typeof value as JsonType;
	}
	return 'object';
}

/**
 * Changes a value into one of the wanted types when that is lossless, else undefined.
 *
 * "4" becomes 4, "true" becomes true, "null" becomes null, 4 becomes "4", and text that is a whole JSON object or list
 * becomes that. A number written with more digits than a double holds, "007" and "1,5" stay what they are.
 *
 * @param wanted tried in their order
 */
export function coerceValue(value: unknown, wanted: readonly JsonType[]): { readonly value: unknown } | undefined {
	for (const type of wanted) {
		const coerced = coerceTo(value, type);
		if (coerced !== undefined) return { value: coerced };
	}
	return undefined;
}

function coerceTo(value: unknown, type: JsonType): unknown {
	if (typeof value === 'number') return type === 'string' ? textOfNumber(value) : undefined;
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	switch (type) {
		case 'number':
			return numberOf(text);
		case 'integer':
			return Number.isSafeInteger(numberOf(text)) ? numberOf(text) : undefined;
		case 'boolean':
			return text === 'true' ? true : text === 'false' ? false : undefined;
		case 'null':
			return text === 'null' ? null : undefined;
		case 'object':
		case 'array':
			return parsedAs(text, type);
		case 'string':
			return undefined;
	}
}

function textOfNumber(value: number): string | undefined {
	// Past 2^53 the digits that the model wrote are already gone.
	return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined;
}

function numberOf(text: string): number | undefined {
	const match = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/.exec(text);
	if (match === null) return undefined;
	const digits = `${match[1]}${match[2] ?? ''}`.replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
	const number = Number(text);
	return digits.length <= 15 && Number.isFinite(number) ? number : undefined;
}

function parsedAs(text: string, type: 'object' | 'array'): unknown {
	if (!text.startsWith(type === 'object' ? '{' : '[')) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		// Not JSON: the text stays text and the model is told so.
		return undefined;
	}
}
