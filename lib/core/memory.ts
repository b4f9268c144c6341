import type { Message } from './message';

/** A conversation that is kept somewhere: one person's, in one session. */
export interface ConversationMemory {
	/**
	 * Earlier turns, oldest first, cut at turn borders; [] for a new conversation. What was said before them may stand as a summary
	 * in the first message.
	 */
	load(): Promise<Message[]>;
	/**
	 * Keeps one turn: the user's message, what was said and done for it, and the answer last.
	 *
	 * @param startsFresh  true begins the conversation anew: earlier turns are kept but never loaded again
	 */
	save(turn: readonly Message[], startsFresh?: boolean): Promise<void>;
	/** Deletes the conversation. */
	clear(): Promise<void>;
}
