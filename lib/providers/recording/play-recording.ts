import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CodedError } from '../../core/errors';
import type { Message } from '../../core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../../core/model';
import { isRecord, jsonOf } from '../json';
import { redactMessage } from '../redact';
import type { Exchange } from './record-model';

const PIECE_CHARACTERS = 24;
const SHOWN_CHARACTERS = 200;
/** What differs from run to run without meaning: ids, hashes, fences, dates and times. */
const VOLATILE: readonly [RegExp, string][] = [
	[/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
	[/=== \w+ [0-9a-z]{6,} ===/gi, '<fence>'],
	[/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g, '<date>'],
	[/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/gi, '<id>'],
];

/**
 * A model that plays a recording. The exchange is found by the messages of the request, so a run may be continued by another worker;
 * when the same request was made several times its replies come in order, then from the start again.
 *
 * @throws CodedError BAD_INPUT for a file that is none; while playing, for a request that was not recorded: it names the first message
 *         that differs
 */
export function recordingModel(file: string): ChatModel {
	const exchanges = readRecording(file);
	const name = path.basename(file).replace(/\.jsonl$/, '');
	const played = new Map<string, number>();
	return {
		id: `replay/${name}`,
		capabilities: { tools: 'yes', responseSchema: 'yes', images: 'yes' },
		stream: (request, signal) => play(find(exchanges, request, played, name), signal),
	};
}

/** The exchanges of a recording. Throws CodedError BAD_INPUT when the file is missing, empty or no recording. */
export function readRecording(file: string): Exchange[] {
	if (!existsSync(file)) throw unusable(file, 'there is no such file');
	const text = readFileSync(file, 'utf8');
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	if (lines.length === 0) throw unusable(file, 'it is empty');
	return lines.map((line, at) => {
		const value = jsonOf(line);
		if (isRecord(value) && value['format'] === 1 && Array.isArray(value['messages']) && Array.isArray(value['events'])) {
			return value as unknown as Exchange;
		}
		throw unusable(file, `line ${at + 1} is no exchange`);
	});
}

function find(exchanges: readonly Exchange[], request: ModelRequest, played: Map<string, number>, name: string): Exchange {
	const asked = request.messages.map(comparable);
	const rated = exchanges.map((exchange) => ({ exchange, same: commonStart(exchange.messages.map(comparable), asked) }));
	const exact = rated.filter(({ exchange, same }) => same === asked.length && exchange.messages.length === asked.length);
	if (exact.length > 0) {
		const key = asked.join('\n');
		const turn = played.get(key) ?? 0;
		played.set(key, turn + 1);
		return exact[turn % exact.length]!.exchange;
	}
	const nearest = rated.reduce((best, one) => (one.same > best.same ? one : best));
	throw differs(nearest.exchange, nearest.same, request, name);
}

function differs(exchange: Exchange, at: number, request: ModelRequest, name: string): CodedError {
	const recorded = exchange.messages[at];
	const asked = request.messages[at];
	return new CodedError(
		'BAD_INPUT',
		`The recording "${name}" holds no such request: message ${at + 1} differs. Recorded: ${shown(recorded)}. Now: ${shown(asked)}`,
		{ remedy: 'Run the workflow with the inputs it was recorded with, or record it anew with the real model.' },
	);
}

function shown(message: Message | undefined): string {
	if (!message) return '(none)';
	const text = message.parts.map((part) => ('text' in part ? part.text : part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.type));
	return `${message.role} "${text.join(' ').replace(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS)}"`;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
	const differing = a.findIndex((text, at) => text !== b[at]);
	return differing < 0 ? Math.min(a.length, b.length) : differing;
}

function comparable(message: Message): string {
	const text = JSON.stringify({ role: message.role, parts: redactMessage(message).parts });
	return VOLATILE.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text);
}

async function* play(exchange: Exchange, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	for (const event of exchange.events) {
		for (const piece of inPieces(event)) {
			signal.throwIfAborted();
			yield piece;
		}
	}
	const { failure } = exchange;
	if (failure) throw new CodedError(failure.code, failure.message, { remedy: 'This error was recorded with the run.' });
}

function inPieces(event: ModelEvent): ModelEvent[] {
	if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return [event];
	const texts = event.text.match(new RegExp(`.{1,${PIECE_CHARACTERS}}`, 'gsu')) ?? [];
	return texts.map((text) => ({ type: event.type, text }));
}

function unusable(file: string, why: string): CodedError {
	return new CodedError('BAD_INPUT', `The recording ${file} cannot be played: ${why}`, {
		remedy: 'Record a run first: switch on Record Exchanges in the options of a Chat Model and give it the same name.',
	});
}
