import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IDataObject,
	IExecuteFunctions,
	INodeCredentialTestResult,
	INodeExecutionData,
} from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { eventIdOf } from '../events/event-id';
import { openSeenEvents, type SeenEvents } from '../events/seen-events';
import { refused, SCHEMES, verifySignature, verifyToken, type Delivery, type SignatureScheme, type Verdict } from '../events/signature';
import { asRecord } from './as-record';
import { failedItem } from './each-item';
import { eventsPlace } from './storage';
import { toNodeError } from './to-node-error';

const KEY_CREDENTIAL = 'reactEngineEventKeyApi';
const DAY_MS = 86_400_000;
const SHORTEST_KEY = 8;

type Outputs = [accepted: INodeExecutionData[], refused: INodeExecutionData[]];

/**
 * Event Gate over its items: accepted events leave by the first output with `query`, `record`, `user` and `event`; refused ones by
 * the second with `refused {reason, message}`. Settings that cannot be used are errors, not refusals.
 */
export async function runEventGate(ctx: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const outputs: Outputs = [[], []];
	for (let itemIndex = 0; itemIndex < ctx.getInputData().length; itemIndex++) {
		try {
			await passItem(ctx, itemIndex, outputs);
		} catch (error) {
			if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, itemIndex);
			outputs[0].push(failedItem(error, itemIndex));
		}
	}
	return outputs;
}

async function passItem(ctx: IExecuteFunctions, itemIndex: number, [accepted, refusals]: Outputs): Promise<void> {
	const get = (name: string, fallback: unknown = ''): unknown => ctx.getNodeParameter(name, itemIndex, fallback as never) as unknown;
	const seen = await openSeen(ctx, itemIndex, get);
	try {
		if (get('operation') === 'forget') {
			accepted.push(await forgetItem(ctx, { itemIndex, get, seen }));
			return;
		}
		const delivery = await readDelivery(ctx, itemIndex, get);
		const eventId = text(get('eventId')) || eventIdOf(senderOf(get), delivery);
		const verdict = await verify(ctx, { itemIndex, get, seen, delivery, eventId });
		const item = withoutToken(ctx.getInputData()[itemIndex] as INodeExecutionData, get);
		if (verdict.ok) accepted.push({ ...item, json: { ...item.json, ...mapped(ctx, get, eventId) }, pairedItem: { item: itemIndex } });
		else refusals.push({ ...item, json: { ...item.json, refused: { reason: verdict.reason, message: verdict.message } }, pairedItem: { item: itemIndex } });
	} finally {
		seen.close();
	}
}

type Get = (name: string, fallback?: unknown) => unknown;

async function openSeen(ctx: IExecuteFunctions, itemIndex: number, get: Get): Promise<SeenEvents> {
	const keepDays = Number(get('options.keepDays', 30));
	return await openSeenEvents(await eventsPlace(ctx, itemIndex), { now: Date.now(), keepMs: keepDays * DAY_MS });
}

async function forgetItem(ctx: IExecuteFunctions, { itemIndex, get, seen }: { itemIndex: number; get: Get; seen: SeenEvents }): Promise<INodeExecutionData> {
	const id = text(get('forgetId'));
	if (id === '') throw new CodedError('BAD_INPUT', 'The event ID is empty', { remedy: 'Give the `event.id` of an item that this gate accepted.' });
	const forgotten = await seen.forget(scopeOf(get), id);
	const item = ctx.getInputData()[itemIndex];
	return { ...item, json: { ...item?.json, forgotten }, pairedItem: { item: itemIndex } };
}

async function readDelivery(ctx: IExecuteFunctions, itemIndex: number, get: Get): Promise<Delivery> {
	const { json, binary } = ctx.getInputData()[itemIndex] as INodeExecutionData;
	const field = text(get('rawBodyField', 'data'));
	const headers = Object.fromEntries(Object.entries(asRecord(json.headers)).map(([name, value]) => [name.toLowerCase(), value]));
	return {
		headers,
		...(binary?.[field] && { rawBody: await ctx.helpers.getBinaryDataBuffer(itemIndex, field) }),
		body: json.body ?? json,
		method: text(get('method', 'POST')),
		url: text(get('publicUrl')),
	};
}

interface Case {
	readonly itemIndex: number;
	readonly get: Get;
	readonly seen: SeenEvents;
	readonly delivery: Delivery;
	readonly eventId: string;
}

/** Size, then sender, then repeat: an event counts as seen only when it is let through. Test runs in the editor do not count. */
async function verify(ctx: IExecuteFunctions, { itemIndex, get, seen, delivery, eventId }: Case): Promise<Verdict> {
	const most = Number(get('options.maxKilobytes', 1024));
	const size = delivery.rawBody?.length ?? JSON.stringify(delivery.body ?? null).length;
	if (size > most * 1024) return refused('too-large', `The body has ${Math.ceil(size / 1024)} kB; ${most} kB are allowed`);
	const sender = await verifySender(ctx, itemIndex, { get, delivery });
	if (!sender.ok || ctx.getMode() === 'manual') return sender;
	const isNew = await seen.claim(scopeOf(get), eventId);
	return isNew ? sender : refused('repeated', `The event ${eventId} was let through before`);
}

