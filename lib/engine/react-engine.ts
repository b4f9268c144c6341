/**
 * ReActEngine: the whole engine without n8n, for tests, scripts and other hosts. It wires a theme (a retriever, tools, an
 * embedder) from the rooms: retrieve → compress → route tools → ReAct loop in direct mode.
 *
 * Between calls it keeps only what `start` and `setHistory` were given; each prompt is a run of its own. A session with a memory follows what
 * that memory holds, and keeps each answer there.
 */
import type { Embedder, Retriever } from '../core/document';
import { CodedError } from '../core/errors';
import type { Message } from '../core/message';
import { textMessage } from '../core/message';
import type { ConversationMemory } from '../core/memory';
import type { ChatModel } from '../core/model';
import type { Ports } from '../core/ports';
import type { RunEvent, RunReport } from '../core/run';
import { StreamWriter, type Granularity, type StreamMessage } from '../core/stream-message';
import type { Tool } from '../core/tool';
import { answerQuestion } from '../chat/chat-engine';
import type { ChatResult } from '../chat/chat-result';
import { DEFAULT_CHAT } from '../chat/engine';
import { DEFAULT_LIMITS, type AgentSetup, type Limits } from '../react/agent-setup';
import { DEFAULT_INSTRUCTIONS, detailInstruction, type AnswerDetail } from '../react/prompts';
import { rememberedTurn } from '../react/remembered-turn';
import { runReport } from '../react/report';
import { memoryResultStore } from '../react/result-store';
import { runAgent, type AgentEnd } from '../react/run-agent';
import { RunStream, type StreamChoice } from '../react/run-stream';
import { runToolCalls } from '../react/run-tool-calls';
import { startRun } from '../react/start-run';
import type { AgentState } from '../react/agent-state';
import { routeTools } from '../routing/tool-router';
import type { Language } from '../text/language';
import { compressedRetriever, documentsFor } from './theme-documents';

export interface EngineTheme {
	/** Passages of an index of the theme, as the bearer of the token may see them; absent: the theme has no documents. */
	readonly open?: (index: string | undefined, token: string | undefined) => Promise<Retriever>;
	readonly tools?: readonly Tool[];
	readonly embedder?: Embedder;
	readonly instructions?: string;
}

export interface EngineParts {
	readonly model: ChatModel;
	readonly fallbackModel?: ChatModel;
	/** Tools of every theme. */
	readonly tools?: readonly Tool[];
	readonly themes?: Readonly<Record<string, EngineTheme>>;
	readonly ports: Ports;
	readonly limits?: Partial<Limits>;
}

export interface EngineSession {
	/** Absent: no documents, only the engine's own tools. */
	readonly theme?: string;
	readonly language: Language;
	readonly detail: AnswerDetail;
	readonly index?: string;
	readonly token?: string;
	/** A plan is written first and then followed step by step. */
	readonly plansFirst?: boolean;
	/** Where the conversation is kept; absent: the host keeps it and gives it with `setHistory`. */
	readonly memory?: ConversationMemory;
}

export interface StreamOptions {
	readonly signal?: AbortSignal;
	readonly choice?: StreamChoice;
	readonly granularity?: Granularity;
}

const TOOLS_SHOWN = 8;
const PASSTHROUGH_UP_TO = 12;
const TOOL_TIMEOUT_MS = 60_000;

export class ReActEngine {
	private session: EngineSession = { language: 'en', detail: 'standard' };
	/** Absent until `setHistory`: then the memory of the session tells it, if there is one. */
	private given: readonly Message[] | undefined;

	constructor(private readonly parts: EngineParts) {}

	/** Begins a conversation: the history is empty again. @throws BAD_INPUT for a theme that does not exist */
	start(session: EngineSession): void {
		this.themeOf(session);
		this.session = session;
		this.given = undefined;
	}

	/** The conversation so far, oldest first, for all prompts until `start`; [] means a fresh question, whatever came before. */
	setHistory(messages: readonly Message[]): void {
		this.given = messages;
	}

	/** Answers a prompt piece by piece. Leaving the loop ends the run and closes its sockets. The last message is `complete` on the answer channel, with why the run ended, or `error`. */
	async *stream(prompt: string, options: StreamOptions = {}): AsyncGenerator<StreamMessage> {
		const writer = new StreamWriter(this.parts.ports.ids());
		yield writer.write('start', 'control');
		const stream = new RunStream(options.choice ?? 'answer', options.granularity ?? 'token');
		const run = this.run(prompt, options.signal);
		try {
			yield* toMessages(run, writer, stream);
		} finally {
			await run.return(undefined as never);
		}
	}

	/** Answers a prompt and reports the run. A failed run is reported too; it does not throw. */
	async getEngineResponse(prompt: string, signal?: AbortSignal): Promise<RunReport> {
		const run = this.run(prompt, signal);
		for (;;) {
			const next = await run.next();
			if (!next.done) continue;
			const { setup, state, end } = next.value;
			return await runReport(setup, state, { end, detail: 'full' });
		}
	}

