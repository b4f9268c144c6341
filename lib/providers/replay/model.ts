/**
 * Replay: a model that is played from a script, for demonstrations and tests where no model can be called.
 *
 * In: a request and a script of turns. Out: the events a model would have streamed. The script chooses the tools; every figure
 * it quotes comes by reference from the results of the same run (see references). It keeps no state: its place in the script
 * is read from the messages, so another worker can go on.
 */
import { CodedError } from '../../core/errors';
import { textOf } from '../../core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../../core/model';
import type { Ports } from '../../core/ports';
import { recordingModel } from '../recording/play-recording';
import type { ChatSettings } from '../settings';
import { oneCallATurn, positionOf, type Position } from './position';
import { fillAsText, fillReferences } from './references';
import { replyTo } from './replies';
import { readScript, type Script, type ScriptCall, type ScriptTurn } from './script';
import { replyWithoutTools } from './without-tools';

const PIECE_CHARACTERS = 24;
/** Said when the loop takes the tools away before the script is at its answer. */
const FORCED_END = 'The replayed script was stopped before its answer: the agent reached one of its limits.';

/**
 * A model that plays `settings.script`, or the recording in `settings.recordingFile`; `settings.model` is the script's name unless it
 * has its own.
 *
 * @throws CodedError BAD_INPUT for a script that cannot be read; while playing, for a tool that is not offered, a reference
 *         without value, and a turn behind the last one
 */
export function makeChatModel(settings: ChatSettings, ports: Ports): ChatModel {
	if (settings.recordingFile !== undefined) return recordingModel(settings.recordingFile);
	const script = readScript(settings.script, settings.model);
	return {
		id: `replay/${script.name}`,
		capabilities: { tools: 'yes', responseSchema: 'no', images: 'no' },
		stream: (request, signal) => play(script, request, ports.ids, signal),
	};
}

async function* play(
	script: Script,
	request: ModelRequest,
	newId: () => string,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	signal.throwIfAborted();
	const found = script.replies ? replyTo(script.replies, script.name, request) : { turns: script.turns, groups: {} };
	if ('answer' in found) return yield* playReply(found.answer, signal);
	const isText = !request.tools || request.tools.length === 0;
	const turns = isText ? oneCallATurn(found.turns) : found.turns;
	const position = positionOf(request.messages, turns, found.groups);
	const planned = isText && !speaksReAct(request) && (turns[position.turn]?.calls.length ?? 0) > 0 ? replyWithoutTools(found.turns, request) : undefined;
	if (planned !== undefined) return yield* playReply(planned, signal);
	const turn = turns[position.turn];
	if (!turn) throw behindTheEnd(script, turns.length);
	const events = eventsOf(turn, position, request, newId);
	for (const event of events) {
		signal.throwIfAborted();
		yield event;
	}
	const reason = events.some(({ type }) => type === 'tool-call-delta') ? 'tool-calls' : 'stop';
	yield { type: 'finish', reason, usage: { inputTokens: null, outputTokens: null } };
}

async function* playReply(answer: string, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	for (const event of pieces('text-delta', answer)) {
		signal.throwIfAborted();
		yield event;
	}
	yield { type: 'finish', reason: 'stop', usage: { inputTokens: null, outputTokens: null } };
}

function eventsOf(turn: ScriptTurn, position: Position, request: ModelRequest, newId: () => string): ModelEvent[] {
	if (request.tools && request.tools.length > 0) return nativeEvents(turn, position, request, newId);
	const labelled = speaksReAct(request);
	const isForcedEnd = !labelled && turn.calls.length > 0 && position.turn > 0;
	return isForcedEnd ? pieces('text-delta', FORCED_END) : textEvents(turn, position, labelled);
}

function nativeEvents(turn: ScriptTurn, position: Position, request: ModelRequest, newId: () => string): ModelEvent[] {
	const thought = fillAsText(turn.thought, position);
	if (turn.answer !== undefined) {
		return [...pieces('reasoning-delta', thought), ...pieces('text-delta', fillAsText(turn.answer, position))];
	}
	const calls = turn.calls.map((call, index): ModelEvent => {
		checkOffered(call, request);
		const argumentsDelta = JSON.stringify(fillReferences(call.arguments, position));
		return { type: 'tool-call-delta', index, callId: `call_${newId()}`, name: call.tool, argumentsDelta };
	});
	return [...pieces('text-delta', thought), ...calls];
}

/** The text protocol, for requests without tools; a plain answer where the instructions do not speak of it. */
function textEvents(turn: ScriptTurn, position: Position, labelled: boolean): ModelEvent[] {
	const thought = fillAsText(turn.thought, position);
	const head = thought === '' ? '' : `Thought: ${thought}\n`;
	const [call] = turn.calls;
	if (call) {
		const input = JSON.stringify(fillReferences(call.arguments, position));
		return pieces('text-delta', `${head}Action: ${call.tool}\nAction Input: ${input}`);
	}
	const answer = fillAsText(turn.answer ?? '', position);
	if (labelled) return pieces('text-delta', `${head}Answer: ${answer}`);
	return [...pieces('reasoning-delta', thought), ...pieces('text-delta', answer)];
}

function speaksReAct(request: ModelRequest): boolean {
	return request.messages.some((message) => message.role === 'system' && /Action Input/i.test(textOf(message)));
}

function checkOffered(call: ScriptCall, request: ModelRequest): void {
	const offered = (request.tools ?? []).map((tool) => tool.name);
	if (offered.includes(call.tool)) return;
	throw new CodedError('BAD_INPUT', `The replay script calls the tool "${call.tool}", which is not offered (offered: ${offered.join(', ')})`, {
		remedy: 'Connect that tool, let the Tool Router always keep it, or change the script of the model node.',
	});
}

function behindTheEnd(script: Script, turns: number): CodedError {
	return new CodedError('BAD_INPUT', `The replay script "${script.name}" has ${turns} turns and all of them are played`, {
		remedy: 'End the script with a turn that has an answer.',
	});
}

/** Text in small pieces, so that a replay streams as a model does; never splits a surrogate pair. */
function pieces(type: 'text-delta' | 'reasoning-delta', text: string): ModelEvent[] {
	const found = text.match(new RegExp(`.{1,${PIECE_CHARACTERS}}`, 'gsu')) ?? [];
	return found.map((piece) => ({ type, text: piece }));
}
