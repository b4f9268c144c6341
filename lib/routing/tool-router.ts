/**
 * The Tool Router: out of many tools the few that fit a query, so that a model reads three good tools instead of three hundred.
 *
 * In: tools, a query, an embedder when there is one. Out: the tools to show, with the count of tokens spared. It decides what
 * is shown, never what may be called: a routed agent's calls find their tool by name.
 */
import type { Embedder } from '../core/document';
import type { Tool } from '../core/tool';
import { estimateTokens } from '../text/estimate-tokens';
import { rankTools, type RankedTool } from './rank-tools';

export interface RouteOptions {
	/** How many tools are shown beside the always-on ones; from 1. */
	readonly topK: number;
	/** Up to this many tools everything passes and nothing is ranked. */
	readonly passthroughUpTo: number;
	/** Names of tools that are always shown, first. Unknown names are reported. */
	readonly alwaysOn: readonly string[];
	readonly embedder?: Embedder;
	readonly signal?: AbortSignal;
}

export interface Route {
	/** Always-on tools in their own order, then the chosen ones best first. */
	readonly tools: readonly Tool[];
	readonly ranked: readonly RankedTool[];
	readonly method: 'passthrough' | 'blend' | 'lexical';
	readonly tokensAll: number;
	readonly tokensShown: number;
	readonly warnings: readonly string[];
}

/** Chooses the tools for a query. No tools give an empty route; an empty query shows the first `topK`. */
export async function routeTools(tools: readonly Tool[], query: string, options: RouteOptions): Promise<Route> {
	const tokensAll = tokensOf(tools);
	const fixed = tools.filter(({ name }) => options.alwaysOn.includes(name));
	const warnings = unknownNames(tools, options.alwaysOn);
	if (tools.length <= options.passthroughUpTo) {
		return { tools, ranked: [], method: 'passthrough', tokensAll, tokensShown: tokensAll, warnings };
	}
	const others = tools.filter((tool) => !fixed.includes(tool));
	const { ranked, method, warning } = await rankTools(others, query, options);
	const chosen = ranked.slice(0, Math.max(1, options.topK));
	const shown = [...fixed, ...chosen.map(({ tool }) => tool)];
	return {
		tools: shown,
		ranked: chosen,
		method,
		tokensAll,
		tokensShown: tokensOf(shown),
		warnings: warning ? [...warnings, warning] : warnings,
	};
}

/** Tokens that a model reads for these tools at each turn, estimated. */
function tokensOf(tools: readonly Tool[]): number {
	return tools.reduce(
		(sum, { name, description, inputSchema }) => sum + estimateTokens(JSON.stringify({ name, description, inputSchema })),
		0,
	);
}

function unknownNames(tools: readonly Tool[], alwaysOn: readonly string[]): string[] {
	const missing = alwaysOn.filter((name) => !tools.some((tool) => tool.name === name));
	if (missing.length === 0) return [];
	return [`Always-on tools that are not connected: ${missing.join(', ')}`];
}
