/**
 * Suite records: --n rows (100,000 without it) of made-up work orders, asked through the tools of the Records Toolkit. Every text, id and cost
 * differs from row to row, so nothing is found by luck in a small set of values.
 *
 * `naive` is the plain way: one pass over the row objects for the same answer, each cell brought to one form when it is met.
 * `asks` has medians of nine runs, once loaded: `ms` by the clock, `cpuMs` of the processor's time, which what else runs on the machine does not
 * change, and its ratio to naive. `worstMs` and `worstCpuMs` are the slowest of them.
 */
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const load = (file) => require(`../dist/lib/${file}.js`);
const WORDS = 'seal pump filter bucket hose vérin engine track swing boom étanchéité pin bearing valve radiator alternator cable teeth coolant leak'.split(' ');
const RUNS = 9;

export async function run({ n: count = 100_000, say }) {
	const rows = Array.from({ length: count }, (_, at) => rowAt(at));
	const { loadRows } = load('toolkits/records/load-rows');
	const [began, before] = [performance.now(), process.cpuUsage()];
	const table = await loadRows({ kind: 'rows', rows });
	const [loadMs, loadCpuMs] = [performance.now() - began, process.cpuUsage(before).user / 1_000];
	say(`${count} rows loaded in ${Math.round(loadMs)} ms`);
	const tools = new Map(load('toolkits/records/record-tools').recordTools(table, { about: 'orders', prefix: '' }).map((tool) => [tool.name, tool]));
	const asks = {};
	for (const [title, { tool, input, naive }] of Object.entries(ASKS)) {
		const { signal } = new AbortController();
		const own = await medians(async () => await tools.get(tool).run(input, { signal }));
		const plainWay = await medians(() => naive(rows));
		asks[title] = { ...own, naiveCpuMs: plainWay.cpuMs, ratioToNaive: own.cpuMs / plainWay.cpuMs };
		say(`${title}: ${own.ms.toFixed(1)} ms, of the processor ${own.cpuMs.toFixed(1)} ms, naive ${plainWay.cpuMs.toFixed(1)} ms`);
	}
	const worst = (key) => Math.max(...Object.values(asks).map((one) => one[key]));
	return { rows: count, loadMs, loadCpuMs, worstMs: worst('ms'), worstCpuMs: worst('cpuMs'), asks };
}

function rowAt(at) {
	const word = (shift) => WORDS[(at * 7 + shift * shift * 13 + (at >> shift)) % WORDS.length];
	return {
		id: `N-${at}c`,
		asset: `A${at % 50}`,
		opened: new Date(Date.UTC(2021, 0, 1) + ((at * 37) % 1460) * 86_400_000).toISOString().slice(0, 10),
		cost: ((at * 7919) % 9_999_991) / 100,
		text: `Order ${at}: ${word(1)} ${word(2)} replaced, ${word(3)} checked, ${word(4)} ${word(5)} ordered`,
	};
}

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const grouped = (rows, keyOf) => {
	const groups = new Map();
	for (const row of rows) {
		const key = keyOf(row);
		const group = groups.get(key);
		if (group) group.push(row);
		else groups.set(key, [row]);
	}
	return groups;
};
const middle = (rows) => rows.map(({ cost }) => cost).sort((a, b) => a - b)[Math.floor(rows.length / 2)];

const ASKS = {
	'count, text contains': {
		tool: 'count_records',
		input: { filters: [{ column: 'text', operator: 'contains', value: 'etancheite' }] },
		naive: (rows) => rows.filter(({ text }) => plain(text).includes('etancheite')).length,
	},
	'count, cost and dates between': {
		tool: 'count_records',
		input: { filters: [{ column: 'cost', operator: 'between', value: [100, 5000] }, { column: 'opened', operator: 'equals', value: '2023-Q2' }] },
		naive: (rows) => rows.filter(({ cost, opened }) => cost >= 100 && cost <= 5000 && opened >= '2023-04-01' && opened <= '2023-06-30').length,
	},
	'find by id': {
		tool: 'find_records',
		input: { filters: [{ column: 'id', operator: 'equals', value: 'n-92C' }] },
		naive: (rows) => rows.filter(({ id }) => plain(id) === 'n-92c'),
	},
	'find the dearest': {
		tool: 'find_records',
		input: { sort_by: 'cost', descending: true },
		naive: (rows) => [...rows].sort((a, b) => b.cost - a.cost).slice(0, 20),
	},
	'distinct texts': {
		tool: 'distinct_values',
		input: { column: 'text' },
		naive: (rows) => [...grouped(rows, ({ text }) => text)].map(([text, own]) => [text, own.length]).sort((a, b) => b[1] - a[1]).slice(0, 50),
	},
	'sum by asset': {
		tool: 'aggregate_records',
		input: { measure: 'sum', column: 'cost', group_by: ['asset'] },
		naive: (rows) => [...grouped(rows, ({ asset }) => asset)].map(([asset, own]) => [asset, own.reduce((sum, { cost }) => sum + cost, 0)]),
	},
	'median by month': {
		tool: 'aggregate_records',
		input: { measure: 'median', column: 'cost', period: 'month' },
		naive: (rows) => [middle(rows), ...[...grouped(rows, ({ opened }) => opened.slice(0, 7))].map(([month, own]) => [month, middle(own)])],
	},
	'mean by asset and quarter': {
		tool: 'aggregate_records',
		input: { measure: 'mean', column: 'cost', group_by: ['asset'], period: 'quarter' },
		naive: (rows) => [...grouped(rows, ({ asset, opened }) => `${asset} ${opened.slice(0, 4)} ${Math.ceil(Number(opened.slice(5, 7)) / 3)}`)]
			.map(([key, own]) => [key, own.reduce((sum, { cost }) => sum + cost, 0) / own.length]),
	},
	'sum by text': {
		tool: 'aggregate_records',
		input: { measure: 'sum', column: 'cost', group_by: ['text'] },
		naive: (rows) => [...grouped(rows, ({ text }) => text)].map(([text, own]) => [text, own.reduce((sum, { cost }) => sum + cost, 0)]).sort((a, b) => b[1] - a[1]),
	},
};

async function medians(ask) {
	const times = [];
	for (let turn = 0; turn < RUNS; turn++) {
		const [start, before] = [performance.now(), process.cpuUsage()];
		await ask();
		times.push({ ms: performance.now() - start, cpuMs: process.cpuUsage(before).user / 1_000 });
	}
	const middle = (key) => times.map((time) => time[key]).sort((a, b) => a - b)[Math.floor(RUNS / 2)];
	return { ms: middle('ms'), cpuMs: middle('cpuMs') };
}