async function verifySender(ctx: IExecuteFunctions, itemIndex: number, { get, delivery }: Pick<Case, 'get' | 'delivery'>): Promise<Verdict> {
	const check = get('check');
	if (check === 'none') return { ok: true };
	const keys = await readKeys(ctx, itemIndex);
	if (check === 'token') return verifyToken(tokenOf(delivery, get, ctx.getInputData()[itemIndex]?.json), keys);
	const toleranceMs = Number(get('options.toleranceSeconds', 300)) * 1000;
	return verifySignature(delivery, { scheme: schemeOf(get), keys, now: Date.now(), toleranceMs });
}

async function readKeys(ctx: IExecuteFunctions, itemIndex: number): Promise<string[]> {
	const { secret, olderSecret } = await ctx.getCredentials(KEY_CREDENTIAL, itemIndex);
	const keys = [secret, olderSecret].map(text).filter((one) => one !== '');
	if (keys.length > 0) return keys;
	throw new CodedError('BAD_INPUT', 'The Event Key credential has no key', { remedy: 'Enter the secret of the sender in the credential.' });
}

function senderOf(get: Get): string {
	return get('check') === 'signature' ? text(get('sender')) : '';
}

function schemeOf(get: Get): SignatureScheme {
	const sender = senderOf(get);
	const named = (SCHEMES as Readonly<Record<string, SignatureScheme>>)[sender];
	if (named) return named;
	const header = text(get('header')).toLowerCase();
	if (header === '') throw new CodedError('BAD_INPUT', 'The Signature Header is empty', { remedy: 'Enter the name of the header that holds the signature.' });
	const timestampHeader = text(get('timestampHeader')).toLowerCase();
	const content = get('content') as SignatureScheme['content'];
	if (content !== 'body' && timestampHeader === '') {
		throw new CodedError('BAD_INPUT', 'The signed content has a timestamp, but the Timestamp Header is empty', { remedy: 'Enter the name of the header that holds it.' });
	}
	return {
		header,
		content,
		algorithm: get('algorithm') as SignatureScheme['algorithm'],
		encoding: get('encoding') as SignatureScheme['encoding'],
		prefix: text(get('prefix')),
		...(timestampHeader !== '' && { timestampHeader, timestampUnit: get('timestampUnit') as 's' | 'ms' }),
		idHeader: text(get('idHeader')).toLowerCase(),
	};
}

/** Where the token may stand; Basic Auth gives `user:password`. */
function tokenOf({ headers }: Delivery, get: Get, json: IDataObject | undefined): string {
	const name = text(get('placeName'));
	const authorization = text(headers.authorization);
	switch (get('tokenIn')) {
		case 'query':
			return text(asRecord(json?.query)[name]);
		case 'header':
			return text(headers[name.toLowerCase()]);
		case 'basic':
			return /^basic /i.test(authorization) ? Buffer.from(authorization.slice(6), 'base64').toString() : '';
		default:
			return /^bearer /i.test(authorization) ? authorization.slice(7).trim() : '';
	}
}

/** The item without what proves who sent it: a token must not travel on, into logs or to a model. */
function withoutToken(item: INodeExecutionData, get: Get): INodeExecutionData {
	if (get('check') !== 'token') return item;
	const name = text(get('placeName')).toLowerCase();
	const without = (value: unknown, names: readonly string[]): IDataObject =>
		Object.fromEntries(Object.entries(asRecord(value)).filter(([key]) => !names.includes(key.toLowerCase()))) as IDataObject;
	const json = { ...item.json };
	if (json.headers) json.headers = without(json.headers, ['authorization', ...(get('tokenIn') === 'header' ? [name] : [])]);
	if (json.query && get('tokenIn') === 'query') json.query = without(json.query, [name]);
	return { ...item, json };
}

function mapped(ctx: IExecuteFunctions, get: Get, eventId: string): IDataObject {
	const query = text(get('query'));
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
	return text(get('list'));
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** The test of the Event Key credential: nobody can be asked, so only what would make it weak is told. */
export async function testEventKeys(this: ICredentialTestFunctions, credential: { data?: ICredentialDataDecryptedObject }): Promise<INodeCredentialTestResult> {
	const { secret, olderSecret } = credential.data ?? {};
	const keys = [secret, olderSecret].map(text).filter((one) => one !== '');
	if (keys.length === 0) return { status: 'Error', message: 'Enter the key' };
	const weak = keys.some((one) => one.length < SHORTEST_KEY);
	if (weak) return { status: 'Error', message: `A key of under ${SHORTEST_KEY} characters can be guessed: have the sender make a longer one` };
	return { status: 'OK', message: 'The key can be used; whether it is the right one shows with the first event' };
}
