import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isCodedError, messageOf } from '../core/errors';
import { eventIdOf, storedId } from '../events/event-id';
import { openInbox } from '../events/inbox';
import type { Delivery, Verdict } from '../events/signature';
import { asRecord } from './as-record';
import { limitOf, senderOf, textOf, tokenPlace, verifySender, type Get } from './event-sender';
import { eventsPlace } from './storage';

/** What the sender is told; why a delivery was refused stands in n8n's log alone. */
const REFUSED = { message: 'This delivery is refused' };

/**
 * One delivery at the Business Event Trigger: verified, then written to the inbox, then answered: 202 for an event that was taken in,
 * 200 for a repeat, 401 or 413 for a refusal, 503 when it cannot be kept. An answer of 202 means that the event is on disk.
 */
export async function receiveEvent(ctx: IWebhookFunctions): Promise<IWebhookResponseData> {
	const get: Get = (name, fallback = '') => ctx.getNodeParameter(name, fallback as never) as unknown;
	const answer = (status: number, body: IDataObject): IWebhookResponseData => {
		ctx.getResponseObject().status(status).json(body);
		return { noWebhookResponse: true };
	};
	try {
		const delivery = await readDelivery(ctx);
		const most = limitOf(get, 'options.maxKilobytes', 1024) * 1024;
		if ((delivery.rawBody?.length ?? 0) > most) return answer(413, REFUSED);
		const verdict: Verdict = await verifySender(get, delivery, async (name) => await ctx.getCredentials(name));
		if (!verdict.ok) {
			ctx.logger.warn(`${ctx.getNode().name} refused a delivery: ${verdict.message}`, { reason: verdict.reason });
			return answer(401, REFUSED);
		}
		const id = textOf(at(delivery.body, textOf(get('idPath')))) || eventIdOf(senderOf(get), delivery);
		const event = { id: storedId(id), key: storedId(textOf(at(delivery.body, textOf(get('keyPath'))))), payload: payloadOf(delivery, get) };
		const startsRun = get('handling', 'queue') === 'run';
		const isNew = ctx.getMode() === 'manual' || (await keep(ctx, { event, list: textOf(get('list')), startsRun }));
		const told = answer(isNew ? 202 : 200, { accepted: isNew, id: event.id, ...(!isNew && { repeated: true }) });
		if (!isNew || (!startsRun && ctx.getMode() !== 'manual')) return told;
		return { ...told, workflowData: [[{ json: toItem(event) }]] };
	} catch (error) {
		ctx.logger.error(`${ctx.getNode().name} could not take an event: ${messageOf(error)}`);
		return answer(isCodedError(error) && error.code === 'BAD_INPUT' ? 500 : 503, { message: 'This event cannot be taken now' });
	}
}

interface Received {
	readonly id: string;
	readonly key: string;
	readonly payload: IDataObject;
}

async function keep(ctx: IWebhookFunctions, { event, list, startsRun }: { event: Received; list: string; startsRun: boolean }): Promise<boolean> {
	const inbox = await openInbox(await eventsPlace(ctx), list);
	try {
		const isNew = await inbox.put(event, Date.now());
		// The run begins with this answer; nothing is left for a queue.
		if (isNew && startsRun) await inbox.done([event.id]);
		return isNew;
	} finally {
		inbox.close();
	}
}

async function readDelivery(ctx: IWebhookFunctions): Promise<Delivery> {
	const request = ctx.getRequestObject();
	if (!request.rawBody) await request.readRawBody();
	return {
		headers: ctx.getHeaderData() as Record<string, unknown>,
		rawBody: request.rawBody ?? Buffer.alloc(0),
		body: ctx.getBodyData(),
		method: request.method,
		// Only asked of n8n where a signature covers it: n8n evaluates an expression for it.
		get url() {
			return ctx.getNodeWebhookUrl('default') ?? '';
		},
		query: asRecord(ctx.getQueryData()),
	};
}

/** What is kept and given on: the body, and of the headers those that say what happened, without any that proves who sent it. */
function payloadOf({ body, headers, rawBody }: Delivery, get: Get): IDataObject {
	const { in: place, name: tokenName } = tokenPlace(get);
	const withToken = get('check') === 'token' && place === 'header' ? tokenName : '';
	const isTopic = (name: string): boolean => /(?:event|topic|delivery|webhook-id|trigger)/i.test(name) && !/(?:signature|hmac|token|secret|authorization|cookie|password|api-?key)/i.test(name);
	const topic = Object.entries(headers).filter(([name]) => isTopic(name) && name.toLowerCase() !== withToken);
	// A kind of body that n8n does not read is kept as it came.
	const isUnread = Object.keys(asRecord(body)).length === 0 && !Array.isArray(body) && rawBody !== undefined && rawBody.length > 2;
	return { body: (isUnread ? decoded(rawBody, headers) : body) as IDataObject, headers: Object.fromEntries(topic) as IDataObject };
}

/** Bytes as text, in the character set that the sender names; without its mark of byte order. */
function decoded(bytes: Buffer, headers: Delivery['headers']): string {
	const [, named = 'utf-8'] = /charset="?([\w-]+)/i.exec(String(headers['content-type'] ?? '')) ?? [];
	try {
		return new TextDecoder(named).decode(bytes);
	} catch {
		// A character set that does not exist.
		return bytes.toString();
	}
}

/** The item of an event: what the mapping of a flow reads. */
export function toItem({ id, key, payload }: { readonly id: string; readonly key: string; readonly payload: unknown }): IDataObject {
	const { body, headers } = asRecord(payload);
	return { body: body as IDataObject, headers: headers as IDataObject, record: body as IDataObject, event: { id, key } };
}

/** `machine.id` in a body; undefined where nothing stands. An empty path gives undefined. */
function at(body: unknown, path: string): unknown {
	if (path === '') return undefined;
	return path.split('.').reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined), body);
}
