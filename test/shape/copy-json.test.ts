import fc from 'fast-check';

import { compileSchema } from '../../lib/shape/compile-schema';
import { copyJson } from '../../lib/shape/copy-json';

describe('copyJson', () => {
	it('gives an equal value that shares nothing', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(copyJson(value)).toEqual(value);
			}),
		);
		const value = { list: [{ a: 1 }], nothing: null };
		const copy = copyJson(value);
		copy.list[0]!.a = 2;
		expect(value.list[0]!.a).toBe(1);
	});

	it('keeps a key named __proto__ as a key', () => {
		const copy = copyJson(JSON.parse('{"__proto__": {"a": 1}}') as object);
		expect([Object.keys(copy), ({} as { a?: number }).a]).toEqual([['__proto__'], undefined]);
	});
});

describe('compileSchema', () => {
	it('compiles schemas of the same text once, and one that contains itself too', () => {
		const make = () => ({ type: 'object', properties: { n: { type: 'integer' } }, title: 'compiled once' });
		expect(compileSchema(make())).toBe(compileSchema(make()));
		const round: Record<string, unknown> = { type: 'object' };
		round.self = round;
		expect(() => compileSchema(round)({})).not.toThrow();
	});
});
