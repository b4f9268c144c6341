/**
 * Follow-up and history → a question that stands alone, in the user's language.
 *
 * A first question, a greeting or an order passes unchanged, without a model. What the model writes is checked: the user's codes,
 * numbers, dates and quotes stay letter for letter, or are put back, or the original is used; the result says which.
 */
import { isCodedError, messageOf, raise } from '../core/errors';
import { textOf, type Message } from '../core/message';
import { collectReply, type ChatModel, type ModelReply } from '../core/model';
import type { Ports } from '../core/ports';
import type { StepUsage } from '../core/run';
import { cleanHistory, lastTurns, toTurns } from '../shape/turn-borders';
import { estimateTokens } from '../text/estimate-tokens';
import { fenced } from '../text/fence';
import { detectLanguage, type Language } from '../text/language';
import { checkRewrite, type RewriteFault } from './check-rewrite';
import { passesUnchanged, type Unchanged } from './passes-unchanged';
import { promptsFor } from './prompts';

export interface CondenseRequest {
	readonly question: string;
	/** Earlier turns, oldest first; [] for a first question. */
	readonly history: readonly Message[];
	/** True passes every question unchanged. */
	readonly skip?: boolean;
}

export interface CondenseTools {
	/** Asked for only when a model call is needed. */
	readonly model: () => Promise<ChatModel>;
	readonly ports: Ports;
	readonly signal: AbortSignal;
}

/** What became of the question, as plain JSON. */
export interface Condensed {
	readonly query: string;
	readonly original: string;
	/** `repaired`: identifiers that the model lost were put back; `original`: its question could not be used. */
	readonly how: 'unchanged' | 'condensed' | 'repaired' | 'original';
	/** Why nothing was asked of a model, or why its question was not used. */
	readonly reason?: Unchanged | RewriteFault | 'model-failed';
	/** Identifiers that were put back. */
	readonly restored?: readonly string[];
	/** What the model wrote, where it is not the query; the message of a failed call. */
	readonly rewritten?: string;
	/** What the model was sent. */
	readonly prompt?: readonly { readonly role: string; readonly text: string }[];
	readonly model?: string;
	readonly usage?: StepUsage;
	readonly durationMs: number;
}

const MOST_TURNS = 6;
const MOST_HISTORY_TOKENS = 2_000;
const MOST_CHARACTERS_A_MESSAGE = 1_500;

/** Condenses one question. A model that fails leaves the question as it is, and says so; only the signal's abort is thrown. */
export async function condense(request: CondenseRequest, tools: CondenseTools): Promise<Condensed> {
	const { question, skip = false } = request;
	const began = tools.ports.clock.now();
	const history = recentTurns(request.history);
	const reason = skip ? 'skipped' : passesUnchanged(question, history);
	const base = { original: question, query: question };
	if (reason) return { ...base, how: 'unchanged', reason, durationMs: 0 };
	const messages = promptOf(question, history, tools.ports.ids().slice(0, 8));
	const prompt = messages.map((message) => ({ role: message.role, text: textOf(message) }));
	const duration = (): number => tools.ports.clock.now() - began;
	try {
		const model = await tools.model();
		const reply = await collectReply(model, { messages, temperature: 0 }, tools.signal);
		return { ...read(request, history, reply), prompt, model: model.id, usage: usageOf(reply), durationMs: duration() };
	} catch (error) {
		if (tools.signal.aborted || (isCodedError(error) && error.code === 'BAD_INPUT')) return raise(error);
		return { ...base, how: 'original', reason: 'model-failed', rewritten: messageOf(error), prompt, durationMs: duration() };
	}
}

function recentTurns(history: readonly Message[]): Message[] {
	const turns = toTurns(cleanHistory(history)).slice(-MOST_TURNS).flat();
	return lastTurns(turns, MOST_HISTORY_TOKENS, (message) => estimateTokens(textOf(message)));
}

function promptOf(question: string, history: readonly Message[], mark: string): Message[] {
	const texts = promptsFor(languageOf(question, history)).condense;
	const lines = history.flatMap((message) => {
		const text = textOf(message).trim().slice(0, MOST_CHARACTERS_A_MESSAGE);
		if (text === '' || message.role === 'tool') return [];
		return [`${message.role === 'user' ? texts.user : texts.assistant}: ${text}`];
	});
	const asked = `${texts.conversation}\n${fenced(mark, lines.join('\n'))}\n\n${texts.lastMessage}\n${fenced(mark, question)}`;
	return [
		{ role: 'system', parts: [{ type: 'text', text: texts.task }] },
		{ role: 'user', parts: [{ type: 'text', text: asked }] },
	];
}

/** Of the question; of the user's last messages when it is too short to tell; else English. */
export function languageOf(question: string, history: readonly Message[]): Language {
	const said = history.filter(({ role }) => role === 'user').map(textOf);
	return detectLanguage(question) ?? detectLanguage(said.slice(-2).join('\n')) ?? detectLanguage(history.map(textOf).join('\n')) ?? 'en';
}

function read(request: CondenseRequest, history: readonly Message[], reply: ModelReply): Omit<Condensed, 'durationMs'> {
	const { question } = request;
	const known = history.map(textOf).join('\n');
	const checked = checkRewrite(reply.text, { question, known, language: languageOf(question, history) });
	const base = { original: question, query: checked.query };
	if (checked.fault) return { ...base, how: 'original', reason: checked.fault, rewritten: checked.rewritten };
	if (checked.restored.length > 0) return { ...base, how: 'repaired', restored: checked.restored, rewritten: checked.rewritten };
	return { ...base, how: checked.query === question ? 'unchanged' : 'condensed' };
}

function usageOf({ usage }: ModelReply): StepUsage {
	return { in: usage.inputTokens, out: usage.outputTokens };
}
