/**
 * The audit of a set of tools: what a model would read, what it costs, and what will make it choose wrongly.
 *
 * In: tools with the nodes they come from. Out: a row per tool with its findings, the pairs that are too alike, totals; with a
 * query the ranking and why. It changes nothing.
 */
import type { Tool } from '../core/tool';
import { analyse } from '../text/analyse';
import { firstSentence } from '../text/first-sentence';
import { applyIntentMap, unknownIntents, type IntentMap, type RoutableTool } from './intent-map';
import { checkTool, type Finding } from './name-rules';
import { rankTools, type RankOptions } from './rank-tools';
import { similarPairs, type SimilarPair } from './similar-tools';
import { lexicalText } from './tool-text';
import { toolTokens } from './tool-router';

/** A connected tool: `tool.name` is what the model sees, `originalName` what its node calls it. */
export interface AuditedTool {
	readonly tool: Tool;
	readonly originalName: string;
	readonly node: string;
}

export interface AuditRow {
	readonly name: string;
	readonly originalName: string;
	readonly node: string;
	readonly intent: string;
	/** Where the intent comes from: the IntentMap, the tool itself, the first sentence of its description, or nowhere. */
	readonly intentFrom: 'map' | 'tool' | 'description' | 'missing';
	readonly tags: readonly string[];
	/** At every turn, estimated. */
	readonly tokens: number;
	readonly findings: readonly Finding[];
}

export interface RankRow {
	readonly name: string;
	readonly relevance: number;
	readonly semantic?: number;
	readonly lexical: number;
	/** Words of the query that the tool has. */
	readonly words: readonly string[];
}

export interface Audit {
	readonly tools: readonly AuditRow[];
	readonly totals: { readonly tools: number; readonly tokens: number; readonly withFindings: number; readonly missingIntents: number };
	/** Closest first. */
	readonly collisions: readonly SimilarPair[];
	/** Best first; only with a query. */
	readonly ranking?: readonly RankRow[];
	readonly warnings: readonly string[];
}

export interface AuditOptions extends RankOptions {
	readonly intents: IntentMap;
	/** '' for no ranking. */
	readonly query: string;
	/** Rows of the ranking. */
	readonly topK: number;
}

/** Looks at every tool; no tools give an empty audit. Throws nothing but an abort. */
export async function auditTools(given: readonly AuditedTool[], options: AuditOptions): Promise<Audit> {
	const tools = applyIntentMap(given.map(({ tool }) => tool), options.intents);
	const rows = given.map((entry, at) => rowOf(tools[at] ?? entry.tool, entry, options.intents));
	const ranking = await rankTools(tools, options.query.trim() === '' ? 'tools' : options.query, options);
	const unknown = unknownIntents(tools, options.intents);
	return {
		tools: rows,
		totals: {
			tools: rows.length,
			tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
			withFindings: rows.filter(({ findings }) => findings.length > 0).length,
			missingIntents: rows.filter(({ intentFrom }) => intentFrom === 'missing' || intentFrom === 'description').length,
		},
		collisions: similarPairs(given, ranking.vectors),
		...(options.query.trim() !== '' && { ranking: ranking.ranked.slice(0, options.topK).map((entry) => rankRow(entry, options.query)) }),
		warnings: [
			...(ranking.warning ? [ranking.warning] : []),
			...(unknown.length > 0 ? [`Intents of tools that are not connected: ${unknown.join(', ')}`] : []),
		],
	};
}

function rowOf(tool: RoutableTool, given: AuditedTool, map: IntentMap): AuditRow {
	const { name, intent, tags } = tool;
	const { node, originalName } = given;
	const findings = checkTool(tool);
	return { name, originalName, node, intent, intentFrom: originOf(given.tool, map), tags, tokens: toolTokens(tool), findings };
}

function originOf(tool: Tool, map: IntentMap): AuditRow['intentFrom'] {
	if (map.get(tool.name)?.intent) return 'map';
	if (tool.intent.trim() === '') return 'missing';
	// Our own kits carry tags with their intents; of a foreign tool the intent is only cut from its description.
	return tool.tags.length === 0 && tool.intent === firstSentence(tool.description) ? 'description' : 'tool';
}

function rankRow(entry: Awaited<ReturnType<typeof rankTools>>['ranked'][number], query: string): RankRow {
	const own = new Set(analyse(lexicalText(entry.tool)));
	const words = query.split(/[^\p{L}\p{N}'’-]+/u).filter((word) => analyse(word).some((token) => !token.startsWith('=') && own.has(token)));
	const round = (value: number): number => Math.round(value * 1_000) / 1_000;
	return {
		name: entry.tool.name,
		relevance: round(entry.relevance),
		...(entry.semantic !== undefined && { semantic: round(entry.semantic) }),
		lexical: round(entry.lexical),
		words: [...new Set(words)],
	};
}
