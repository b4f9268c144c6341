import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { eventIdOf } from '../events/event-id';
import { openSeenEvents, type SeenEvents } from '../events/seen-events';
import { refused, type Delivery, type Verdict } from '../events/signature';
import { asRecord } from './as-record';
import { failedItem } from './each-item';
import { limitOf, senderOf, textOf, tokenPlace, verifySender, type Get } from './event-sender';
import { eventsPlace } from './storage';
import { readTestPayload } from './test-payload';
import { toNodeError } from './to-node-error';

const DAY_MS = 86_400_000;

const TEST_PAYLOAD = { message: 'A test run in the editor with the Test Payload, since the incoming item is empty. A published workflow never uses it.', type: 'info', location: 'outputPane' } as const;
const TEST_RUN = { message: 'A test run in the editor: repeats come through, and nothing counts as handled. The published workflow lets each event through once.', type: 'info', location: 'outputPane' } as const;

type Outputs = [accepted: INodeExecutionData[], refused: INodeExecutionData[]];

/**
 * Event Gate over its items: accepted events leave by the first output with `query`, `record`, `user` and `event`; refused ones by
 * the second with `refused {reason, message}`. Settings that cannot be used are errors, not refusals.
 */
export async function runEventGate(ctx: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const outputs: Outputs = [[], []];
	let seen: Promise<SeenEvents> | undefined;
	// Opened by the first item that needs it: a refused one does not.
	const open = async (): Promise<SeenEvents> => await (seen ??= openSeen(ctx));
	try {
		for (let itemIndex = 0; itemIndex < ctx.getInputData().length; itemIndex++) {
			try {
				await passItem(ctx, { itemIndex, open }, outputs);
			} catch (error) {
				if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, itemIndex);
				outputs[0].push(failedItem(error, itemIndex));
			}
		}
		return outputs;
	} finally {
		(await seen?.catch(() => undefined))?.close();
	}
}

type Open = () => Promise<SeenEvents>;

async function passItem(ctx: IExecuteFunctions, { itemIndex, open }: { itemIndex: number; open: Open }, [accepted, refusals]: Outputs): Promise<void> {
	const get: Get = (name, fallback = '') => ctx.getNodeParameter(name, itemIndex, fallback as never) as unknown;
	if (get('operation') === 'forget') {
		accepted.push(await forgetItem(ctx, { itemIndex, get, open }));
		return;
	}
	if (ctx.getMode() === 'manual' && isEmpty(ctx.getInputData()[itemIndex])) {
		accepted.push(testItem(ctx, itemIndex, get));
		return;
	}
	const delivery = await readDelivery(ctx, itemIndex, get);
	const eventId = textOf(get('eventId')) || eventIdOf(senderOf(get), delivery);
	const verdict = await verify(ctx, { itemIndex, get, open, delivery, eventId });
	const item = withoutToken(ctx.getInputData()[itemIndex] as INodeExecutionData, get);
	if (verdict.ok && ctx.getMode() === 'manual') ctx.addExecutionHints(TEST_RUN);
	if (verdict.ok) accepted.push({ ...item, json: { ...item.json, ...mapped(ctx, get, eventId) }, pairedItem: { item: itemIndex } });
	else refusals.push({ ...item, json: { ...item.json, refused: { reason: verdict.reason, message: verdict.message } }, pairedItem: { item: itemIndex } });
}

function isEmpty(item: INodeExecutionData | undefined): boolean {
	return Object.keys(item?.json ?? {}).length === 0 && Object.keys(item?.binary ?? {}).length === 0;
}

/** The test payload as an event that was let through. The item itself is changed, since the fields that map the event read it. */
function testItem(ctx: IExecuteFunctions, itemIndex: number, get: Get): INodeExecutionData {
	const items = ctx.getInputData();
	const json = { headers: {}, query: {}, body: readTestPayload(get('testPayload', '{}')) };
	items[itemIndex] = { ...items[itemIndex], json };
	ctx.addExecutionHints(TEST_PAYLOAD);
	return { json: { ...json, ...mapped(ctx, get, 'test') }, pairedItem: { item: itemIndex } };
}

async function openSeen(ctx: IExecuteFunctions): Promise<SeenEvents> {
	const keepDays = Number(ctx.getNodeParameter('options.keepDays', 0, 30));
	return await openSeenEvents(await eventsPlace(ctx), { now: Date.now(), keepMs: keepDays * DAY_MS });
}

