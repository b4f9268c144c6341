import type { Message } from '../core/message';
import { textMessage } from '../core/message';
import { chat, type ChatEvent, type ChatParts } from './chat-engine';
import type { ChatRequest } from './chat-request';
import type { ChatResult } from './chat-result';

export type ChatDefaults = Omit<ChatRequest, 'question' | 'history'>;

export const DEFAULT_CHAT: ChatDefaults = {
	instructions: '',
	detail: 'standard',
	condenses: true,
	topK: 6,
	minScore: 0,
	maxPassageTokens: 4_000,
	maxHistoryTokens: 3_000,
	answersAnyway: false,
	temperature: 0,
};

/**
 * The chat engine with a conversation of its own, for hosts without n8n: each answer is a turn that the next question follows.
 *
 * A given history takes the place of the kept one; an empty list is a fresh start.
 */
export class ChatEngine {
	private history: readonly Message[] = [];

	constructor(
		private readonly parts: ChatParts,
		private readonly settings: Partial<ChatDefaults> = {},
	) {}

	/** Answers piece by piece. A chat that is left before its end keeps no turn. Throws as `chat` does. */
	async *stream(question: string, history?: readonly Message[]): AsyncGenerator<ChatEvent, ChatResult> {
		const before = history ?? this.history;
		const result = yield* chat(this.parts, { ...DEFAULT_CHAT, ...this.settings, question, history: before });
		this.history = [...before, textMessage('user', question), textMessage('assistant', result.answer)];
		return result;
	}

	/** Answers in one go. */
	async chat(question: string, history?: readonly Message[]): Promise<ChatResult> {
		const run = this.stream(question, history);
		for (;;) {
			const next = await run.next();
			if (next.done) return next.value;
		}
	}

	/** Forgets the conversation. */
	reset(): void {
		this.history = [];
	}
}
