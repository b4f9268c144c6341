import type {
	EngineRequest,
	EngineResponse,
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
	ISupplyDataFunctions,
	SupplyData,
} from 'n8n-workflow';

import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { routeSummary, type Route } from '../routing/tool-router';
import { toolsByName } from './connected-tools';
import { returnedCalls, toAction } from './engine-calls';
import { supplyTools } from './supply';
import { toNodeError } from './to-node-error';
import { CALL_ID_PREFIX, readToolItem, responseOf } from './tool-item';

export interface RoutedQuery {
	readonly query: string;
	/** The route for another need, among the same tools. */
	routeFor(need: string): Promise<Route>;
}

/**
 * Supplies the tools of a route, and behind them those held back, which an agent of ours admits when its model asks for one.
 * What was chosen is shown as a run of the router, once for each different choice.
 */
export function supplyRoute(ctx: ISupplyDataFunctions, route: Route, { query, routeFor }: RoutedQuery): SupplyData {
	showRoute(ctx, route, query);
	if (route.hidden.length === 0) return supplyTools(ctx, route.tools);
	const isHidden = new Set(route.hidden.map(({ name }) => name));
	const find = async (need: string): Promise<string[]> => {
		const found = await routeFor(need);
		return found.ranked.map(({ tool }) => tool.name).filter((name) => isHidden.has(name)).slice(0, MOST_ADMITTED);
	};
	return supplyTools(ctx, route.tools, { tools: route.hidden, nodeName: ctx.getNode().name, note: noteOf(route), find });
}

/** Tools that an agent at an impasse is shown in addition. */
const MOST_ADMITTED = 3;

/** What the agent is told. */
function noteOf({ tools, hidden, noneRelevant }: Route): string {
	if (!noneRelevant) return `${hidden.length} more tools are connected but not shown: these were chosen for the question.`;
	const rest = tools.length > 0 ? ' The tools shown are those that are always there.' : '';
	return `None of the ${hidden.length} other connected tools fits the question; answer without them, or say that it cannot be done here.${rest}`;
}

const shownRoutes = new Set<string>();
const MOST_REMEMBERED = 5_000;

/** The router is supplied at every turn of an agent; the same choice is not worth a new run each time. */
function showRoute(ctx: ISupplyDataFunctions, route: Route, query: string): void {
	const names = route.tools.map(({ name }) => name);
	const key = JSON.stringify([ctx.getExecutionId(), ctx.getNode().name, query, names]);
	if (shownRoutes.has(key)) return;
	if (shownRoutes.size >= MOST_REMEMBERED) shownRoutes.clear();
	shownRoutes.add(key);
	const { index } = ctx.addInputData('ai_tool', [[{ json: { query } }]]);
	ctx.addOutputData('ai_tool', index, [[{ json: describeRoute(route) }]]);
}

function describeRoute(route: Route) {
	return {
		summary: routeSummary(route),
		tools: route.tools.map(({ name, intent }) => ({ name, intent })),
		method: route.method,
		noneRelevant: route.noneRelevant,
		demands: [...route.demands],
		scores: route.ranked.map(({ tool, relevance, score, semantic, lexical }) => {
			return { tool: tool.name, relevance: round(relevance), score: round(score), semantic: round(semantic), lexical: round(lexical) };
		}),
		tokensAll: route.tokensAll,
		tokensShown: route.tokensShown,
		warnings: [...route.warnings],
	};
}

function round(value: number | undefined): number | undefined {
	return value === undefined ? undefined : Math.round(value * 1_000) / 1_000;
}

/**
 * The `execute` of a router: passes the call on to the node of the tool it names, then gives back what that node gave. It
 * never routes: here `$json.query` may be the tool's own argument.
 */
export async function passCallsOn(
	ctx: IExecuteFunctions,
	response: EngineResponse | undefined,
): Promise<INodeExecutionData[][] | EngineRequest> {
	if (response && response.actionResponses.length > 0) return [resultsOf(ctx, response)];
	const actions = await Promise.all(ctx.getInputData().map(async (item, at) => await actionFor(ctx, item, at)));
	return { actions, metadata: {} };
}

async function actionFor(ctx: IExecuteFunctions, item: INodeExecutionData, itemIndex: number) {
	try {
		const tools = await toolsByName(ctx, itemIndex);
		const named: Tool[] = [...tools].map(([name, { tool }]) => ({ ...tool, name }));
		const call = readToolItem(item.json, named);
		const connected = tools.get(call.tool);
		if (!connected) throw notHere(call.tool, named);
		const key = `${call.callId.replace(CALL_ID_PREFIX, '')}/${itemIndex}`;
		const { callId, input, budget } = call;
		return toAction(connected, { callId, input, itemIndex, ...(budget && { budget }) }, key);
	} catch (error) {
		throw toNodeError(ctx.getNode(), error, itemIndex);
	}
}

function notHere(name: string, tools: readonly Tool[]): CodedError {
	const names = tools.map((tool) => tool.name);
	const listed = names.slice(0, 12).join(', ') + (names.length > 12 ? ` and ${names.length - 12} more` : '');
	return new CodedError('BAD_INPUT', `No tool named "${name}" is connected to this router; it has: ${listed || 'none'}`, {
		remedy: 'This node passes on what an agent asks for. Connect the tool, or check its name.',
	});
}

function resultsOf(ctx: IExecuteFunctions, response: EngineResponse): INodeExecutionData[] {
	return returnedCalls(response).map(({ result, files, itemIndex }) => {
		if (result.isError) throw toNodeError(ctx.getNode(), new CodedError('UPSTREAM', result.text), itemIndex);
		const binary: IBinaryKeyData = Object.fromEntries(files.map((file, at) => [at === 0 ? 'data' : `data_${at}`, file]));
		const item: INodeExecutionData = { json: responseOf(result), pairedItem: { item: itemIndex } };
		return files.length > 0 ? { ...item, binary } : item;
	});
}
