import fc from 'fast-check';
import type { Meta } from '../../lib/core/document';
import { type Filter, readFilter } from '../../lib/rag/filter';
import { add, storeBench } from './make-store';
import { fits } from './naive-filter';

const field = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('', 'x', 'xy', 'é', "o'hara", '5', 'true');
const value = fc.oneof(text, fc.constantFrom(0, 1, 5, -2.5), fc.boolean());
const meta: fc.Arbitrary<Meta> = fc.dictionary(field, fc.oneof(value, fc.constant(null), fc.array(text, { maxLength: 3 })));
const condition: fc.Arbitrary<Filter> = fc.oneof(
	fc.record({ field, operator: fc.constantFrom('==', '!=', '<', '<=', '>', '>='), value }) as fc.Arbitrary<Filter>,
	fc.record({ field, operator: fc.constantFrom('in', 'nin', 'any', 'all'), value: fc.array(value, { maxLength: 3 }) }) as fc.Arbitrary<Filter>,
	fc.record({ field, operator: fc.constantFrom('contains', 'text_match'), value: text }) as fc.Arbitrary<Filter>,
	fc.record({ field, operator: fc.constantFrom('exists', 'is_empty') }) as fc.Arbitrary<Filter>,
);
const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
	filter: fc.oneof(
		{ maxDepth: 3, depthSize: 'small' },
		condition,
		fc.array(tie('filter'), { maxLength: 3 }).map((and) => ({ and })),
		fc.array(tie('filter'), { maxLength: 3 }).map((or) => ({ or })),
		tie('filter').map((not) => ({ not })),
	),
})).filter;

describe('filters', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	it('choose the documents that a naive reading chooses', async () => {
		const store = bench.store('filters');
		const metas = fc.sample(meta, { numRuns: 300, seed: 5 });
		await add(store, metas.map((one, n) => ({ id: `d${String(n).padStart(3, '0')}`, text: `texte ${n}`, meta: one })));
		await fc.assert(
			fc.asyncProperty(filter, async (one) => {
				const chosen = (await store.documents({ filter: readFilter(JSON.stringify(one))! })).map(({ id }) => Number(id.slice(1)));
				expect(chosen).toEqual([...metas.keys()].filter((n) => fits(metas[n]!, one)));
			}),
			{ numRuns: 300, seed: 6 },
		);
	});

	it.each([
		[{ filters: [{ key: 'a', operator: '==', value: 1 }], condition: 'or' }, { or: [{ field: 'a', operator: '==', value: 1 }] }],
		[{ filters: [{ key: 'a', operator: '=', value: 1 }] }, { and: [{ field: 'a', operator: '==', value: 1 }] }],
		['{"not": {"field": "a", "operator": "exists"}}', { not: { field: 'a', operator: 'exists' } }],
		[null, undefined],
		['', undefined],
		['{}', undefined],
		[{}, undefined],
	])('reads %j', (given, expected) => {
		expect(readFilter(given)).toEqual(expected);
	});

	it.each([
		['{"a": ', 'is no JSON'],
		[[], 'is no condition'],
		[{ field: 'a', operator: '~', value: 1 }, 'is no operator'],
		[{ field: 'a', operator: '==', value: null }, '"a" == needs a text'],
		[{ field: 'a', operator: 'in', value: 'x' }, '"a" in needs a list'],
		[{ operator: '==', value: 1 }, 'names no field'],
		[{ and: 'x' }, 'is no list of conditions'],
		[Array.from({ length: 12 }).reduce((inner) => ({ not: inner }), { field: 'a', operator: 'exists' }), 'nested more than 10 deep'],
		[{ or: Array.from({ length: 201 }, () => ({ field: 'a', operator: 'exists' })) }, 'more than 200 conditions'],
	])('refuses %j', (given, problem) => {
		expect(() => readFilter(given)).toThrow(problem);
	});
});
