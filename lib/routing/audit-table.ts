import type { Audit } from './audit-tools';

/** Rows of each table that are written; the data has all. */
const MOST_ROWS = 1_000;

/** The audit as Markdown: totals, one row per tool, the pairs that are too alike, the ranking. */
export function auditTable({ tools, totals, collisions, ranking, warnings }: Audit): string {
	const tokens = totals.tokens.toLocaleString('en');
	const parts = [
		`${totals.tools} tools, about ${tokens} tokens at every turn; ${totals.withFindings} with findings, ${totals.missingIntents} without an intent of their own.`,
		...warnings,
		...(ranking ? [`### Ranking\n\n${table(['#', 'Tool', 'Relevance', 'Meaning', 'Words'], ranking.map((row, at) => [
			String(at + 1), row.name, String(row.relevance), String(row.semantic ?? '–'), row.words.join(' '),
		]))}`] : []),
		...(collisions.length > 0 ? [`### Too alike\n\n${table(['Tool', 'Tool', 'Likeness', 'Why'], collisions.map((pair) => [
			at(pair.first, pair.nodes[0]), at(pair.second, pair.nodes[1]), String(pair.likeness), pair.why,
		]))}`] : []),
		`### Tools\n\n${table(['Tool', 'Node', 'Intent', 'Tokens', 'Findings'], tools.map((row) => [
			row.name, row.node, row.intent, String(row.tokens), row.findings.map(({ message }) => message).join(' '),
		]))}`,
	];
	return parts.join('\n\n');
}

function at(name: string, node: string): string {
	return node === '' ? name : `${name} (${node})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const lines = rows.slice(0, MOST_ROWS).map((cells) => `| ${cells.map(cell).join(' | ')} |`);
	return [`| ${head.join(' | ')} |`, `|${head.map(() => ' --- ').join('|')}|`, ...lines].join('\n');
}

function cell(text: string): string {
	return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').trim();
}