async function forgetItem(ctx: IExecuteFunctions, { itemIndex, get, open }: Pick<Case, 'itemIndex' | 'get' | 'open'>): Promise<INodeExecutionData> {
	const id = textOf(get('forgetId'));
	if (id === '') throw new CodedError('BAD_INPUT', 'The event ID is empty', { remedy: 'Give the `event.id` of an item that this gate accepted.' });
	const forgotten = await (await open()).forget(scopeOf(get), id);
	const item = ctx.getInputData()[itemIndex];
	return { ...item, json: { ...item?.json, forgotten }, pairedItem: { item: itemIndex } };
}

async function readDelivery(ctx: IExecuteFunctions, itemIndex: number, get: Get): Promise<Delivery> {
	const { json, binary } = ctx.getInputData()[itemIndex] as INodeExecutionData;
	const field = textOf(get('rawBodyField', 'data'));
	const headers = Object.fromEntries(Object.entries(asRecord(json.headers)).map(([name, value]) => [name.toLowerCase(), value]));
	return {
		headers,
		...(binary?.[field] && { rawBody: await ctx.helpers.getBinaryDataBuffer(itemIndex, field) }),
		body: json.body ?? json,
		method: textOf(get('method', 'POST')),
		url: textOf(get('publicUrl')),
		query: asRecord(json.query),
	};
}

interface Case {
	readonly itemIndex: number;
	readonly get: Get;
	readonly open: Open;
	readonly delivery: Delivery;
	readonly eventId: string;
}

/** Size, then sender, then repeat: an event counts as seen only when it is let through. Test runs in the editor do not count. */
async function verify(ctx: IExecuteFunctions, { itemIndex, get, open, delivery, eventId }: Case): Promise<Verdict> {
	const most = limitOf(get, 'options.maxKilobytes', 1024);
	const size = delivery.rawBody?.length ?? Buffer.byteLength(JSON.stringify(delivery.body ?? null));
	if (size > most * 1024) return refused('too-large', `The body has ${Math.ceil(size / 1024)} kB; ${most} kB are allowed`);
	if (delivery.rawBody && get('check') === 'signature' && isForm(delivery)) return refused('wrong-signature', 'A form with files is not signed as a whole: its file could be a signed text of before, its fields anything');
	const sender = await verifySender(get, delivery, async (name) => await ctx.getCredentials(name, itemIndex));
	if (!sender.ok || ctx.getMode() === 'manual') return sender;
	const isNew = await (await open()).claim(scopeOf(get), eventId);
	return isNew ? sender : refused('repeated', `The event ${eventId} was let through before`);
}

/** n8n's Webhook gives the files of a form as binary fields, named by whoever sends it, and its fields as the body. */
function isForm({ headers }: Delivery): boolean {
	return [headers['content-type']].flat().some((type) => typeof type === 'string' && /multipart\//i.test(type));
}

/** The item without what proves who sent it: a token must not travel on, into logs or to a model. */
function withoutToken(item: INodeExecutionData, get: Get): INodeExecutionData {
	if (get('check') !== 'token') return item;
	const { in: place, name } = tokenPlace(get);
	const without = (value: unknown, names: readonly string[]): IDataObject =>
		Object.fromEntries(Object.entries(asRecord(value)).filter(([key]) => !names.includes(key.toLowerCase()))) as IDataObject;
	const json = { ...item.json };
	if (json.headers) json.headers = without(json.headers, ['authorization', ...(place === 'header' ? [name] : [])]);
	if (json.query && place === 'query') json.query = without(json.query, [name.toLowerCase()]);
	return { ...item, json };
}

function mapped(ctx: IExecuteFunctions, get: Get, eventId: string): IDataObject {
	const query = textOf(get('query'));
	const record = get('record');
	const user = get('user');
	return {
		...(query !== '' && { query }),
		...(record !== undefined && record !== '' && { record: record as IDataObject }),
		...(user !== undefined && user !== null && user !== '' && { user: typeof user === 'object' ? (user as IDataObject) : { sub: String(user as string) } }),
		event: { id: eventId, acceptedAt: new Date().toISOString(), ...(ctx.getMode() === 'manual' && { isTest: true }) },
	};
}

function scopeOf(get: Get): string {
	return textOf(get('list'));
}
