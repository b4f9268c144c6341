import { isCodedError, messageOf, raise, type ErrorCode } from '../../core/errors';
import type { Message } from '../../core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../../core/model';
import type { Ports } from '../../core/ports';
import { appendLines } from '../append-line';
import { redact } from '../../text/redact';
import { redactMessage } from '../redact';

/** One exchange of a recording, as a line of its file. */
export interface Exchange {
	readonly format: 1;
	readonly model: string;
	/** Redacted. */
	readonly messages: readonly Message[];
	readonly tools: readonly string[];
	/** Redacted; deltas that follow one another are joined. */
	readonly events: readonly ModelEvent[];
	readonly failure?: { readonly code: ErrorCode; readonly message: string };
}

/**
 * The same model, each of whose exchanges is added to a file that the replay provider plays: free, offline, the same each time.
 *
 * Secrets are taken out of both sides. A reply that was stopped by its reader is not kept. A recording that cannot be written is a
 * warning, never a failed reply.
 */
export function recordedModel(model: ChatModel, file: string, ports: Ports, secrets: readonly string[]): ChatModel {
	return { ...model, stream: (request, signal) => record({ model, file, ports, secrets }, request, signal) };
}

interface Recording {
	readonly model: ChatModel;
	readonly file: string;
	readonly ports: Ports;
	readonly secrets: readonly string[];
}

async function* record(recording: Recording, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	const events: ModelEvent[] = [];
	try {
		for await (const event of recording.model.stream(request, signal)) {
			events.push(event);
			if (event.type === 'finish') await keep(recording, request, events);
			yield event;
		}
	} catch (error) {
		if (!signal.aborted) await keep(recording, request, events, error);
		raise(error);
	}
}

async function keep(
	{ model, file, ports, secrets }: Recording,
	request: ModelRequest,
	events: readonly ModelEvent[],
	error?: unknown,
): Promise<void> {
	const exchange: Exchange = {
		format: 1,
		model: model.id,
		messages: request.messages.map((message) => redactMessage(message, secrets)),
		tools: (request.tools ?? []).map(({ name }) => name),
		events: joined(events).map((event) => redactEvent(event, secrets)),
		...(error === undefined
			? {}
			: { failure: { code: isCodedError(error) ? error.code : 'INTERNAL', message: redact(messageOf(error), secrets) } }),
	};
	await appendLines(file, [exchange]).catch((failure: unknown) => {
		ports.log('warn', `The recording ${file} could not be written: ${messageOf(failure)}`);
	});
}

/** A key may be cut over several deltas, so they are joined before it is looked for. */
function joined(events: readonly ModelEvent[]): ModelEvent[] {
	const found: ModelEvent[] = [];
	for (const event of events) {
		const last = found.at(-1);
		if (last?.type === 'tool-call-delta' && event.type === 'tool-call-delta' && last.index === event.index) {
			found[found.length - 1] = { ...last, argumentsDelta: last.argumentsDelta + event.argumentsDelta };
		} else if (last && 'text' in last && 'text' in event && last.type === event.type) {
			found[found.length - 1] = { ...last, text: last.text + event.text };
		} else found.push(event);
	}
	return found;
}

function redactEvent(event: ModelEvent, secrets: readonly string[]): ModelEvent {
	if (event.type === 'finish') return { type: event.type, reason: event.reason, usage: event.usage };
	if (event.type === 'tool-call-delta') return { ...event, argumentsDelta: redact(event.argumentsDelta, secrets) };
	return { ...event, text: redact(event.text, secrets) };
}
