import { CodedError } from '../core/errors';
import type { Message } from '../core/message';
import { asRecord } from './as-record';
import { fromLangChain } from './langchain-messages';

/** A conversation kept elsewhere, as the agent needs it. */
export interface ConversationStore {
	/** Earlier turns, oldest first; [] for a new conversation. */
	load(): Promise<Message[]>;
	save(question: string, answer: string): Promise<void>;
}

interface LangChainMemory {
	loadMemoryVariables(values: object): Promise<Record<string, unknown>>;
	saveContext(input: object, output: object): Promise<void>;
}

/** n8n's memories (Simple, Postgres, Redis …) by shape. @throws BAD_INPUT when it is none */
export function foreignMemory(supplied: unknown): ConversationStore {
	if (!isMemory(supplied)) {
		throw new CodedError('BAD_INPUT', 'What is connected to the Memory input is not a memory node', {
			remedy: 'Connect one of n8n\'s memory nodes.',
		});
	}
	return {
		load: async () => {
			const history = asRecord(await supplied.loadMemoryVariables({})).chat_history;
			return (Array.isArray(history) ? history : []).flatMap((message) => fromLangChain(message) ?? []);
		},
		save: async (question, answer) => await supplied.saveContext({ input: question }, { output: answer }),
	};
}

function isMemory(supplied: unknown): supplied is LangChainMemory {
	return typeof supplied === 'object' && supplied !== null && 'loadMemoryVariables' in supplied && 'saveContext' in supplied;
}
