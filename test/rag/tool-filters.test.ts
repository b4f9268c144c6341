import fc from 'fast-check';
import { type AllowedField, readToolFilter, toolFilterSchema } from '../../lib/rag/tool-filters';
import { validateInput } from '../../lib/shape/validate-input';
import { fits } from './naive-filter';

const fields: AllowedField[] = [
	{ field: 'site', type: 'text', description: 'Lyon or Brest' },
	{ field: 'coût (€)', type: 'number' },
	{ field: 'date', type: 'date' },
	{ field: 'open', type: 'boolean' },
];

describe('filters that a model may send', () => {
	it('are the allowed fields, each with its type', () => {
		const schema = toolFilterSchema(fields)!;
		expect(Object.keys(schema.properties as object)).toEqual(['site', 'cout', 'cout_from', 'cout_to', 'date_from', 'date_to', 'open']);
		expect(schema).toMatchObject({ additionalProperties: false, properties: { site: { type: 'string', description: expect.stringContaining('Lyon or Brest') } } });
		expect(toolFilterSchema([])).toBeUndefined();
		expect(validateInput(schema, { site: 'Lyon', secret: 'x' }).ok).toBe(false);
	});

	it('become comparisons with the field as it is stored; a day or month at the end of a range is meant whole', () => {
		const filter = readToolFilter(fields, { site: 'Lyon', cout_from: '12.5', date_from: '2026', date_to: '2026-03', open: 'false' })!;
		const document = { site: 'Lyon', 'coût (€)': 13, date: '2026-03-31T23:00:00Z', open: false };
		expect(fits(document, filter)).toBe(true);
		expect(fits({ ...document, date: '2026-04-01' }, filter)).toBe(false);
		expect(fits({ ...document, 'coût (€)': 12 }, filter)).toBe(false);
	});

	it('are none when they are absent, empty or null', () => {
		for (const given of [undefined, null, {}, { site: null, date_to: '' }]) expect(readToolFilter(fields, given)).toBeUndefined();
	});

	it.each([
		[{ secret: 'x' }, 'There is no filter "secret"'],
		[{ acl: ['*'] }, 'There is no filter "acl"'],
		[{ or: [{ field: 'secret', operator: '==', value: 1 }] }, 'There is no filter "or"'],
		[{ site: { '!=': 'Lyon' } }, 'The filter "site" needs a text'],
		[{ cout: 'much' }, 'The filter "cout" needs a number'],
		[{ open: 1 }, 'The filter "open" needs true or false'],
		[{ date_from: 'last week' }, 'The filter "date_from" needs a date such as 2026-03-31, not "last week"'],
		[['site'], '"filters" is not an object'],
	])('are refused as %j', (given, message) => {
		expect(() => readToolFilter(fields, given)).toThrow(expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining(message) }));
	});

	it('never name a field that was not allowed, whatever comes', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.oneof(fc.constantFrom('site', 'cout', 'date_from', 'open', '__proto__', 'constructor'), fc.string()), fc.jsonValue()), (given) => {
				let named: string[] = [];
				try {
					named = JSON.stringify(readToolFilter(fields, given) ?? {}).match(/"field":"((?:[^"\\]|\\.)*)"/g) ?? [];
				} catch (error) {
					expect(error).toMatchObject({ code: 'BAD_INPUT' });
				}
				for (const one of named) expect(fields.map(({ field }) => `"field":"${field}"`)).toContain(one);
			}),
			{ numRuns: 500 },
		);
	});

	it('are refused to the builder when two fields would look alike, or when there are too many', () => {
		expect(() => toolFilterSchema([{ field: 'coût', type: 'text' }, { field: 'cout', type: 'text' }])).toThrow('would have the same argument "cout"');
		expect(() => toolFilterSchema(Array.from({ length: 21 }, (_, n) => ({ field: `f${n}`, type: 'text' as const })))).toThrow('21 fields may be filtered by');
	});
});
