/**
 * Suite filters: [{docs: [{id, text, metadata}], cases: [{title, filters, expect_count, expect_first?, expect_last?}]}] or with
 * `docs_file`, a CSV beside the data file whose columns `cost` and `year` are numbers.
 *
 * Each set becomes a knowledge base; a case is right when the filter chooses as many documents as it should, in the named order.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const load = (file) => require(`../dist/lib/${file}.js`);

export async function run({ data, file, say }) {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-filters-'));
	const wrong = [];
	const times = [];
	let right = 0;
	try {
		for (const [n, set] of data.entries()) {
			const store = load('rag/sqlite-store').openOrCreateStore({ folder, theme: `set${n}` }, { createdBy: 'bench' });
			const docs = set.docs ?? rowsOf(path.join(path.dirname(file), set.docs_file));
			say(`${set.source}: ${docs.length} documents`);
			await load('rag/index-documents').indexDocuments(docs.map(({ id, text, metadata }) => ({ id, text: text || '-', meta: metadata })), { store });
			const order = new Map(docs.map(({ id }, position) => [id, position]));
			for (const one of set.cases) {
				const from = performance.now();
				const filter = load('rag/filter').readFilter(one.filters);
				const ids = (await store.documents(filter ? { filter } : {})).map(({ id }) => id).sort((a, b) => order.get(a) - order.get(b));
				times.push(performance.now() - from);
				if (isRight(ids, one)) right += 1;
				else wrong.push(`${one.title} (${ids.length} instead of ${one.expect_count})`);
			}
			await store.close();
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
	times.sort((a, b) => a - b);
	return { cases: right + wrong.length, right, wrong, msMedian: times[Math.floor(times.length / 2)] };
}

function isRight(ids, { expect_count, expect_first = [], expect_last = [] }) {
	const first = ids.slice(0, expect_first.length).join() === expect_first.join();
	const last = expect_last.length === 0 || ids.slice(-expect_last.length).join() === expect_last.join();
	return ids.length === expect_count && first && last;
}

function rowsOf(file) {
	const rows = require('csv-parse/sync').parse(readFileSync(file), { columns: true });
	return rows.map(({ id, text, pm_type, ...rest }) => {
		const numbers = Object.fromEntries(['cost', 'year'].filter((name) => name in rest).map((name) => [name, rest[name] === '' ? null : Number(rest[name])]));
		return { id, text, metadata: { ...rest, ...(pm_type !== undefined && { pmType: pm_type }), ...numbers } };
	});
}
