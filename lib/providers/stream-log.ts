import { messageOf, raise } from '../core/errors';
import { textOf } from '../core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../core/model';
import type { Ports } from '../core/ports';
import type { StreamMessage } from '../core/stream-message';
import { appendLines } from './append-line';
import { redact } from '../text/redact';
import type { StreamLogSettings } from './settings';
import { streamMessages } from './stream-messages';
import { StreamTimer } from './stream-timer';

/**
 * The same model, each of whose replies is written to a file: stream messages, one a line, with the time `at` which each came, then
 * the times of the whole. Secrets are always taken out; with `hidePrompts` only the lengths of what was sent are kept.
 *
 * A log that cannot be written is a warning, never a failed reply.
 */
export function streamLoggedModel(
	model: ChatModel,
	settings: StreamLogSettings,
	ports: Ports,
	secrets: readonly string[],
): ChatModel {
	return { ...model, stream: (request, signal) => logged({ model, settings, ports, secrets }, request, signal) };
}

interface Logging {
	readonly model: ChatModel;
	readonly settings: StreamLogSettings;
	readonly ports: Ports;
	readonly secrets: readonly string[];
}

async function* logged(logging: Logging, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	const { model, ports, settings } = logging;
	const timer = new StreamTimer(ports.clock);
	const seen: ModelEvent[] = [];
	let failure: unknown;
	try {
		for await (const event of model.stream(request, signal)) {
			timer.mark(event.type !== 'finish');
			seen.push(event);
			yield event;
		}
	} catch (error) {
		failure = error;
		raise(error);
	} finally {
		const lines = await linesFor(logging, request, { seen, failure, signal });
		await appendLines(settings.file, [...lines, { at: iso(ports), event: 'timing', ...timer.timing() }]).catch((error: unknown) => {
			ports.log('warn', `The stream log ${settings.file} could not be written: ${messageOf(error)}`);
		});
	}
}

interface Seen {
	readonly seen: readonly ModelEvent[];
	readonly failure: unknown;
	readonly signal: AbortSignal;
}

/** What was seen, told once more as stream messages, so that log and chat speak one protocol. */
async function linesFor({ model, ports, settings, secrets }: Logging, request: ModelRequest, { seen, failure, signal }: Seen): Promise<object[]> {
	const at = iso(ports);
	const again: ChatModel = { ...model, stream: () => retell(seen, failure ?? (signal.aborted ? signal.reason : undefined)) };
	const sent = request.messages.map((message) => {
		const text = textOf(message);
		return settings.hidePrompts ? { role: message.role, characters: text.length } : { role: message.role, text: redact(text, secrets) };
	});
	const id = ports.ids();
	const lines: object[] = [{ at, id, event: 'request', model: model.id, tools: (request.tools ?? []).map(({ name }) => name), messages: sent }];
	for await (const message of streamMessages(again, request, { id, signal: new AbortController().signal })) {
		lines.push({ at, ...hidden(message, secrets) });
	}
	return lines;
}

function hidden(message: StreamMessage, secrets: readonly string[]): StreamMessage {
	return { ...message, text: redact(message.text, secrets) };
}

async function* retell(events: readonly ModelEvent[], failure: unknown): AsyncGenerator<ModelEvent> {
	yield* events;
	if (failure !== undefined) throw failure;
}

function iso(ports: Ports): string {
	return new Date(ports.clock.now()).toISOString();
}
