import { NodeConnectionTypes, type IDataObject, type ISupplyDataFunctions } from 'n8n-workflow';

import { raise } from '../core/errors';
import { textOf } from '../core/message';
import { ReplyBuilder, type ChatModel, type ModelEvent, type ModelReply, type ModelRequest } from '../core/model';
import { toNodeError } from './to-node-error';

/** The same model, each of whose calls is shown as a run of the Chat Model node: messages in, text, calls and tokens out. */
export function loggedModel(ctx: ISupplyDataFunctions, model: ChatModel): ChatModel {
	return {
		id: model.id,
		capabilities: model.capabilities,
		stream: (request, signal) => loggedStream(ctx, model, { request, signal }),
	};
}

async function* loggedStream(
	ctx: ISupplyDataFunctions,
	model: ChatModel,
	{ request, signal }: { request: ModelRequest; signal: AbortSignal },
): AsyncGenerator<ModelEvent> {
	const { index } = ctx.addInputData(NodeConnectionTypes.AiLanguageModel, [[{ json: showRequest(request) }]]);
	const builder = new ReplyBuilder();
	let failure: ReturnType<typeof toNodeError> | undefined;
	try {
		for await (const event of model.stream(request, signal)) {
			builder.add(event);
			yield event;
		}
	} catch (error) {
		failure = toNodeError(ctx.getNode(), error);
		raise(error);
	} finally {
		ctx.addOutputData(NodeConnectionTypes.AiLanguageModel, index, failure ?? [[{ json: showReply(builder.reply()) }]]);
	}
}

function showRequest(request: ModelRequest): IDataObject {
	return {
		messages: request.messages as unknown as IDataObject[],
		tools: (request.tools ?? []).map((tool) => tool.name),
		...(request.responseSchema && { responseSchema: request.responseSchema as IDataObject }),
	};
}

function showReply(reply: ModelReply): IDataObject {
	const { inputTokens, outputTokens } = reply.usage;
	return {
		text: textOf(reply.message),
		toolCalls: reply.toolCalls.map(({ name, argumentsText, callId }) => ({ name, argumentsText, callId })),
		finishReason: reply.reason,
		...(inputTokens !== null && {
			tokenUsage: {
				promptTokens: inputTokens,
				completionTokens: outputTokens ?? 0,
				totalTokens: inputTokens + (outputTokens ?? 0),
			},
		}),
		...(reply.notes as IDataObject | undefined),
	};
}
