import { createHash } from 'node:crypto';

import { textOf, type Message } from '../core/message';
import type { RunReport, RunUsage } from '../core/run';
import type { ChatTrace } from './chat-request';
import { readCitations } from './citations';
import { sourcesOf, type ChatSource } from './passages';
import { CHAT_PROMPT_NAME, CHAT_PROMPT_VERSION, promptsFor } from './prompts';

/** One stage of a chat, with what went in and what came out, as plain JSON. */
export interface ChatStage {
	readonly name: 'condense' | 'retrieve' | 'answer';
	readonly input: unknown;
	readonly output: unknown;
	/** Null for a stage that had nothing to do. */
	readonly durationMs: number | null;
}

/** The `run` field of the output item: a run report with the stages of a chat in the place of steps. */
export interface ChatRun extends RunReport {
	readonly stages: readonly ChatStage[];
	/** Milliseconds; null for a stage that did not take place. */
	readonly timings: {
		readonly condenseMs: number;
		readonly retrieveMs: number | null;
		readonly answerMs: number | null;
		readonly firstTokenMs: number | null;
		readonly totalMs: number;
	};
}

export interface ChatResult {
	readonly answer: string;
	/** False when the documents do not answer the question. */
	readonly known: boolean;
	readonly sources: readonly ChatSource[];
	readonly query: string;
	readonly originalQuery: string;
	readonly run: ChatRun;
}

/** A mark of the fence around documents that the model repeated. */
const FENCE_MARK = /<\/?data [\da-z]{1,8}>\n?/gu;

/** Puts the answer, its sources and the report together. */
export function toResult(trace: ChatTrace): ChatResult {
	const { request, language, condensed, passages, reply } = trace;
	const read = readCitations(trace.answer.replace(FENCE_MARK, ''), passages.length);
	const unknown = request.unknownAnswer ?? promptsFor(language).unknown;
	const known = trace.found === undefined || (reply !== undefined && !says(read.text, unknown));
	const sources = known ? sourcesOf(passages, read.cited) : [];
	return {
		answer: read.text,
		known,
		sources,
		query: condensed.query,
		originalQuery: condensed.original,
		run: runOf(trace, { answer: read.text, sources, warnings: warningsOf(trace, { known, ...read }) }),
	};
}

/** Models put a citation or other marks around the words that they were told to say. */
function says(answer: string, unknown: string): boolean {
	const plain = (text: string): string => text.replace(/\[\d+\]/gu, '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim().toLowerCase();
	return plain(answer) === plain(unknown) || (plain(answer).startsWith(plain(unknown)) && answer.length < 2 * unknown.length);
}

function warningsOf(
	{ condensed, passages, found, reply }: ChatTrace,
	{ known, cited, unknown }: { known: boolean; cited: ReadonlySet<number>; unknown: readonly number[] },
): string[] {
	return [
		...(condensed.how === 'original' ? [`The question was not condensed: ${condensed.reason}`] : []),
		...(condensed.how === 'repaired' ? [`Put back into the condensed question: ${condensed.restored?.join(', ')}`] : []),
		...(found && passages.length < found.length ? [`${passages.length} of ${found.length} passages are in the prompt: the others are empty, repeated or beyond its limit`] : []),
		...(known && passages.length > 0 && cited.size === 0 ? ['The answer cites no passage: all of them are given as sources'] : []),
		...(unknown.length > 0 ? [`The answer cited passages that do not exist: ${[...new Set(unknown)].join(', ')}`] : []),
		...(reply?.reason === 'length' ? ['The answer was cut: the model reached its limit of tokens'] : []),
	];
}

function runOf(trace: ChatTrace, { answer, sources, warnings }: { answer: string; sources: readonly ChatSource[]; warnings: string[] }): ChatRun {
	const { request, condensed, prompt, reply, startedAt, durationMs, retrieveMs, answerMs, firstTokenMs } = trace;
	const [system] = prompt;
	const question = prompt.at(-1);
	return {
		usage: usageOf(trace),
		stoppedBy: 'answer',
		partial: reply?.reason === 'length',
		answer,
		steps: [],
		stages: stagesOf(trace, answer),
		startedAt: new Date(startedAt).toISOString(),
		durationMs,
		firstTokenMs,
		timings: { condenseMs: condensed.durationMs, retrieveMs, answerMs, firstTokenMs, totalMs: durationMs },
		protocol: 'native',
		prompt: {
			name: CHAT_PROMPT_NAME,
			version: CHAT_PROMPT_VERSION,
			hash: createHash('sha256').update(prompt.length > 1 && system ? textOf(system) : '').digest('hex').slice(0, 16),
			system: system && prompt.length > 1 ? textOf(system) : '',
			question: question ? textOf(question) : request.question,
		},
		tools: [],
		sources: sources.map(({ title, source }) => ({ title, ...(source !== undefined && { source }) })),
		warnings,
	};
}

function usageOf({ condensed, reply, model }: ChatTrace): RunUsage {
	const sum = (...counts: (number | null | undefined)[]): number | null => {
		const known = counts.filter((count): count is number => typeof count === 'number');
		return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
	};
	const models = [...new Set([condensed.model, reply && model].filter((one) => one !== undefined))];
	return {
		model: models.join(', ') || model,
		in: sum(condensed.usage?.in, reply?.usage.inputTokens),
		out: sum(condensed.usage?.out, reply?.usage.outputTokens),
		...(reply?.usage.cachedInputTokens !== undefined && { cached: reply.usage.cachedInputTokens }),
		cost: null,
	};
}

function stagesOf({ request, condensed, found, passages, prompt, reply, retrieveMs, answerMs }: ChatTrace, answer: string): ChatStage[] {
	const { durationMs, prompt: condensePrompt, ...output } = condensed;
	const retrieval = found && {
		name: 'retrieve' as const,
		input: request.documents ? { documents: request.documents.length } : { query: condensed.query, topK: request.topK },
		output: { documents: found, inPrompt: passages.map(({ number, hit }) => ({ number, id: hit.id })) },
		durationMs: retrieveMs,
	};
	return [
		{ name: 'condense', input: { question: request.question, historyMessages: request.history.length, ...(condensePrompt && { prompt: condensePrompt }) }, output, durationMs },
		...(retrieval ? [retrieval] : []),
		{ name: 'answer', input: { messages: prompt.map(shown) }, output: { answer, ...(reply && { finishReason: reply.reason, usage: reply.usage }) }, durationMs: answerMs },
	];
}

function shown(message: Message): { role: string; text: string } {
	return { role: message.role, text: textOf(message) };
}
