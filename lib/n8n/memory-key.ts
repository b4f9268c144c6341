import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import type { ConversationKey } from '../chat/memory-store';
import { CodedError } from '../core/errors';
import { readAsker } from '../rag/rights';
import { valueAt } from './asker';
import { trustedItems } from './trusted-items';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions;

/**
 * Whose conversation an item belongs to, by the node's fields: memory, user and session.
 *
 * The user is read from the item by a fixed path, never by an expression; when an agent that is a tool uses the memory, only n8n's
 * own record of the items is believed. Without a session the node's option decides: a conversation of this execution, one of the
 * user, or an error.
 *
 * @throws CodedError BAD_INPUT when it is not certain whose conversation it is
 */
export function memoryKey(ctx: NodeContext, itemIndex: number): ConversationKey {
	const user = userOf(ctx, itemIndex);
	const memory = clean(ctx.getNodeParameter('memory', itemIndex, 'conversations')) || 'conversations';
	const session = clean(ctx.getNodeParameter('session', itemIndex, ''));
	return { memory, user, session: session === '' ? withoutSession(ctx, itemIndex, user) : session };
}

/**
 * The same for n8n's own agents, which take the memory of their first item for all of them.
 *
 * @throws CodedError BAD_INPUT when their items belong to several conversations: one person would read what another said
 */
export function sharedMemoryKey(ctx: ISupplyDataFunctions, itemIndex: number): ConversationKey {
	const own = memoryKey(ctx, itemIndex);
	const { parentNode } = ctx as { parentNode?: { type: string } };
	if (itemIndex > 0 || parentNode?.type.endsWith('.memoryManager')) return own;
	for (let other = 1; other < ctx.getInputData(0, 'main' as never).length; other++) {
		const key = memoryKey(ctx, other);
		if (key.user !== own.user || key.session !== own.session) throw severalConversations();
	}
	return own;
}

function userOf(ctx: NodeContext, itemIndex: number): string {
	if (ctx.getNodeParameter('userFrom', itemIndex, 'item') === 'fixed') return clean(ctx.getNodeParameter('fixedUser', itemIndex, ''));
	const path = String(ctx.getNodeParameter('options.userField', itemIndex, 'user'));
	const items = trustedItems(ctx, itemIndex, 'step');
	const [user = '', ...others] = new Set(items.map(({ json }) => readAsker(valueAt(json, path)).user));
	const isTool = items[0] !== undefined && items[0] !== (ctx.getInputData(0, 'main' as never) as unknown[])[itemIndex];
	if (others.length > 0 || (isTool && user === '')) throw unknownUser();
	if (user === '' && ctx.getNodeParameter('options.requireUser', itemIndex, false) === true) throw noUser(path);
	return user;
}

function withoutSession(ctx: NodeContext, itemIndex: number, user: string): string {
	const way = ctx.getNodeParameter('options.noSession', itemIndex, 'execution');
	if (way === 'user' && user !== '') return 'default';
	if (way === 'execution') return `execution ${ctx.getInstanceId()} ${ctx.getExecutionId() ?? randomUUID()}`;
	throw new CodedError('BAD_INPUT', way === 'user' ? 'The item has neither a session nor a user' : 'The item has no session', {
		remedy:
			'Let Session give what tells conversations apart, for example {{ $json.sessionId }} of a Chat Trigger, or the number of a work order; ' +
			'or choose under Without a Session that the conversation lasts for one execution.',
	});
}

function clean(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number') return '';
	return String(value).normalize('NFC').replaceAll('\0', '').trim();
}

function severalConversations(): CodedError {
	return new CodedError('BAD_INPUT', "n8n's AI Agent uses the memory of its first item for all items, and these belong to several conversations", {
		remedy: 'Let it handle one item at a time (Loop Over Items with a batch size of 1), or use the ReAct Agent, which keeps them apart.',
	});
}

function unknownUser(): CodedError {
	return new CodedError('BAD_INPUT', 'It is not certain whose conversation this is', {
		remedy: 'An agent that is a tool of another one needs a user: let the first node of the flow give a field "user", one user at a time.',
	});
}

function noUser(path: string): CodedError {
	return new CodedError('BAD_INPUT', `The item has no user in the field "${path}"`, {
		remedy: 'Put Access Guard before the agent, or turn the option Refuse Items Without a User off.',
	});
}
