import { CodedError } from '../core/errors';
import type { ConversationMemory } from '../core/memory';
import { textOf, type Message } from '../core/message';
import { asRecord } from './as-record';
import { fromLangChain } from './langchain-messages';

interface LangChainMemory {
	readonly chatHistory?: { clear?(): Promise<void> };
	loadMemoryVariables(values: object): Promise<Record<string, unknown>>;
	saveContext(input: object, output: object): Promise<void>;
}

/**
 * n8n's memories (Simple, Postgres, Redis …) by shape: they keep the question and the answer of a turn. A fresh start deletes what
 * they hold, since they know no other way.
 *
 * @throws BAD_INPUT when it is none
 */
export function foreignMemory(supplied: unknown): ConversationMemory {
	if (!isMemory(supplied)) {
		throw new CodedError('BAD_INPUT', 'What is connected to the Memory input is not a memory node', {
			remedy: 'Connect the Conversation Memory node or one of n8n\'s memory nodes.',
		});
	}
	const clear = async (): Promise<void> => await supplied.chatHistory?.clear?.();
	return {
		load: async () => {
			const history = asRecord(await supplied.loadMemoryVariables({})).chat_history;
			return (Array.isArray(history) ? history : []).flatMap((message) => fromLangChain(message) ?? []);
		},
		save: async (turn, startsFresh = false) => {
			if (startsFresh) await clear();
			const [first, last] = [turn.find(({ role }) => role === 'user'), turn.findLast(({ role }) => role === 'assistant')];
			await supplied.saveContext({ input: said(first) }, { output: said(last) });
		},
		clear,
	};
}

/** True for a memory that keeps its messages in this process only, as n8n's Simple Memory does. */
export function isOfThisProcess(supplied: unknown): boolean {
	const { chatHistory } = asRecord(supplied);
	const name = typeof chatHistory === 'object' && chatHistory !== null ? chatHistory.constructor.name : '';
	return name === 'InMemoryChatMessageHistory' || name === 'ChatMessageHistory';
}

function said(message: Message | undefined): string {
	return message ? textOf(message) : '';
}

function isMemory(supplied: unknown): supplied is LangChainMemory {
	return typeof supplied === 'object' && supplied !== null && 'loadMemoryVariables' in supplied && 'saveContext' in supplied;
}
