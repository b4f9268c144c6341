import fc from 'fast-check';
import type { Meta } from '../../lib/core/document';
import type { Filter } from '../../lib/rag/filter';
import { openStore } from '../../lib/rag/sqlite-store';
import type { ThemeStore } from '../../lib/rag/store';
import { analyse } from '../../lib/text/analyse';
import { createBm25 } from '../../lib/text/bm25';
import { fits } from './naive-filter';
import { storeBench } from './make-store';

const COUNT = 10_000;
const DIMENSION = 16;
let state = 11;
const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
const some = <Value>(list: readonly Value[], share: number): Value[] => list.filter(() => random() < share);
const word = (): string => `mot${String.fromCharCode(97 + Math.floor(26 * random() ** 3))}${String.fromCharCode(97 + Math.floor(26 * random()))}`;
const unit = (): Float32Array => {
	const vector = Float32Array.from({ length: DIMENSION }, () => random() - 0.5);
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
};

interface Given {
	readonly id: string;
	readonly text: string;
	readonly tokens: string[];
	readonly vector: Float32Array;
	readonly acl: string[];
	readonly meta: Meta;
}

const TOKENS = Array.from({ length: 40 }, (_, n) => (n % 2 ? `g:group${n}` : `u:user${n}`));
const documents = Array.from({ length: COUNT }, (_, n): Given => {
	const text = Array.from({ length: 12 }, word).join(' ');
	const meta = { number: Math.floor(random() * 100), site: pick(['Lyon', 'Brest', 'Lille', null]), tags: some(['a', 'b', 'c'], 0.3), open: random() < 0.5 };
	return { id: `d${n}`, text, tokens: analyse(text, { language: 'fr' }), vector: unit(), acl: some(TOKENS, 0.03), meta };
});
const conditions: readonly Filter[] = [
	{ field: 'number', operator: '==', value: 7 },
	{ field: 'number', operator: '>=', value: 40 },
	{ field: 'site', operator: 'in', value: ['Lyon', 'Lille'] },
	{ field: 'site', operator: 'is_empty' },
	{ field: 'tags', operator: 'contains', value: 'b' },
	{ not: { field: 'open', operator: '==', value: true } },
];

describe('10,000 documents with rights and metadata', () => {
	const bench = storeBench();
	let store: ThemeStore;
	beforeAll(async () => {
		store = bench.store('large');
		for (const { id, text, tokens, vector, acl, meta } of documents) {
			const chunk = { text, start: 0, end: text.length, titlePath: [], tokens, vector };
			await store.put({ document: { id, text, meta }, hash: 'h', acl, chunks: [chunk] }, { id: 'random', dimension: DIMENSION });
		}
	}, 120_000);
	afterAll(() => bench.clean());

	const idsOf = async (found: readonly { ref: number }[]): Promise<string[]> =>
		(await store.passages(found.map(({ ref }) => ref))).map(({ documentId }) => documentId);

	it('give each asker exactly what a naive reading gives: not one forbidden hit, on either side, for 100 askers and filters', async () => {
		let hits = 0;
		const filter = fc.option(fc.oneof(fc.constantFrom(...conditions), fc.subarray([...conditions], { maxLength: 2 }).map((and) => ({ and }))), { nil: undefined });
		const query = fc.integer({ min: 0, max: COUNT - 1 });
		await fc.assert(
			fc.asyncProperty(fc.subarray(TOKENS, { maxLength: 6 }), filter, query, async (acl, chosen, n) => {
				const may = documents.filter((one) => one.acl.some((token) => acl.includes(token)) && (!chosen || fits(one.meta, chosen)));
				const { vector, tokens } = documents[n]!;
				const request = { tokens, vector, candidates: 20, acl, ...(chosen && { filter: chosen }) };
				const { candidates } = await store.search(request);
				const found = await idsOf(candidates);
				hits += found.length;
				const allowed = new Set(may.map(({ id }) => id));
				expect(found.filter((id) => !allowed.has(id))).toEqual([]);
				const cosines = may.map((one) => [one.id, one.vector.reduce((sum, value, i) => sum + value * vector[i]!, 0)] as const);
				const best = cosines.sort((a, b) => b[1] - a[1]).slice(0, 20);
				expect(found).toEqual(expect.arrayContaining(best.slice(0, 15).map(([id]) => id)));
			}),
			{ numRuns: 100, seed: 1 },
		);
		expect(hits).toBeGreaterThan(1000);
	}, 120_000);

	it('are found by words as a full BM25 finds them, without looking at all of them', async () => {
		const index = createBm25(documents.map(({ tokens }) => tokens));
		let shared = 0;
		for (let n = 0; n < 20; n++) {
			const tokens = analyse([word(), word(), word()].join(' '), { language: 'fr' });
			const scores = index.score(tokens);
			const best = [...documents.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, 20);
			const { candidates } = await store.search({ tokens, candidates: 50, acl: 'all' });
			const found = await idsOf(candidates);
			candidates.forEach(({ lexical }, i) => expect(lexical).toBeCloseTo(scores[Number(found[i]!.slice(1))]!, 5));
			// By score: many documents are tied.
			const worst = scores[best.at(-1)!]!;
			shared += candidates.toSorted((a, b) => b.lexical! - a.lexical!).slice(0, 20).filter(({ lexical }) => lexical! >= worst - 1e-6).length;
		}
		expect(shared / (20 * 20)).toBeGreaterThan(0.9);
	}, 60_000);

	it('show changes of another connection at once: new ones, removed ones, taken rights', async () => {
		const other = openStore({ folder: bench.folder, theme: 'large' });
		const { vector, tokens, text } = documents[3]!;
		const nearest = async (acl: readonly string[] | 'all') => (await idsOf((await store.search({ tokens: [], vector, candidates: 3, acl })).candidates))[0];
		expect(await nearest('all')).toBe('d3');
		await other.remove(['d3']);
		expect(await nearest('all')).not.toBe('d3');
		const chunk = { text, start: 0, end: text.length, titlePath: [], tokens, vector };
		await other.put({ document: { id: 'new', text }, hash: 'h', acl: ['u:new'], chunks: [chunk] }, { id: 'random', dimension: DIMENSION });
		expect(await nearest(['u:new'])).toBe('new');
		await other.change([{ id: 'new', acl: ['u:other'] }]);
		expect(await nearest(['u:new'])).toBeUndefined();
		expect(await nearest(['u:other'])).toBe('new');
		expect(await other.verify()).toEqual({ ok: true, problems: [] });
		await other.close();
	});
});
