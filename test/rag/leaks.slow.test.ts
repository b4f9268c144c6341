/**
 * Random documents, users and filters against a naive reading of rights and filters: in every way of ranking, as tool and as retriever,
 * in both stores, with answers kept from call to call. One forbidden document in hits, counts, contexts or errors is a failure.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Filter } from '../../lib/rag/filter';
import { type DocumentToIndex, indexDocuments } from '../../lib/rag/index-documents';
import { openOrCreateTheme, openTheme, type ThemePlace } from '../../lib/rag/open-theme';
import type { RetrieveOptions } from '../../lib/rag/retrieve';
import { retrieveFrom } from '../../lib/rag/retrieve-from';
import { createSearchTool } from '../../lib/rag/search-tool';
import { stopStoreThreads } from '../../lib/rag/threaded-store';
import { fakeEmbedder } from '../support/fake-embedder';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { fits } from './naive-filter';

let state = 5;
const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
const some = <Value>(list: readonly Value[], share: number): Value[] => list.filter(() => random() < share);
const WORDS = 'pompe vanne moteur joint filtre purge graisse huile pression N-92c P101/A atelier bureau hangar'.split(' ');
const text = (count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(' ');
const TOKENS = [...Array.from({ length: 12 }, (_, n) => (n % 2 ? `g:g${n}` : `u:u${n}`)), '*'];
const CONDITIONS: readonly Filter[] = [
	{ field: 'number', operator: '<', value: 40 },
	{ field: 'site', operator: 'in', value: ['Lyon', 'Lille'] },
	{ field: 'site', operator: 'is_empty' },
	{ field: 'tags', operator: 'contains', value: 'b' },
	{ not: { field: 'open', operator: '==', value: true } },
	{ field: 'day', operator: '>=', value: '2026-03' },
];
const filterOf = (): Filter | undefined => pick<() => Filter | undefined>([
	() => undefined,
	() => pick(CONDITIONS),
	() => ({ and: some(CONDITIONS, 0.3) }),
	() => ({ or: [pick(CONDITIONS), pick(CONDITIONS)] }),
])();

/** The secret of a document is a word of its own, so that it can be seen wherever it leaks. */
const documentOf = (n: number): DocumentToIndex => ({
	id: `d${n}`,
	title: `title${n}x`,
	text: `${text(6)} secret${n}x ${text(4)}`,
	acl: some(TOKENS.slice(0, 12), 0.08).concat(random() < 0.05 ? ['*'] : []),
	meta: { number: Math.floor(random() * 100), site: pick(['Lyon', 'Brest', 'Lille', null]), tags: some(['a', 'b'], 0.4), open: random() < 0.5, day: `2026-0${1 + Math.floor(random() * 9)}-01` },
});

interface Size {
	readonly documents: number;
	readonly trials: number;
}

/** Trials of one store; gives how many hits were seen, all of them allowed. */
async function tryAll(place: ThemePlace, size: Size): Promise<{ hits: number; checked: number }> {
	const embedder = fakeEmbedder();
	const documents = new Map<string, DocumentToIndex>(Array.from({ length: size.documents }, (_, n) => [`d${n}`, documentOf(n)] as const));
	const store = await openOrCreateTheme(place, { createdBy: 'test' });
	await indexDocuments(documents.values(), { store, embedder });
	await store.close();
	let hits = 0;
	let checked = 0;
	const queries = Array.from({ length: 40 }, () => (random() < 0.2 ? `secret${Math.floor(random() * size.documents)}x` : text(1 + Math.floor(random() * 4))));
	for (let trial = 0; trial < size.trials; trial++) {
		if (trial % 50 === 49) await takeRight(place, documents);
		const acl = some(TOKENS, 0.2);
		const filter = filterOf();
		const query = pick(queries);
		const may = (id: string): boolean => {
			const one = documents.get(id)!;
			return one.acl!.some((token) => acl.includes(token)) && (!filter || fits(one.meta!, filter));
		};
		const options: RetrieveOptions = {
			...{ query, topK: pick([1, 5, 10]), acl, fusion: pick(['blend', 'ranks', 'cascade']), alpha: pick(['auto', 0, 0.5, 1] as const) },
			...{ onePerDocument: random() < 0.3, neighbours: pick([0, 0, 1]), ...(filter && { filter }) },
		};
		const answer = await answerOf(place, options, embedder, trial);
		for (const id of answer.match(/(?<=secret|title)\d+(?=x)/g) ?? []) {
			checked += 1;
			if (`secret${id}x` !== query && !may(`d${id}`)) throw new Error(`Trial ${trial}: ${JSON.stringify(options)} gave d${id}`);
		}
		hits += answer.split('"documentId"').length - 1;
		const count = [...documents.keys()].filter(may).length;
		if (answer.split('"documentId"').length - 1 > count) throw new Error(`Trial ${trial}: more hits than the ${count} documents that may be seen`);
	}
	return { hits, checked };
}

/** A right that changes between two searches: what was kept must not outlive it. */
async function takeRight(place: ThemePlace, documents: Map<string, DocumentToIndex>): Promise<void> {
	const id = pick([...documents.keys()]);
	const acl = some(TOKENS.slice(0, 12), 0.08);
	documents.set(id, { ...documents.get(id)!, acl });
	const store = await openTheme(place);
	await store.change([{ id, acl }]);
	await store.close();
}

/** All that leaves in one of the modes, as text. */
async function answerOf(place: ThemePlace, options: RetrieveOptions, embedder: ReturnType<typeof fakeEmbedder>, trial: number): Promise<string> {
	if (trial % 3 > 0) return JSON.stringify(await retrieveFrom([place], options, embedder));
	const tool = createSearchTool({
		...{ theme: place.theme, intent: '', topK: 10, filters: [{ field: 'site', type: 'text' }] },
		search: async ({ query, topK }) => await retrieveFrom([place], { ...options, query, topK }, embedder),
	});
	const input = { query: options.query, max_results: options.topK, acl: ['*'], user: 'u0' };
	return JSON.stringify((await tool.run(input, { signal: new AbortController().signal })).data);
}

describe('nobody sees what the naive reading of rights and filters forbids', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'leaks-'));
	let postgres: TestPostgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	}, 60_000);
	afterAll(async () => {
		await stopStoreThreads();
		await postgres.stop();
		rmSync(folder, { recursive: true });
	});

	it('in 10,000 searches of the embedded store', async () => {
		const { hits, checked } = await tryAll({ folder, theme: 'leaks' }, { documents: 400, trials: 10_000 });
		expect(hits).toBeGreaterThan(10_000);
		expect(checked).toBeGreaterThan(10_000);
	}, 300_000);

	it('in 250 searches of the Postgres store', async () => {
		const { hits } = await tryAll({ postgres: postgres.connection, theme: 'leaks' }, { documents: 120, trials: 250 });
		expect(hits).toBeGreaterThan(300);
	}, 300_000);
});
