import { textOf, type Message } from '../core/message';
import { cleanHistory, lastTurns } from '../shape/turn-borders';
import { estimateTokens } from '../text/estimate-tokens';
import type { Language } from '../text/language';
import type { ChatRequest } from './chat-request';
import { withoutCitations } from './citations';
import type { Condensed } from './condense';
import { passagesText, type NumberedPassage } from './passages';
import { promptsFor } from './prompts';

/** What a message wants: an answer from documents, something done with the last answer, or a few kind words. */
export type AnswerKind = 'question' | 'order' | 'greeting';

export interface AnswerPromptParts {
	readonly request: ChatRequest;
	readonly language: Language;
	readonly condensed: Condensed;
	readonly passages: readonly NumberedPassage[];
	readonly kind: AnswerKind;
	/** Of the fence around documents: 8 hexadecimal digits. */
	readonly mark: string;
}

/** What the model is sent for an answer: instructions and rules, the conversation, then passages and question. */
export function answerPrompt(parts: AnswerPromptParts): Message[] {
	const history = spokenHistory(parts.request);
	return [said('system', systemText(parts)), ...history, said('user', questionText(parts))];
}

function said(role: 'system' | 'user', text: string): Message {
	return { role, parts: [{ type: 'text', text }] };
}

function systemText({ request, language, passages, kind }: AnswerPromptParts): string {
	const { answer, detail, unknown } = promptsFor(language);
	const lines = [request.instructions.trim()];
	if (kind === 'greeting') lines.push(answer.greeting);
	else if (passages.length > 0) {
		lines.push(answer.rules);
		lines.push(request.answersAnyway ? answer.alsoFromKnowledge : answer.onlyFromPassages(request.unknownAnswer ?? unknown));
	} else if (kind === 'question') lines.push(answer.noPassages);
	if (kind !== 'greeting') lines.push(answer.aboutConversation, detail[request.detail]);
	lines.push(request.language ? answer.language : answer.sameLanguage);
	return lines.filter((line) => line !== '').join('\n');
}

/** Only what was said: this engine has no tools, and numbers of earlier citations would mean other passages now. */
function spokenHistory({ history, maxHistoryTokens }: ChatRequest): Message[] {
	const spoken = cleanHistory(history).flatMap((message): Message[] => {
		if (message.role === 'tool') return [];
		const text = message.role === 'assistant' ? withoutCitations(textOf(message)) : textOf(message);
		return text.trim() === '' ? [] : [{ role: message.role, parts: [{ type: 'text', text }] }];
	});
	return lastTurns(joined(spoken), maxHistoryTokens, (message) => estimateTokens(textOf(message)));
}

/** What the assistant said before and after a tool is one message. */
function joined(messages: readonly Message[]): Message[] {
	return messages.reduce<Message[]>((all, message) => {
		const last = all.at(-1);
		if (last?.role !== message.role) return [...all, message];
		return [...all.slice(0, -1), { role: message.role, parts: [{ type: 'text', text: `${textOf(last)}\n${textOf(message)}` }] }];
	}, []);
}

function questionText({ request, language, condensed, passages, mark }: AnswerPromptParts): string {
	const { answer } = promptsFor(language);
	if (passages.length === 0) return request.question;
	const meant = condensed.query === request.question ? '' : `\n(${answer.meant} ${condensed.query})`;
	return `${answer.passages}\n${passagesText(passages, mark)}\n\n${answer.question}\n${request.question}${meant}`;
}
