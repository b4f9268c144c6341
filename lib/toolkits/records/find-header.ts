/** Lines that are looked at for a header; titles and notes above a table are fewer. */
const SEARCHED = 30;
/** Share of a table's width that a header fills at least. */
const FILLED = 0.7;

/**
 * Which row names the columns, from 0: the first one that is about as wide as the table and whose cells are words. Titles,
 * dates of export and blank lines above it are passed over. 0 when no row looks like a header.
 */
export function findHeader(rows: readonly (readonly unknown[])[]): number {
	const seen = rows.slice(0, SEARCHED);
	const width = usualWidth(seen);
	if (width < 2) return 0;
	const found = seen.findIndex((row) => filled(row).length >= width * FILLED && filled(row).every(isWord));
	return Math.max(0, found);
}

/** The most frequent count of filled cells; of two as frequent the larger. */
function usualWidth(rows: readonly (readonly unknown[])[]): number {
	const counts = new Map<number, number>();
	for (const row of rows) counts.set(filled(row).length, (counts.get(filled(row).length) ?? 0) + 1);
	counts.delete(0);
	return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

function filled(row: readonly unknown[]): unknown[] {
	return row.filter((cell) => cell !== null && cell !== undefined && String(cell).trim() !== '');
}

function isWord(cell: unknown): boolean {
	return typeof cell === 'string' && /\p{L}|°|#/u.test(cell) && !/^\d{4}-\d\d|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}/.test(cell.trim());
}
