import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Audit } from '../../lib/routing/audit-tools';

/** One item per tool, for tables; the columns tool, intent and tags are those of an IntentMap. */
export function rowItems(audit: Audit, itemIndex: number): INodeExecutionData[] {
	return audit.tools.map((row) => ({ json: flat(row, audit), pairedItem: { item: itemIndex } }));
}

/** Findings as one text, the place in the ranking when there is one. */
function flat(row: Audit['tools'][number], { ranking, collisions }: Audit): IDataObject {
	const place = ranking?.findIndex(({ name }) => name === row.name) ?? -1;
	const alike = collisions.flatMap(({ first, second }) => (first === row.name ? second : second === row.name ? first : []));
	const { name, originalName, node, intent, intentFrom, tokens } = row;
	return {
		tool: name, originalName, node, intent, intentFrom, tags: row.tags.join(', '), tokens,
		findings: row.findings.map(({ message }) => message).join(' '),
		tooAlike: alike.join(', '),
		...(place >= 0 && { rank: place + 1, relevance: ranking?.[place]?.relevance }),
	};
}
