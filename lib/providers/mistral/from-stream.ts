import type { CompletionChunk } from '@mistralai/mistralai/models/components';
import type { StreamDelta } from '../stream-reader';

/** One chunk of the SDK as a neutral delta. The SDK gives a call without index the index 0, and one without id the id "null". */
export function toDelta(chunk: CompletionChunk): StreamDelta {
	const choice = chunk.choices[0];
	const { usage } = chunk;
	return {
		content: choice?.delta.content,
		calls: (choice?.delta.toolCalls ?? []).map((call) => ({
			index: call.index,
			id: call.id,
			name: call.function.name,
			arguments: call.function.arguments,
		})),
		...(choice?.finishReason ? { finishReason: choice.finishReason } : {}),
		...(usage
			? { usage: { inputTokens: usage.promptTokens ?? null, outputTokens: usage.completionTokens ?? null } }
			: {}),
	};
}