	/**
	 * Answers from the documents of the theme alone, with citations and sources, or says that they do not tell: condense, retrieve, compress, answer.
	 *
	 * @throws CodedError BAD_INPUT when the theme has no documents, and what the model or the retriever throws
	 */
	async getChatResponse(prompt: string, signal = new AbortController().signal): Promise<ChatResult> {
		const { model, ports } = this.parts;
		const { language, detail } = this.session;
		const { open, embedder, instructions = '' } = this.themeOf(this.session);
		const history = await this.historyNow();
		const retrieve = open && compressedRetriever({ retrieve: await open(this.session.index, this.session.token), history, signal, ...(embedder && { embedder }) });
		const parts = { model, ports, signal, ...(retrieve && { retrieve }) };
		const result = await answerQuestion(parts, { ...DEFAULT_CHAT, instructions, language, detail, question: prompt, history });
		await this.keep([textMessage('user', prompt), textMessage('assistant', result.answer)]);
		return result;
	}

	private async historyNow(): Promise<readonly Message[]> {
		return this.given ?? (await this.session.memory?.load()) ?? [];
	}

	private async keep(turn: readonly Message[]): Promise<void> {
		await this.session.memory?.save(turn, this.given?.length === 0);
	}

	private async *run(prompt: string, signal = new AbortController().signal): AsyncGenerator<RunEvent, Ended> {
		if (prompt.trim() === '') throw new CodedError('BAD_INPUT', 'The prompt is empty');
		const { session } = this;
		const theme = this.themeOf(session);
		const history = await this.historyNow();
		const context = await this.contextFor(prompt, theme, { history, signal });
		const setup = await this.setupFor(prompt, theme, signal);
		const { ports } = this.parts;
		const state = await startRun(setup, {
			instructions: `${theme.instructions ?? DEFAULT_INSTRUCTIONS}\n${detailInstruction(session.language, session.detail)}`,
			query: prompt,
			context,
			history,
			today: new Date(ports.clock.now()).toISOString().slice(0, 10),
			plansFirst: session.plansFirst ?? false,
		});
		const outcome = yield* runAgent(setup, state, async (calls) =>
			await runToolCalls(setup.tools, calls, { ports, signal, timeoutMs: TOOL_TIMEOUT_MS }),
		);
		if (outcome.kind === 'suspended') throw new CodedError('INTERNAL', 'The run stopped with calls open');
		const { state: last, end } = outcome;
		if (!end.error) await this.keep(rememberedTurn(last, { query: prompt, answer: end.answer }));
		return { setup, state: last, end };
	}

	private themeOf({ theme }: EngineSession): EngineTheme {
		if (theme === undefined) return {};
		const themes = this.parts.themes ?? {};
		if (Object.hasOwn(themes, theme)) return themes[theme] ?? {};
		const known = Object.keys(themes).join(', ') || 'none';
		throw new CodedError('BAD_INPUT', `There is no theme "${theme}"; known: ${known}`);
	}

	private async contextFor(prompt: string, { open, embedder }: EngineTheme, how: { history: readonly Message[]; signal: AbortSignal }): Promise<string> {
		if (!open) return '';
		const retrieve = await open(this.session.index, this.session.token);
		return (await documentsFor(prompt, { retrieve, ...how, ...(embedder && { embedder }) })).context;
	}

	private async setupFor(prompt: string, theme: EngineTheme, signal: AbortSignal): Promise<AgentSetup> {
		const { model, fallbackModel, ports, limits } = this.parts;
		const all = [...(this.parts.tools ?? []), ...(theme.tools ?? [])];
		const { embedder } = theme;
		const how = { topK: TOOLS_SHOWN, passthroughUpTo: PASSTHROUGH_UP_TO, alwaysOn: [], signal, ...(embedder && { embedder }) };
		const { tools } = await routeTools(all, prompt, how);
		return {
			model,
			...(fallbackModel && { fallbackModel }),
			tools,
			protocol: 'auto',
			language: this.session.language,
			limits: { ...DEFAULT_LIMITS, ...limits },
			atLimit: 'answer',
			temperature: 0,
			prices: [],
			results: memoryResultStore(),
			ports,
			signal,
		};
	}
}

interface Ended {
	readonly setup: AgentSetup;
	readonly state: AgentState;
	readonly end: AgentEnd;
}

/** Events of a run → messages of a stream; ends with the run. */
async function* toMessages(run: AsyncGenerator<RunEvent, Ended>, writer: StreamWriter, stream: RunStream): AsyncGenerator<StreamMessage> {
	for (;;) {
		const next = await run.next();
		const pieces = next.done ? stream.rest(next.value.end.answer) : stream.take(next.value);
		for (const { channel, text } of pieces) yield writer.write('delta', channel, text);
		if (!next.done) continue;
		const { answer, stoppedBy, partial, error } = next.value.end;
		const meta = { stoppedBy, partial };
		yield error ? writer.write('error', 'control', error.message, meta) : writer.write('complete', 'answer', answer, meta);
		return;
	}
}
