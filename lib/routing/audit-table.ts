import type { Audit } from './audit-tools';
import type { Finding } from './name-rules';

/** Rows of each table that are written; the data has all. */
const MOST_ROWS = 1_000;

/** The audit as Markdown: totals, the ranking, what each node costs, the pairs that are too alike, one row per tool. */
export function auditTable({ tools, totals, collisions, ranking, warnings }: Audit): string {
	const tokens = totals.tokens.toLocaleString('en');
	const parts = [
		`${totals.tools} tools, about ${tokens} tokens at every turn; ${totals.withFindings} with findings, ${totals.missingIntents} without an intent of their own.`,
		findingCounts(tools),
		...warnings,
		...(ranking ? [`### Ranking\n\n${table(['#', 'Tool', 'Relevance', 'Meaning', 'Words'], ranking.map((row, at) => [
			String(at + 1), row.name, String(row.relevance), String(row.semantic ?? '–'), row.words.join(' '),
		]))}`] : []),
		...(nodesOf(tools).length > 1 ? [`### Nodes\n\n${table(['Node', 'Tools', 'Tokens', 'Tools with findings'], nodesOf(tools))}`] : []),
		...(collisions.length > 0 ? [`### Too alike\n\n${table(['Tool', 'Tool', 'Likeness', 'Why'], collisions.map((pair) => [
			at(pair.first, pair.nodes[0]), at(pair.second, pair.nodes[1]), String(pair.likeness), pair.why,
		]))}`] : []),
		`### Tools\n\n${table(['Tool', 'Node', 'Intent', 'Tokens', 'Findings'], tools.map((row) => [
			row.name, row.node, row.intent, String(row.tokens), row.findings.map(({ message }) => message).join(' '),
		]))}`,
	];
	return parts.filter((part) => part !== '').join('\n\n');
}

/** The dearest first. */
function nodesOf(rows: Audit['tools']): string[][] {
	const sums = new Map<string, { tools: number; tokens: number; findings: number }>();
	for (const { node, tokens, findings } of rows) {
		const sum = sums.get(node) ?? { tools: 0, tokens: 0, findings: 0 };
		sums.set(node, { tools: sum.tools + 1, tokens: sum.tokens + tokens, findings: sum.findings + Number(findings.length > 0) });
	}
	const sorted = [...sums].sort(([, first], [, second]) => second.tokens - first.tokens);
	return sorted.map(([node, sum]) => [node, String(sum.tools), sum.tokens.toLocaleString('en'), String(sum.findings)]);
}

const KINDS: { readonly [rule in Finding['rule']]: string } = {
	name: 'names against the rules', direction: 'names without a direction', unit: 'numbers without a unit', plural: 'singular or plural',
	description: 'descriptions too long or without a verb', intent: 'nothing said of what they are for', tokens: 'costly',
};

/** `120 names against the rules · 91 costly`, most frequent first; '' without findings. */
function findingCounts(rows: Audit['tools']): string {
	const counts = new Map<Finding['rule'], number>();
	for (const rule of rows.flatMap(({ findings }) => [...new Set(findings.map((finding) => finding.rule))])) counts.set(rule, (counts.get(rule) ?? 0) + 1);
	return [...counts].sort((first, second) => second[1] - first[1]).map(([rule, count]) => `${count} ${KINDS[rule]}`).join(' · ');
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
