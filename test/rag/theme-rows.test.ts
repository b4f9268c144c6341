import { ThemeRows } from '../../lib/rag/theme-rows';

/** Rows of documents 1, 2, 3, 1, 2, 3…; chunk ids are 10 apart. */
function rowsOf(count: number): ThemeRows {
	const rows = new ThemeRows(null, count);
	for (let n = 0; n < count; n++) rows.append({ chunk: 10 * (n + 1), document: 1 + (n % 3), length: 5 }, new Uint8Array(0), 0);
	return rows;
}

describe('the rows of a knowledge base in memory', () => {
	it('give the rows of some documents, ascending, without those that were removed', () => {
		const rows = rowsOf(9);
		expect([...rows.rowsOf(new Set([1, 3]))]).toEqual([0, 2, 3, 5, 6, 8]);
		rows.remove(40);
		expect([...rows.rowsOf(new Set([1, 3]))]).toEqual([0, 2, 5, 6, 8]);
		expect([...rows.rowsOf(new Set())]).toEqual([]);
		expect([...rows.rowsOf(new Set([99]))]).toEqual([]);
	});

	it('keep answers to who may see what up to 250,000 rows together; the oldest leave, the last one stays', () => {
		const rows = rowsOf(3);
		for (const [key, length] of [['a', 100_000], ['b', 100_000], ['c', 100_000]] as const) rows.remember(key, new Int32Array(length));
		expect([...rows.choices.keys()]).toEqual(['b', 'c']);
		rows.remember('d', new Int32Array(400_000));
		expect([...rows.choices.keys()]).toEqual(['d']);
		rows.forgetAnswers();
		for (const key of ['e', 'f']) rows.remember(key, new Int32Array(120_000));
		expect([...rows.choices.keys()]).toEqual(['e', 'f']);
	});
});
