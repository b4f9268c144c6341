import type {
	ChatModel as SdkChatModel,
	ChatModelConfig,
	GenerateResult,
	Message as SdkMessage,
	MessageContent,
	StreamChunk,
	TokenUsage,
	Tool as SdkTool,
} from '@n8n/ai-node-sdk';

import { collectReply, type ChatModel, type ModelRequest, type ToolSpec, type Usage } from '../core/model';
import type { Message, Part } from '../core/message';
import { jsonSchemaOf } from './json-schema-of';
import { aiNodeSdk } from './host-packages';

/**
 * Our chat model behind n8n's SDK, for n8n's own agents and chains. Our nodes never pass through it: they find the core
 * model under PORT_MARK.
 */
export function bridgeModel(model: ChatModel): SdkChatModel {
	const { BaseChatModel } = aiNodeSdk();
	const [provider = 'reactengine', ...rest] = model.id.split('/');

	class BridgedModel extends BaseChatModel {
		async generate(messages: SdkMessage[], config?: ChatModelConfig): Promise<GenerateResult> {
			const reply = await collectReply(model, this.requestOf(messages, config), signalOf(config));
			return {
				finishReason: reply.reason,
				usage: toSdkUsage(reply.usage),
				message: { role: 'assistant', content: reply.message.parts.flatMap(toSdkContent) },
			};
		}

		async *stream(messages: SdkMessage[], config?: ChatModelConfig): AsyncIterable<StreamChunk> {
			const ids = new Map<number, string>();
			for await (const event of model.stream(this.requestOf(messages, config), signalOf(config))) {
				if (event.type === 'text-delta') yield { type: 'text-delta', delta: event.text };
				if (event.type === 'finish') {
					yield { type: 'finish', finishReason: event.reason, usage: toSdkUsage(event.usage) };
				}
				if (event.type !== 'tool-call-delta') continue;
				if (event.callId) ids.set(event.index, event.callId);
				const id = ids.get(event.index);
				yield { type: 'tool-call-delta', id, name: event.name, argumentsDelta: event.argumentsDelta };
			}
		}

		private requestOf(messages: SdkMessage[], config?: ChatModelConfig): ModelRequest {
			const merged = this.mergeConfig(config);
			return {
				messages: messages.map(fromSdkMessage),
				tools: this.tools.flatMap(toToolSpec),
				temperature: merged.temperature,
				maxTokens: merged.maxTokens,
				stop: merged.stopSequences,
			};
		}
	}
	return new BridgedModel(provider, rest.join('/') || model.id);
}

/** n8n passes the signal as `abortSignal` or as `signal`, depending on the caller. */
function signalOf(config?: ChatModelConfig & { signal?: AbortSignal }): AbortSignal {
	return config?.abortSignal ?? config?.signal ?? new AbortController().signal;
}

function toToolSpec(tool: SdkTool): ToolSpec[] {
	if (tool.type !== 'function') return [];
	return [{ name: tool.name, description: tool.description ?? '', inputSchema: jsonSchemaOf(tool.inputSchema) }];
}

function toSdkUsage(usage: Usage): TokenUsage | undefined {
	if (usage.inputTokens === null && usage.outputTokens === null) return undefined;
	const promptTokens = usage.inputTokens ?? 0;
	const completionTokens = usage.outputTokens ?? 0;
	return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

function toSdkContent(part: Part): MessageContent[] {
	switch (part.type) {
		case 'text':
			return [{ type: 'text', text: part.text }];
		case 'reasoning':
			return [{ type: 'reasoning', text: part.text }];
		case 'tool-call':
			return [
				{ type: 'tool-call', toolCallId: part.callId, toolName: part.name, input: part.argumentsText || '{}' },
			];
		default:
			return [];
	}
}

function fromSdkMessage(message: SdkMessage): Message {
	return { role: message.role, parts: message.content.flatMap(fromSdkContent) };
}

function fromSdkContent(content: MessageContent): Part[] {
	switch (content.type) {
		case 'text':
			return [{ type: 'text', text: content.text }];
		case 'tool-call':
			return [
				{
					type: 'tool-call',
					callId: content.toolCallId ?? '',
					name: content.toolName,
					argumentsText: content.input,
				},
			];
		case 'tool-result':
			return [
				{
					type: 'tool-result',
					callId: content.toolCallId,
					name: '',
					text: typeof content.result === 'string' ? content.result : JSON.stringify(content.result),
					isError: content.isError ?? false,
				},
			];
		case 'file':
			return typeof content.data === 'string'
				? [{ type: 'file', mediaType: content.mediaType ?? 'application/octet-stream', data: content.data }]
				: [];
		default:
			return [];
	}
}
