import { NodeConnectionTypes, type IDataObject, type ISupplyDataFunctions, type SupplyData } from 'n8n-workflow';

import type { Embedder, FoundHits, Retriever } from '../core/document';
import type { ChatModel } from '../core/model';
import { PORT_MARK, type HiddenTools, type PortValue } from '../core/ports';
import type { Tool, ToolContext, ToolOutput } from '../core/tool';
import { bridgeModel } from './bridge-model';
import { aiNodeSdk } from './host-packages';
import { logged } from './logged';
import { loggedModel } from './logged-model';
import { responseOf } from './tool-item';

/**
 * Core types → what n8n's ports expect. Each response has n8n's shape and carries our core type under PORT_MARK, so that
 * our own nodes skip the bridge. Uses by our own nodes are shown on the canvas here; uses by n8n's nodes too.
 */

/** A chat model for the ai_languageModel port. */
export function supplyModel(ctx: ISupplyDataFunctions, model: ChatModel): SupplyData {
	const supplied = aiNodeSdk().supplyModel(ctx, bridgeModel(model));
	return marked(supplied.response, { version: 1, kind: 'model', value: loggedModel(ctx, model) });
}

/**
 * Tools for the ai_tool port, always as a toolkit: n8n's agent rebuilds the name of a single tool from its node's name.
 *
 * Each call makes new objects, since n8n's agent writes into the schema of what it gets.
 */
export function supplyTools(ctx: ISupplyDataFunctions, tools: readonly Tool[], hidden?: HiddenTools): SupplyData {
	const shown = tools.map((tool) => ({ ...tool, run: loggedRun(ctx, tool) }));
	const members = shown.map((tool) => toN8nTool(ctx, tool));
	const held = hidden && { ...hidden, tools: hidden.tools.map((tool) => ({ ...tool, run: loggedRun(ctx, tool) })) };
	return marked({ tools: members, getTools: () => members }, { version: 1, kind: 'tools', value: shown, ...(held && { hidden: held }) });
}

/** An embedder for the ai_embedding port. */
export function supplyEmbedder(ctx: ISupplyDataFunctions, embedder: Embedder): SupplyData {
	const shown = loggedEmbedder(ctx, embedder);
	const embedAll = async (texts: string[], kind: 'query' | 'passage') =>
		(await shown.embed(texts, { kind, signal: ctx.getExecutionCancelSignal() })).map((vector) => [...vector]);
	const response = {
		embedQuery: async (text: string) => (await embedAll([text], 'query'))[0] ?? [],
		embedDocuments: async (texts: string[]) => await embedAll(texts, 'passage'),
	};
	return marked(response, { version: 1, kind: 'embedder', value: shown });
}

/** A retriever for the ai_retriever port; n8n's chains get at most `topK` documents. */
export function supplyRetriever(ctx: ISupplyDataFunctions, retriever: Retriever, topK: number): SupplyData {
	const shown: Retriever = async (request) =>
		await logged(
			ctx,
			{
				type: NodeConnectionTypes.AiRetriever,
				input: { query: request.query, topK: request.topK },
				show: (hits: FoundHits) => ({ documents: hits as unknown as IDataObject[], ...(hits.warnings?.length && { warnings: [...hits.warnings] }) }),
			},
			async () => await retriever(request),
		);
	const invoke = async (query: string) =>
		(await shown({ query, topK, signal: ctx.getExecutionCancelSignal() })).map(toPage);
	const response = { lc_runnable: true, name: 'retriever', invoke, getRelevantDocuments: invoke };
	return marked(response, { version: 1, kind: 'retriever', value: shown });
}

function marked(response: unknown, value: PortValue): SupplyData {
	Object.defineProperty(response, PORT_MARK, { value, enumerable: false });
	return { response };
}

function toPage(hit: FoundHits[number]): { pageContent: string; metadata: Record<string, unknown> } {
	const { id, documentId, title, source, score } = hit;
	return { pageContent: hit.text, metadata: { ...hit.meta, id, documentId, title, source, score } };
}

function toN8nTool(ctx: ISupplyDataFunctions, tool: Tool) {
	const signal = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	return {
		name: tool.name,
		description: tool.description,
		schema: structuredClone(tool.inputSchema),
		metadata: {},
		invoke: async (args: unknown) => (await tool.run(argumentsOf(args), { signal })).text,
	};
}

/** n8n's callers pass the arguments themselves or a whole tool call `{args}`. */
function argumentsOf(args: unknown): Record<string, unknown> {
	if (typeof args !== 'object' || args === null) return {};
	const given = args as Record<string, unknown>;
	return given.type === 'tool_call' ? argumentsOf(given.args) : given;
}

function loggedRun(ctx: ISupplyDataFunctions, tool: Tool): Tool['run'] {
	return async (input, context: ToolContext) =>
		await logged(
			ctx,
			{
				type: NodeConnectionTypes.AiTool,
				input: { tool: tool.name, toolInput: input as IDataObject },
				show: (output: ToolOutput) => responseOf(output),
			},
			async () => await tool.run(input, context),
		);
}

function loggedEmbedder(ctx: ISupplyDataFunctions, embedder: Embedder): Embedder {
	return {
		id: embedder.id,
		embed: async (texts, options) =>
			await logged(
				ctx,
				{
					type: NodeConnectionTypes.AiEmbedding,
					input: { texts: texts.length, kind: options.kind, first: (texts[0] ?? '').slice(0, 200) },
					show: (vectors: Float32Array[]) => ({
						vectors: vectors.length,
						dimension: vectors[0]?.length ?? 0,
						model: embedder.id,
					}),
				},
				async () => await embedder.embed(texts, options),
			),
	};
}
