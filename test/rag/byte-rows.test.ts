import fc from 'fast-check';
import { createByteRows } from '../../lib/rag/byte-rows';
import { quantise, rowBytes } from '../../lib/rag/quantise';

/** Unit vectors that are the same in every run. */
function vectors(count: number, dimension: number, seed = 1): Float32Array[] {
	let state = seed;
	const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
	return Array.from({ length: count }, () => {
		const vector = Float32Array.from({ length: dimension }, next);
		const length = Math.hypot(...vector);
		return vector.map((value) => value / length);
	});
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

function filled(list: readonly Float32Array[], webAssembly: boolean) {
	const rows = createByteRows(list[0]!.length, { webAssembly });
	for (const vector of list) {
		const { values, scale } = quantise(vector);
		rows.append(new Uint8Array(values.buffer), scale);
	}
	return rows;
}

describe('byte rows', () => {
	it('gives the same numbers in WebAssembly and in JavaScript, for all rows and for chosen ones', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 300 }), fc.integer(), (dimension, count, seed) => {
				const list = vectors(count, dimension, seed);
				const query = vectors(1, dimension, seed + 1)[0]!;
				const chosen = Int32Array.from([count - 1, 0]);
				const [fast, plain] = [filled(list, true), filled(list, false)];
				expect(fast.scores(query)).toEqual(plain.scores(query));
				expect([...fast.scores(query, chosen)]).toEqual([...plain.scores(query)].filter((_, i) => i === 0 || i === count - 1).reverse().concat(count === 1 ? plain.scores(query)[0]! : []));
			}),
			{ numRuns: 40 },
		);
	});

	it('is near to the exact cosine, whatever the size of single numbers', () => {
		const list = [...vectors(50, 384), Float32Array.from({ length: 384 }, (_, i) => (i === 7 ? 1 : 0))];
		const query = list[50]!.map((value, i) => (i === 7 ? Math.sqrt(0.5) : i === 9 ? Math.sqrt(0.5) : value));
		const scores = filled(list, true).scores(query);
		list.forEach((vector, i) => expect(scores[i]).toBeCloseTo(dot(vector, query), 2));
	});

	it('keeps its rows while it grows beyond what was expected', () => {
		const list = vectors(5000, 32);
		const rows = filled(list, true);
		expect(rows.count).toBe(5000);
		for (const n of [0, 63, 64, 4999]) expect(rows.scores(list[n]!)[n]).toBeCloseTo(1, 2);
	});

	it('rounds a zero vector to zeros and pads rows to 16 bytes', () => {
		expect(quantise(new Float32Array(20))).toEqual({ values: new Int8Array(32), scale: 0 });
		expect([1, 16, 17, 384].map(rowBytes)).toEqual([16, 16, 32, 384]);
	});
});
