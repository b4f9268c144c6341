import type { JsonSchema } from '../core/model';

const LONGEST = 400;

const WORDS: { readonly [key: string]: (value: unknown) => string } = {
	default: (value) => `default ${JSON.stringify(value)}`,
	const: (value) => `always ${JSON.stringify(value)}`,
	enum: (value) => `one of ${JSON.stringify(value)}`,
	minimum: (value) => `at least ${String(value)}`,
	maximum: (value) => `at most ${String(value)}`,
	exclusiveMinimum: (value) => `more than ${String(value)}`,
	exclusiveMaximum: (value) => `less than ${String(value)}`,
	multipleOf: (value) => `a multiple of ${String(value)}`,
	minLength: (value) => `at least ${String(value)} characters`,
	maxLength: (value) => `at most ${String(value)} characters`,
	minItems: (value) => `at least ${String(value)} entries`,
	maxItems: (value) => `at most ${String(value)} entries`,
	uniqueItems: (value) => (value === true ? 'no entry twice' : ''),
	pattern: (value) => `matching ${String(value)}`,
	format: (value) => `format ${String(value)}`,
	examples: (value) => `for example ${JSON.stringify(value)}`,
};

/** The description of a place, with what stands behind `lost` keywords said in words behind it; '' when there is nothing to say. */
export function describeLoss(schema: JsonSchema, lost: readonly string[]): string {
	const said = lost.map((key) => (WORDS[key] ?? ((value: unknown) => `${key}: ${JSON.stringify(value)}`))(schema[key]).slice(0, LONGEST)).filter(Boolean);
	const own = typeof schema.description === 'string' ? schema.description : '';
	if (said.length === 0) return own;
	return `${own}${own === '' ? '' : ' '}(${said.join('; ')})`;
}
