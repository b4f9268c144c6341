import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ChatDetail } from '../../chat/prompts';
import type { Hit } from '../../core/document';
import type { Message } from '../../core/message';
import type { Granularity } from '../../core/stream-message';
import type { Language } from '../../text/language';
import { readDocuments } from '../connected-retriever';
import { isEmptyHistory, readHistory } from '../read-history';
import { readQuestion } from './read-question';

/** The node's fields for one item, expressions resolved. */
export interface ChatParameters {
	readonly question: string;
	/** Given turns; undefined when none were given and a memory may be read. */
	readonly history: readonly Message[] | undefined;
	/** The history was given and is empty. */
	readonly startsFresh: boolean;
	/** Forgets the conversation first. */
	readonly resets: boolean;
	/** The message is only the command to forget. */
	readonly isResetCommand: boolean;
	readonly documents: readonly Hit[] | undefined;
	readonly instructions: string;
	readonly language: Language | undefined;
	readonly detail: ChatDetail;
	readonly topK: number;
	readonly answersAnyway: boolean;
	readonly condenses: boolean;
	readonly minScore: number;
	readonly maxPassageTokens: number;
	readonly maxHistoryTokens: number;
	readonly unknownAnswer: string | undefined;
	readonly temperature: number;
	readonly granularity: Granularity;
	readonly detailOfRun: 'summary' | 'full' | 'none';
	readonly maxSeconds: number;
}

/** @throws CodedError BAD_INPUT naming the field, when one cannot be used */
export function readChatParameters(ctx: IExecuteFunctions, itemIndex: number): ChatParameters {
	const get = (name: string, fallback: unknown = ''): unknown => ctx.getNodeParameter(name, itemIndex, fallback as never) as unknown;
	const options = get('options', {}) as IDataObject;
	const number = (name: string, fallback: number): number => (typeof options[name] === 'number' ? options[name] : fallback);
	const { text, before } = readQuestion(get('query'));
	const given = get('history');
	const history = [...readHistory(given), ...before];
	const command = typeof options.resetCommand === 'string' ? options.resetCommand.trim() : '/reset';
	const isResetCommand = command !== '' && text.toLowerCase() === command.toLowerCase();
	const language = options.language;
	return {
		question: text,
		history: history.length > 0 ? history : undefined,
		startsFresh: isEmptyHistory(given) && before.length === 0,
		resets: isResetCommand || options.reset === true,
		isResetCommand,
		documents: get('documentsFrom', 'retriever') === 'item' ? readDocuments(get('documents')) : undefined,
		instructions: String(get('instructions')),
		language: language === 'en' || language === 'fr' ? language : undefined,
		detail: (options.detail as ChatDetail | undefined) ?? 'standard',
		topK: Number(get('topK', 6)),
		answersAnyway: get('answerAnyway', false) === true,
		condenses: options.condense !== false,
		minScore: number('minScore', 0) / 100,
		maxPassageTokens: number('maxPassageTokens', 4_000),
		maxHistoryTokens: number('maxHistoryTokens', 3_000),
		unknownAnswer: typeof options.unknownAnswer === 'string' && options.unknownAnswer.trim() !== '' ? options.unknownAnswer.trim() : undefined,
		temperature: number('temperature', 0),
		granularity: (options.streamGranularity as Granularity | undefined) ?? 'token',
		detailOfRun: (options.runDetail as 'summary' | 'full' | 'none' | undefined) ?? 'full',
		maxSeconds: number('maxSeconds', 300),
	};
}
