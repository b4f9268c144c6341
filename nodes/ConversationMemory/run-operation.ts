import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ConversationChoice } from '../../lib/chat/memory-store';
import { withMemory } from '../../lib/chat/open-memory';
import { CodedError } from '../../lib/core/errors';
import { textMessage } from '../../lib/core/message';
import { toDicts } from '../../lib/n8n/langchain-messages';
import { memoryPlace } from '../../lib/n8n/storage';
import { readConversation } from './read-conversation';

/** A step in the flow: one operation for one item, which keeps its other fields. */
export async function runOperation(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const item = ctx.getInputData()[itemIndex];
	return [{ ...item, json: { ...item?.json, ...(await resultOf(ctx, itemIndex)) }, pairedItem: { item: itemIndex } }];
}

async function resultOf(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	switch (ctx.getNodeParameter('operation', itemIndex)) {
		case 'load':
			return { history: toDicts(await (await readConversation(ctx, itemIndex))().load()) as unknown as IDataObject[] };
		case 'save':
			return await save(ctx, itemIndex);
		case 'clear':
			await (await readConversation(ctx, itemIndex))().clear();
			return { cleared: true };
		case 'export':
			return await exportUser(ctx, itemIndex);
		default:
			return await deleteUser(ctx, itemIndex);
	}
}

async function save(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const read = (name: string): string => String(ctx.getNodeParameter(name, itemIndex, '') ?? '').trim();
	const [question, answer] = [read('question'), read('answer')];
	if (question === '' || answer === '') {
		throw new CodedError('BAD_INPUT', `A turn needs a question and an answer; the ${question === '' ? 'question' : 'answer'} is empty`, {
			remedy: 'Let the fields Question and Answer give texts, for example {{ $json.chatInput }} and {{ $json.output }}.',
		});
	}
	await (await readConversation(ctx, itemIndex))().save([textMessage('user', question), textMessage('assistant', answer)]);
	return { saved: true };
}

function choiceOf(ctx: IExecuteFunctions, itemIndex: number): ConversationChoice & { user: string } {
	const user = String(ctx.getNodeParameter('person', itemIndex, '') ?? '').normalize('NFC').trim();
	if (user === '') {
		throw new CodedError('BAD_INPUT', 'No person is named', {
			remedy: 'Let the field Person give the user’s name as it is in the field "user" of the items, for example the "sub" of a token.',
		});
	}
	if (ctx.getNodeParameter('everyMemory', itemIndex, true) === true) return { user };
	return { user, memory: String(ctx.getNodeParameter('memory', itemIndex, '')).normalize('NFC').trim() };
}

async function exportUser(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const choice = choiceOf(ctx, itemIndex);
	const conversations = await withMemory(await memoryPlace(ctx, itemIndex), async (store) => await store.export(choice));
	return { person: choice.user, conversations: conversations as unknown as IDataObject[] };
}

async function deleteUser(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const choice = choiceOf(ctx, itemIndex);
	const removed = await withMemory(await memoryPlace(ctx, itemIndex), async (store) => await store.remove(choice));
	return { person: choice.user, deleted: { ...removed } };
}
