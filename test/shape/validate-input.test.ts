import fc from 'fast-check';
import { validateInput } from '../../lib/shape/validate-input';
import type { JsonSchema } from '../../lib/core/model';

function valueOf(schema: JsonSchema, input: unknown): unknown {
	const check = validateInput(schema, input);
	return check.ok ? check.value : check.message;
}

function objectOf(properties: JsonSchema, required: string[] = []): JsonSchema {
	return { type: 'object', properties, required };
}

describe('validateInput', () => {
	it('S04 accepts plain properties without pattern or additionalProperties', () => {
		expect(valueOf({ type: 'object', properties: { id: { type: 'number' } } }, { id: 4 })).toEqual({ id: 4 });
	});

	it('S06 takes an optional nullable parameter with a value, with null and without it', () => {
		const schema = objectOf({ id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } });
		expect(valueOf(schema, { id: 'a' })).toEqual({ id: 'a' });
		expect(valueOf(schema, { id: null })).toEqual({ id: null });
		expect(valueOf(schema, {})).toEqual({});
	});

	it('S07 takes type null and null in a list of types', () => {
		expect(valueOf(objectOf({ x: { type: 'null' } }), { x: null })).toEqual({ x: null });
		expect(valueOf(objectOf({ x: { type: ['string', 'null'] } }), { x: null })).toEqual({ x: null });
		expect(valueOf(objectOf({ x: { type: 'null' } }), {})).toEqual({});
	});

	it('S09 takes list items that are alternatives', () => {
		const part = (key: string) => ({ type: 'object', properties: { [key]: { type: 'string' } }, required: [key] });
		const schema = objectOf({ list: { type: 'array', items: { anyOf: [part('a'), part('b')] } } });
		expect(valueOf(schema, { list: [{ a: 'x' }, { b: 'y' }] })).toEqual({ list: [{ a: 'x' }, { b: 'y' }] });
		expect(valueOf(schema, { list: [{ c: 'x' }] })).toContain('/list/0/a: is missing');
	});

	it('S11 leaves out blank optional values, not required or listed ones', () => {
		const schema = objectOf(
			{ pays: { type: 'string', default: 'fr' }, q: { type: 'string' }, f: { type: 'object' }, l: { type: 'array' },
				mode: { enum: ['', 'a'] } },
			['q'],
		);
		expect(valueOf(schema, { pays: '', q: '', f: {}, l: [], mode: '' })).toEqual({ q: '', mode: '' });
	});

	it('S11 keeps a blank value that the schema cannot do without', () => {
		const schema = { ...objectOf({ a: { type: 'string' }, b: { type: 'string' } }), minProperties: 1 };
		expect(valueOf(schema, { a: '' })).toEqual({ a: '' });
		expect(valueOf({ ...schema, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { b: '' })).toEqual({ b: '' });
	});

	it('S11 leaves out blanks of nested objects and behind references', () => {
		const schema: JsonSchema = {
			type: 'object',
			properties: { filter: { $ref: '#/$defs/filter' } },
			$defs: { filter: { type: 'object', properties: { site: { type: 'string' }, max: { type: 'integer' } } } },
		};
		expect(valueOf(schema, { filter: { site: '', max: 3 } })).toEqual({ filter: { max: 3 } });
	});

	it('S12 leaves out null where it is not allowed', () => {
		expect(valueOf(objectOf({ curseur: { type: 'string' } }), { curseur: null })).toEqual({});
		expect(valueOf(objectOf({ curseur: { type: 'string' } }, ['curseur']), { curseur: null })).toContain(
			'/curseur: expected string, got null',
		);
	});

	it('S12 reads the word null as null only where null is allowed and text is not', () => {
		expect(valueOf(objectOf({ gen: { type: ['integer', 'null'] } }), { gen: 'null' })).toEqual({ gen: null });
		expect(valueOf(objectOf({ gen: { type: ['string', 'null'] } }), { gen: 'null' })).toEqual({ gen: 'null' });
		const patterned = { anyOf: [{ type: 'string', pattern: '^x' }, { type: 'null' }] };
		expect(valueOf(objectOf({ gen: patterned }), { gen: 'null' })).toContain('/gen');
	});

	it('S13 leaves the schema byte for byte as it is and fills in no default', () => {
		const schema = objectOf({ n: { type: 'integer', minimum: 1, maximum: 9, default: 3 }, m: { enum: ['a', 'b'] } });
		const before = JSON.stringify(schema);
		expect(valueOf(schema, {})).toEqual({});
		expect(valueOf(schema, { n: 12, m: 'c' })).toContain('/n: expected a value that is to be <= 9, got 12 (number)');
		expect(valueOf(schema, { m: 'c' })).toContain('/m: expected one of ["a","b"], got "c" (string)');
		expect(JSON.stringify(schema)).toBe(before);
	});

	it('S17 infers the type object and ignores $schema', () => {
		expect(valueOf({ properties: { a: {} } }, { a: 1 })).toEqual({ a: 1 });
		const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
		expect(valueOf(dialect, { a: 1 })).toEqual({ a: 1 });
		expect(valueOf({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, {})).toEqual({});
	});

	it('S20 coerces a number given as text without loss, or says what is wrong', () => {
		const schema = objectOf({ n: { type: 'integer' } });
		expect(valueOf(schema, { n: '4' })).toEqual({ n: 4 });
		for (const text of ['4.5', '007', '1,5', '9007199254740993', 'quatre']) {
			expect(valueOf(schema, { n: text })).toContain(`/n: expected integer, got "${text}" (string)`);
		}
	});

	it('P14 tells the model that a list is not an object of arguments', () => {
		expect(valueOf(objectOf({ t: { type: 'integer' } }), [{ t: 1 }])).toBe(
			'The arguments are a list. Give one JSON object with the keys t; for several calls, call the tool several times.',
		);
	});

	it('coerces booleans, numbers to text, JSON text to objects and lists, and listed values', () => {
		const schema = objectOf({
			b: { type: 'boolean' }, s: { type: 'string' }, o: { type: 'object' }, l: { type: 'array' }, e: { enum: [1, 2] },
		});
		expect(valueOf(schema, { b: 'true', s: 4.5, o: '{"a":1}', l: '[1]', e: '2' })).toEqual({
			b: true, s: '4.5', o: { a: 1 }, l: [1], e: 2,
		});
	});

	it('names each path that fails, also inside lists and for unknown keys', () => {
		const lines = { type: 'array', items: objectOf({ qty: { type: 'integer' } }, ['qty']) };
		const message = valueOf({ ...objectOf({ lines }), additionalProperties: false }, { lines: [{}, { qty: 'x' }], id: 1 });
		expect(message).toContain('- /lines/0/qty: is missing');
		expect(message).toContain('- /lines/1/qty: expected integer, got "x" (string)');
		expect(message).toContain('- /id: is not a key of this tool');
	});

	it('reads text that is a JSON object and counts nothing as no arguments', () => {
		expect(valueOf(objectOf({ n: { type: 'integer' } }), '{"n":4}')).toEqual({ n: 4 });
		expect(valueOf(objectOf({}), undefined)).toEqual({});
		expect(valueOf(objectOf({}), 'ref=A1')).toContain('not an object but string');
	});

	it('validates with the tolerant validator what ajv cannot compile', () => {
		const schema = objectOf({ n: { type: 'integer' }, bad: { $ref: '#/$defs/nowhere' }, re: { pattern: '(' } }, ['n']);
		expect(valueOf(schema, { n: '4' })).toEqual({ n: 4 });
		const boolBound = objectOf({ n: { type: 'number', minimum: 0, exclusiveMinimum: true } }, ['n']);
		expect(valueOf(boolBound, { n: '4' })).toEqual({ n: 4 });
		expect(valueOf(boolBound, {})).toContain('/n: is missing');
	});

	it('does not touch prototype keys and does not change its input', () => {
		const input = JSON.parse('{"__proto__":{"a":1},"n":"4"}') as unknown;
		const before = JSON.stringify(input);
		expect(validateInput(objectOf({ n: { type: 'integer' } }), input).ok).toBe(true);
		expect(JSON.stringify(input)).toBe(before);
		expect(({} as { a?: number }).a).toBeUndefined();
	});

	it('gives back every valid input of numbers and text unchanged, and integers from their text', () => {
		const schema = objectOf({ n: { type: 'integer' }, s: { type: 'string', minLength: 1 } }, ['n', 's']);
		const words = fc.string({ minLength: 1 });
		fc.assert(fc.property(fc.integer(), words, (n, s) => {
			expect(valueOf(schema, { n, s })).toEqual({ n, s });
			expect(valueOf(schema, { n: String(n), s })).toEqual({ n, s });
		}));
	});
});
