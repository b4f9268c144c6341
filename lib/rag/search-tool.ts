import type { Hit } from '../core/document';
import type { Tool, ToolOutput } from '../core/tool';
import type { Filter } from './filter';
import type { RetrieveResult } from './retrieve';
import { type AllowedField, readToolFilter, toolFilterSchema } from './tool-filters';

export interface SearchToolSettings {
	readonly theme: string;
	/** Other knowledge bases that are searched with it. */
	readonly others?: readonly string[];
	/** What the knowledge base is for, one line. '' gives a general one. */
	readonly intent: string;
	/** Passages given when the model does not say, 1 to 10. */
	readonly topK: number;
	/** Metadata fields that the model may filter by; absent or [] for none. */
	readonly filters?: readonly AllowedField[];
	readonly search: (request: { query: string; topK: number; filter?: Filter; signal: AbortSignal }) => Promise<RetrieveResult>;
}

const MOST_PASSAGES = 10;
const LONGEST_NAME = 64;

/** The name of a knowledge base's tool: `search_` and the base's name in snake_case; `search_documents` when nothing is left of it. */
export function searchToolName(theme: string): string {
	const readable = theme
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '_')
		.replace(/^_+|_+$/g, '');
	return `search_${readable || 'documents'}`.slice(0, LONGEST_NAME).replace(/_+$/, '');
}

function placeOf({ knowledgeBase, source, page, alsoIn }: Hit): string {
	const others = alsoIn && `also in ${alsoIn.join(', ')}`;
	const parts = [knowledgeBase, source, page === undefined ? undefined : `page ${page}`, others].filter((part) => part !== undefined && part !== '');
	return parts.length > 0 ? `(${parts.join(', ')})` : '';
}

function passageText(hit: Hit, position: number): string {
	const title = [hit.title, hit.section].filter(Boolean).join(' › ');
	const heading = [`[${position + 1}]`, title || hit.documentId, placeOf(hit)].filter(Boolean).join(' ');
	return `${heading}\n${hit.context ?? hit.snippet?.text ?? hit.text}`;
}

function dataOf({ id, documentId, text, title, source, section, page, alsoIn, knowledgeBase, snippet, score, meta }: Hit) {
	return {
		...{ id, documentId, ...(title && { title }), ...(section && { section }), ...(source && { source }) },
		...{ ...(page !== undefined && { page }), ...(alsoIn && { alsoIn }), ...(knowledgeBase && { knowledgeBase }) },
		...{ score: Math.round(score * 1000) / 1000, meta, text: snippet?.text ?? text },
	};
}

function outputOf({ hits, warnings }: RetrieveResult, query: string, isFiltered: boolean): ToolOutput {
	const data = hits.map(dataOf);
	const none = `No passage fits "${query}"${isFiltered ? ' with these filters' : ''}. Try other words.`;
	const passages = hits.length === 0 ? [none] : hits.map(passageText);
	return { text: [...warnings.map((warning) => `(Warning: ${warning})`), ...passages].join('\n\n'), data };
}

/**
 * A tool with which a model searches one knowledge base, or several at once.
 *
 * It says that what it gives is a choice of the best passages, not all of them: questions about every record belong to other tools.
 */
export function createSearchTool(settings: SearchToolSettings): Tool {
	const { theme, others = [], filters = [] } = settings;
	const bases = [theme, ...others].map((name) => `"${name}"`).join(', ');
	const intent = settings.intent.trim() || `Find passages of the documents in ${bases}`;
	const filterSchema = toolFilterSchema(filters);
	const usual = Math.min(MOST_PASSAGES, Math.max(1, Math.floor(settings.topK)));
	return {
		name: searchToolName(theme),
		intent,
		description:
			`${intent}\nSearches the knowledge base${others.length > 0 ? 's' : ''} ${bases} by meaning and by words and gives the best passages with their sources. ` +
			'It does not list everything: to count or add up records, use a records tool.',
		inputSchema: {
			type: 'object',
			properties: {
				query: { type: 'string', minLength: 1, description: 'What to look for, in the words of the documents; codes and part numbers as written' },
				max_results: { type: 'integer', minimum: 1, maximum: MOST_PASSAGES, description: `Passages wanted; ${usual} when absent` },
				...(filterSchema && { filters: filterSchema }),
			},
			required: ['query'],
			additionalProperties: false,
		},
		tags: ['knowledge', 'search'],
		annotations: { readOnly: true, destructive: false, idempotent: true },
		async run(input, { signal }) {
			const query = String(input.query);
			const asked = typeof input.max_results === 'number' ? Math.floor(input.max_results) : usual;
			const topK = Math.min(MOST_PASSAGES, Math.max(1, asked));
			const filter = readToolFilter(filters, input.filters);
			return outputOf(await settings.search({ query, topK, signal, ...(filter && { filter }) }), query, filter !== undefined);
		},
	};
}
