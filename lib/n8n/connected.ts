import { NodeConnectionTypes, type IExecuteFunctions, type ISupplyDataFunctions, type NodeExecutionHint } from 'n8n-workflow';

import type { Embedder } from '../core/document';
import { CodedError } from '../core/errors';
import type { ConversationMemory } from '../core/memory';
import type { ChatModel } from '../core/model';
import { portValueOf } from '../core/ports';
import { foreignModel } from './foreign-model';
import { foreignMemory, isOfThisProcess } from './foreign-memory';

/**
 * Ports → core types: our own nodes are recognised by their mark, all others by their shape, never by `instanceof`.
 */
export type ConnectedContext = IExecuteFunctions | ISupplyDataFunctions;

/**
 * The connected chat models, the first connected first; n8n gives them in reverse order.
 *
 * @throws BAD_INPUT when something connected is not a chat model
 */
export async function connectedModels(ctx: ConnectedContext, itemIndex: number): Promise<ChatModel[]> {
	const supplied = await ctx.getInputConnectionData(NodeConnectionTypes.AiLanguageModel, itemIndex);
	return asList(supplied).reverse().map(toModel);
}

/** The first connected chat model. @throws BAD_INPUT when none is connected */
export async function connectedModel(ctx: ConnectedContext, itemIndex: number): Promise<ChatModel> {
	const [model] = await connectedModels(ctx, itemIndex);
	if (model) return model;
	throw new CodedError('BAD_INPUT', 'No chat model is connected', {
		remedy: 'Connect a Chat Model node (or one of n8n\'s chat models) to the Model input.',
	});
}

/** The connected embedder, or undefined when none is. n8n's own are named by their model, when they tell it. */
export async function connectedEmbedder(ctx: ConnectedContext, itemIndex: number): Promise<Embedder | undefined> {
	const [supplied] = asList(await ctx.getInputConnectionData(NodeConnectionTypes.AiEmbedding, itemIndex));
	if (supplied === undefined) return undefined;
	const marked = portValueOf(supplied);
	if (marked?.kind === 'embedder') return marked.value;
	if (isForeignEmbedder(supplied)) return fromForeignEmbedder(supplied);
	throw new CodedError('BAD_INPUT', 'What is connected to the Embeddings input is not an embeddings node', {
		remedy: 'Connect the Embeddings node or one of n8n\'s embeddings nodes.',
	});
}

/** The connected memory, or undefined when none is: ours with the calls of its turns, n8n's with questions and answers. */
export async function connectedMemory(ctx: ConnectedContext, itemIndex: number): Promise<ConversationMemory | undefined> {
	const [supplied] = asList(await ctx.getInputConnectionData(NodeConnectionTypes.AiMemory, itemIndex));
	if (supplied === undefined) return undefined;
	const marked = portValueOf(supplied);
	if (marked?.kind === 'memory') return marked.value;
	if (process.env.EXECUTIONS_MODE === 'queue' && isOfThisProcess(supplied) && 'addExecutionHints' in ctx) ctx.addExecutionHints(LOST_MEMORY);
	return foreignMemory(supplied);
}

const LOST_MEMORY: NodeExecutionHint = {
	message: 'The connected memory lives in one process: in queue mode the next execution may run on a worker that does not have it. Use Conversation Memory with Postgres.',
	type: 'warning',
	location: 'outputPane',
};

/** One value, a list or nothing, as a new list. */
export function asList(supplied: unknown): unknown[] {
	if (supplied === undefined || supplied === null) return [];
	return Array.isArray(supplied) ? [...supplied] : [supplied];
}

function toModel(supplied: unknown): ChatModel {
	const marked = portValueOf(supplied);
	return marked?.kind === 'model' ? marked.value : foreignModel(supplied);
}

interface ForeignEmbedder {
	readonly model?: unknown;
	readonly modelName?: unknown;
	embedQuery(text: string): Promise<number[]>;
	embedDocuments(texts: string[]): Promise<number[][]>;
}

function isForeignEmbedder(supplied: unknown): supplied is ForeignEmbedder {
	return typeof supplied === 'object' && supplied !== null && 'embedQuery' in supplied && 'embedDocuments' in supplied;
}

function fromForeignEmbedder(foreign: ForeignEmbedder): Embedder {
	const name = foreign.model ?? foreign.modelName ?? foreign.constructor.name;
	return {
		id: `n8n/${String(name)}`,
		embed: async (texts, { kind }) => {
			const vectors =
				kind === 'query'
					? await Promise.all(texts.map(async (text) => await foreign.embedQuery(text)))
					: await foreign.embedDocuments([...texts]);
			return vectors.map((vector) => unit(Float32Array.from(vector)));
		},
	};
}

function unit(vector: Float32Array): Float32Array {
	const length = Math.hypot(...vector);
	return length === 0 ? vector : vector.map((value) => value / length);
}
