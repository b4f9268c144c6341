import { NodeConnectionTypes, type IDataObject, type ISupplyDataFunctions, type SupplyData } from 'n8n-workflow';
import type { ChatMemory, Message as SdkMessage, MessageContent } from '@n8n/ai-node-sdk';

import type { OpenConversation } from '../chat/conversation';
import type { ConversationMemory } from '../core/memory';
import { textMessage, type Message, type Part } from '../core/message';
import { PORT_MARK, type PortValue } from '../core/ports';
import { toDicts } from './langchain-messages';
import { aiNodeSdk } from './host-packages';
import { logged } from './logged';

/**
 * A memory for the ai_memory port. Our own nodes get the conversation of their item under the mark; n8n's nodes get n8n's shape,
 * with tool calls and results as they add them. Each use is shown as a run of the node.
 *
 * @param own     the conversation of the item that the node was supplied for
 * @param shared  the conversation of a parent that takes one memory for all its items; may throw why it cannot
 */
export function supplyMemory(ctx: ISupplyDataFunctions, own: () => OpenConversation, shared: () => OpenConversation): SupplyData {
	const supplied = aiNodeSdk().supplyMemory(ctx, toSdkMemory(shared));
	giveTextAsText(supplied.response as SuppliedMemory);
	const value: PortValue = { version: 1, kind: 'memory', value: loggedMemory(ctx, own) };
	Object.defineProperty(supplied.response, PORT_MARK, { value, enumerable: false });
	return supplied;
}

/** What the SDK makes of a memory, as far as it is changed here. */
interface SuppliedMemory {
	readonly chatHistory: { getMessages(): Promise<Array<{ content: unknown }>> };
	loadMemoryVariables(values: object): Promise<{ chat_history: Array<{ content: unknown }> }>;
}

/** The SDK gives every content as a list of blocks; n8n's chat window and Chat Memory Manager show only text. */
function giveTextAsText(memory: SuppliedMemory): void {
	const { chatHistory } = memory;
	// Of the class: what the memory itself gives is n8n's logging around the method that is set here.
	const { loadMemoryVariables } = Object.getPrototypeOf(memory) as SuppliedMemory;
	const load = loadMemoryVariables.bind(memory);
	const getMessages = chatHistory.getMessages.bind(chatHistory);
	chatHistory.getMessages = async () => (await getMessages()).map(withTextContent);
	memory.loadMemoryVariables = async (values) => ({ chat_history: (await load(values)).chat_history.map(withTextContent) });
}

function withTextContent<Given extends { content: unknown }>(message: Given): Given {
	const { content } = message;
	if (!Array.isArray(content)) return message;
	const blocks = content as ReadonlyArray<{ type?: unknown; text?: unknown }>;
	if (blocks.every(({ type }) => type === 'text')) message.content = blocks.map(({ text }) => String(text ?? '')).join('');
	return message;
}

function loggedMemory(ctx: ISupplyDataFunctions, own: () => OpenConversation): ConversationMemory {
	const type = NodeConnectionTypes.AiMemory;
	const show = (messages: readonly Message[]): IDataObject[] => toDicts(messages) as unknown as IDataObject[];
	return {
		load: async () =>
			await logged(ctx, { type, input: { action: 'load' }, show: (messages) => ({ action: 'load', chatHistory: show(messages) }) }, async () =>
				await own().load(),
			),
		save: async (turn, startsFresh = false) =>
			await logged(ctx, { type, input: { action: 'save', startsFresh }, show: () => ({ action: 'save', turn: show(turn) }) }, async () =>
				await own().save(turn, startsFresh),
			),
		clear: async () =>
			await logged(ctx, { type, input: { action: 'clear' }, show: () => ({ action: 'clear' }) }, async () => await own().clear()),
	};
}

function toSdkMemory(shared: () => OpenConversation): ChatMemory {
	const loadMessages = async (): Promise<SdkMessage[]> => (await shared().load()).flatMap(toSdk);
	const clear = async (): Promise<void> => await shared().clear();
	return {
		loadMessages,
		saveTurn: async (input, output) => await shared().save([textMessage('user', input), textMessage('assistant', output)]),
		clear,
		chatHistory: {
			getMessages: loadMessages,
			addMessage: async (message) => await shared().add([fromSdk(message)]),
			addMessages: async (messages) => await addAll(shared(), messages.map(fromSdk)),
			clear,
		},
	};
}

/** A list that begins with a user's message is one turn, kept in one piece. */
async function addAll(memory: OpenConversation, messages: readonly Message[]): Promise<void> {
	const isTurn = messages[0]?.role === 'user' && messages.filter(({ role }) => role === 'user').length === 1;
	await (isTurn ? memory.save(messages) : memory.add(messages));
}

/** The SDK knows one result a message. */
function toSdk({ role, parts }: Message): SdkMessage[] {
	if (role !== 'tool') return [{ role, content: parts.flatMap(toContent) }];
	return parts.flatMap((part) => (part.type === 'tool-result' ? [{ role, content: toContent(part), name: part.name }] : []));
}

function toContent(part: Part): MessageContent[] {
	switch (part.type) {
		case 'text':
			return [{ type: 'text', text: part.text }];
		case 'tool-call':
			return [{ type: 'tool-call', toolCallId: part.callId, toolName: part.name, input: part.argumentsText || '{}' }];
		case 'tool-result':
			return [{ type: 'tool-result', toolCallId: part.callId, result: part.text, isError: part.isError }];
		default:
			return [];
	}
}

function fromSdk({ role, content, name = '' }: SdkMessage): Message {
	return { role, parts: content.flatMap((block) => fromContent(block, name)) };
}

function fromContent(block: MessageContent, name: string): Part[] {
	switch (block.type) {
		case 'text':
			return [{ type: 'text', text: block.text }];
		case 'tool-call':
			return [{ type: 'tool-call', callId: block.toolCallId ?? '', name: block.toolName, argumentsText: block.input }];
		case 'tool-result': {
			const result: unknown = block.result;
			const text = typeof result === 'string' ? result : JSON.stringify(result ?? '');
			return [{ type: 'tool-result', callId: block.toolCallId, name, text, isError: block.isError === true }];
		}
		default:
			return [];
	}
}
