import type { ChatModel, ModelEvent, ModelRequest } from '../core/model';
import type { Granularity } from '../core/stream-message';
import { Regrouper } from '../text/regroup';

type TextEvent = Extract<ModelEvent, { type: 'text-delta' | 'reasoning-delta' }>;

/**
 * The same model, whose text comes token by token, by sentence or all at once. Works on every provider: a finer grain than the
 * API sends is not made up, a coarser one is gathered here. Calls come as they are; text before them is not held back.
 */
export function regroupedModel(model: ChatModel, granularity: Granularity): ChatModel {
	if (granularity === 'token') return model;
	return { ...model, stream: (request, signal) => regrouped(model, granularity, request, signal) };
}

async function* regrouped(
	model: ChatModel,
	granularity: Granularity,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	let open: { type: TextEvent['type']; text: Regrouper } | undefined;
	for await (const event of model.stream(request, signal)) {
		const isText = event.type === 'text-delta' || event.type === 'reasoning-delta';
		if (open && (!isText || event.type !== open.type)) {
			yield* asEvents(open.type, open.text.end());
			open = undefined;
		}
		if (!isText) {
			yield event;
			continue;
		}
		open ??= { type: event.type, text: new Regrouper(granularity) };
		yield* asEvents(open.type, open.text.add(event.text));
	}
	if (open) yield* asEvents(open.type, open.text.end());
}

function asEvents(type: TextEvent['type'], texts: readonly string[]): TextEvent[] {
	return texts.map((text) => ({ type, text }));
}
