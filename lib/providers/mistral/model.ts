import { createRequire } from 'node:module';
import type { ChatModel, ModelEvent, ModelRequest } from '../../core/model';
import type { Ports } from '../../core/ports';
import { brokenOff } from '../http-errors';
import type { ChatSettings } from '../settings';
import { StreamReader } from '../stream-reader';
import { mistralCall, mistralPlace } from './client';
import { toDelta } from './from-stream';
import { toRequest } from './to-request';

/** Loads a module when it is first needed, not when this file is. */
const load = createRequire(__filename);

const ROUTE = '/chat/completions';

/**
 * A chat model of the Mistral API, through Mistral's SDK. The SDK is loaded at the first call.
 *
 * @throws CodedError BAD_INPUT when no key or no model is given
 */
export function makeChatModel(settings: ChatSettings, ports: Ports): ChatModel {
	mistralPlace(settings, ROUTE);
	return {
		id: `mistral/${settings.model}`,
		capabilities: { tools: 'yes', responseSchema: 'yes', images: 'unknown' },
		stream: (request, signal) => stream(request, signal, settings, ports),
	};
}

async function* stream(
	request: ModelRequest,
	signal: AbortSignal,
	settings: ChatSettings,
	ports: Ports,
): AsyncGenerator<ModelEvent> {
	const { chatStream } =
		load('@mistralai/mistralai/funcs/chatStream.js') as typeof import('@mistralai/mistralai/funcs/chatStream.js');
	const call = mistralCall(settings, ports, signal, ROUTE);
	const reader = new StreamReader(() => ports.ids());
	try {
		const opened = await chatStream(call.client, toRequest(request, settings));
		if (!opened.ok) throw opened.error;
		for await (const { data } of opened.value) yield* reader.add(toDelta(data));
	} catch (error) {
		throw call.failure(error);
	}
	if (!reader.hasReason) throw brokenOff(mistralPlace(settings, ROUTE));
	yield* reader.end();
}
