/**
 * The chat engine (condense + context + chat, C3): a question and its conversation → an answer from documents, with citations.
 *
 * It receives what it works with: `retrieve` (or the passages themselves), a model, a history. It takes no actions and knows no
 * store. As a generator it gives the text while it comes; leaving it at any point closes the model's stream, so an abandoned chat
 * leaves no socket open.
 */
import type { Hit, Retriever } from '../core/document';
import { CodedError } from '../core/errors';
import type { Message } from '../core/message';
import { ReplyBuilder, type ChatModel, type ModelReply } from '../core/model';
import type { Ports } from '../core/ports';
import { answerPrompt, type AnswerKind } from './answer-prompt';
import { condense, languageOf, type Condensed } from './condense';
import type { ChatRequest } from './chat-request';
import { numberPassages } from './passages';
import { isGreeting, isOrder } from './passes-unchanged';
import { promptsFor } from './prompts';
import { toResult, type ChatResult } from './chat-result';
import { ThoughtFilter, withoutThoughts } from './thoughts';

export interface ChatParts {
	readonly model: ChatModel;
	/** Rewrites follow-ups; absent: the model. */
	readonly condenseModel?: ChatModel;
	/** Absent only when the request has documents. */
	readonly retrieve?: Retriever;
	readonly ports: Ports;
	readonly signal: AbortSignal;
}

export type ChatEvent =
	| { readonly type: 'condensed'; readonly condensed: Condensed }
	| { readonly type: 'retrieved'; readonly documents: readonly Hit[] }
	| { readonly type: 'text-delta'; readonly text: string };

/**
 * Answers one question.
 *
 * @throws CodedError BAD_INPUT for an empty question or when there is nothing to retrieve with, UPSTREAM when the model twice says
 *         nothing, and what the model or the retriever throws
 */
export async function* chat(parts: ChatParts, request: ChatRequest): AsyncGenerator<ChatEvent, ChatResult> {
	const { clock } = parts.ports;
	const startedAt = clock.now();
	check(parts, request);
	const language = request.language ?? languageOf(request.question, request.history);
	const condensed = await understand(parts, request);
	yield { type: 'condensed', condensed };
	const before = clock.now();
	const kind = kindOf(request);
	const found = kind === 'greeting' ? undefined : await passagesFor(parts, request, condensed.query);
	const retrieveMs = found && !request.documents ? clock.now() - before : null;
	if (found) yield { type: 'retrieved', documents: found };
	const passages = numberPassages(found ?? [], request.maxPassageTokens);
	const trace = { request, language, condensed, found, passages, startedAt, retrieveMs, model: parts.model.id };
	if (kind === 'question' && passages.length === 0 && !request.answersAnyway) {
		const answer = request.unknownAnswer ?? promptsFor(language).unknown;
		yield { type: 'text-delta', text: answer };
		const durationMs = clock.now() - startedAt;
		return toResult({ ...trace, prompt: [], reply: undefined, answer, answerMs: null, firstTokenMs: durationMs, durationMs });
	}
	const prompt = answerPrompt({ request, language, condensed, passages, kind, mark: parts.ports.ids().slice(0, 8) });
	const asked = clock.now();
	const { reply, firstTokenAt } = yield* say(parts, prompt, request.temperature);
	const ended = clock.now();
	const firstTokenMs = firstTokenAt === undefined ? null : firstTokenAt - startedAt;
	const answer = withoutThoughts(reply.text).trim();
	return toResult({ ...trace, prompt, reply, answer, answerMs: ended - asked, firstTokenMs, durationMs: ended - startedAt });
}

/** Runs a chat to its end. */
export async function answerQuestion(parts: ChatParts, request: ChatRequest): Promise<ChatResult> {
	const run = chat(parts, request);
	for (;;) {
		const next = await run.next();
		if (next.done) return next.value;
	}
}

function check(parts: ChatParts, { question, documents }: ChatRequest): void {
	if (question.trim() === '') throw new CodedError('BAD_INPUT', 'The question is empty', { remedy: 'Give the question as "query" or "chatInput" of the item.' });
	if (documents || parts.retrieve) return;
	throw new CodedError('BAD_INPUT', 'There are no documents to answer from', {
		remedy: 'Connect a retriever, for example RAG Retriever used as a retriever, or give the passages in Documents.',
	});
}

async function understand({ model, condenseModel, ports, signal }: ChatParts, request: ChatRequest): Promise<Condensed> {
	const { question, history, condenses } = request;
	return await condense({ question, history, skip: !condenses }, { model: async () => condenseModel ?? model, ports, signal });
}

function kindOf({ question, history }: ChatRequest): AnswerKind {
	if (isGreeting(question, history)) return 'greeting';
	return history.length > 0 && isOrder(question) ? 'order' : 'question';
}

async function passagesFor({ retrieve, signal }: ChatParts, request: ChatRequest, query: string): Promise<readonly Hit[]> {
	const { documents, topK, minScore } = request;
	const found = documents ?? (await retrieve?.({ query, topK, signal })) ?? [];
	return found.slice(0, topK).filter(({ score }) => score >= minScore);
}

interface Said {
	readonly reply: ModelReply;
	readonly firstTokenAt: number | undefined;
}

/** One reply, its text passed on while it comes; asked for once more when it is empty. */
async function* say({ model, ports, signal }: ChatParts, messages: readonly Message[], temperature: number): AsyncGenerator<ChatEvent, Said> {
	let firstTokenAt: number | undefined;
	for (let attempt = 1; attempt <= 2; attempt++) {
		const builder = new ReplyBuilder();
		const thoughts = new ThoughtFilter();
		const pass = function* (text: string): Generator<ChatEvent> {
			if (text === '') return;
			firstTokenAt ??= ports.clock.now();
			yield { type: 'text-delta', text };
		};
		for await (const event of model.stream({ messages, temperature }, signal)) {
			builder.add(event);
			if (event.type === 'text-delta') yield* pass(thoughts.add(event.text));
		}
		yield* pass(thoughts.end());
		const reply = builder.reply();
		if (withoutThoughts(reply.text).trim() !== '') return { reply, firstTokenAt };
	}
	throw new CodedError('UPSTREAM', `${model.id} gave an empty answer, twice`, { remedy: 'Try again, or use another model.', retryable: true });
}
