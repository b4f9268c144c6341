import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IDataObject,
	IExecuteFunctions,
	INodeCredentialTestResult,
	INodeExecutionData,
} from 'n8n-workflow';

import { messageOf } from '../core/errors';
import { realClock } from '../core/real-clock';
import { keySetOf } from '../events/key-sets';
import { verifyAccess, type AccessKeys, type AccessRules } from '../events/verify-access';
import { failedItem } from './each-item';
import { portsOf } from './ports';
import { toNodeError } from './to-node-error';

const ACCESS_CREDENTIAL = 'reactEngineAccessApi';

/** What a caller may be told. */
const TOLD = { 401: 'You are not signed in', 403: 'You are not allowed to do this', 503: 'Access cannot be checked now' } as const;

/**
 * Access Guard over its items: those of a proven user leave by the first output with `user`, the others by the second with
 * `refused {status, message}`. The token leaves no item. Why an item was refused is a hint at the node, for the builder alone.
 */
export async function runAccessGuard(ctx: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const allowed: INodeExecutionData[] = [];
	const refused: INodeExecutionData[] = [];
	for (const [itemIndex, item] of ctx.getInputData().entries()) {
		try {
			const token = tokenOf(ctx, itemIndex);
			const verdict = await verifyAccess(token, await rulesOf(ctx, itemIndex), portsOf(ctx));
			const json = withoutProof(withoutToken(item.json, token) as IDataObject);
			const rest = { ...(await withoutFiles(ctx, itemIndex, token)), pairedItem: { item: itemIndex } };
			if (verdict.ok) allowed.push({ ...rest, json: { ...json, user: verdict.user as unknown as IDataObject } });
			else {
				ctx.addExecutionHints({ message: `Item ${itemIndex}: ${verdict.why}`, type: 'warning', location: 'outputPane' });
				refused.push({ ...rest, json: { ...withoutUser(json), refused: { status: verdict.status, message: TOLD[verdict.status] } } });
			}
		} catch (error) {
			if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, itemIndex);
			refused.push(failedItem(error, itemIndex));
		}
	}
	return [allowed, refused];
}

/** A caller must not pass for somebody by sending a `user` along. */
function withoutUser(json: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'user'));
}

function tokenOf(ctx: IExecuteFunctions, itemIndex: number): string {
	const given = ctx.getNodeParameter('authorization', itemIndex, '') as unknown;
	const text = typeof given === 'string' ? given.trim() : '';
	const cookie = (ctx.getNodeParameter('options.cookie', itemIndex, '') as string).trim();
	if (cookie === '') return text.replace(/^bearer\s+/i, '');
	const found = text.split(';').map((part) => part.trim()).find((part) => part.startsWith(`${cookie}=`));
	return found ? unescaped(found.slice(cookie.length + 1)) : '';
}

/** The value of a cookie; what is no right escape stays as it came, from whoever sent it. */
function unescaped(value: string): string {
	const text = value.replace(/^"(.*)"$/, '$1');
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The item without any field that holds the token, wherever it stands. */
function withoutToken(value: unknown, token: string): unknown {
	if (token === '') return value;
	if (Array.isArray(value)) return value.filter((one) => !holds(one, token)).map((one) => withoutToken(one, token));
	if (typeof value !== 'object' || value === null) return value;
	const kept = Object.entries(value).filter(([key, inner]) => !holds(inner, token) && !holds(key, token));
	return Object.fromEntries(kept.map(([key, inner]) => [key, withoutToken(inner, token)]));
}

function holds(value: unknown, token: string): boolean {
	return typeof value === 'string' && (value.includes(token) || value.includes(encodeURIComponent(token)));
}

/** Headers that prove who sent a request go, also when the token that was checked stood elsewhere. */
function withoutProof(json: IDataObject): IDataObject {
	const { headers } = json;
	if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return json;
	return { ...json, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(?:proxy-)?authorization$/i.test(name))) };
}

/** Files are read up to this size: a raw body with the token in it is small. */
const LARGEST_READ = 2_000_000;

/** The item without files that hold the token, such as the raw body of its request. */
async function withoutFiles(ctx: IExecuteFunctions, itemIndex: number, token: string): Promise<INodeExecutionData> {
	const item = ctx.getInputData()[itemIndex] as INodeExecutionData;
	if (token === '' || !item.binary) return item;
	const kept: NonNullable<INodeExecutionData['binary']> = {};
	for (const [name, file] of Object.entries(item.binary)) {
		const isLarge = Number(file.bytes ?? 0) > LARGEST_READ;
		const text = isLarge ? '' : (await ctx.helpers.getBinaryDataBuffer(itemIndex, name)).toString('latin1');
		if (!holds(text, token)) kept[name] = file;
	}
	return { ...item, binary: kept };
}

async function rulesOf(ctx: IExecuteFunctions, itemIndex: number): Promise<AccessRules> {
	const credential = await ctx.getCredentials(ACCESS_CREDENTIAL, itemIndex);
	const option = (name: string, fallback: string): string => (ctx.getNodeParameter(`options.${name}`, itemIndex, fallback) as string).trim() || fallback;
	return {
		keys: keysOf(credential),
		audiences: listOf(credential.audience),
		scopes: listOf(ctx.getNodeParameter('scopes', itemIndex, '')),
		toleranceSeconds: ctx.getNodeParameter('options.toleranceSeconds', itemIndex, 60) as number,
		claims: { sub: option('subClaim', 'sub'), email: option('emailClaim', 'email'), groups: option('groupsClaim', 'groups') },
	};
}

function keysOf({ kind, issuer, keySetUrl, secret }: ICredentialDataDecryptedObject): AccessKeys {
	const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
	const named = text(issuer) === '' ? {} : { issuer: text(issuer) };
	if (kind === 'secret') return { kind: 'secret', secret: text(secret), ...named };
	return kind === 'key-set' ? { kind: 'key-set', url: text(keySetUrl), ...named } : { kind: 'issuer', issuer: text(issuer) };
}

function listOf(value: unknown): string[] {
	return typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : [];
}

/** The test of the Access Rules credential: can the keys be read? */
export async function testAccess(this: ICredentialTestFunctions, credential: { data?: ICredentialDataDecryptedObject }): Promise<INodeCredentialTestResult> {
	const data = credential.data ?? {};
	try {
		if (listOf(data.audience).length === 0) return { status: 'Error', message: 'Enter the audience' };
		const keys = keysOf(data);
		if (keys.kind === 'secret') return keys.secret.length < 32 ? { status: 'Error', message: 'The secret has under 32 characters' } : { status: 'OK', message: 'The secret can be used' };
		const ports = { fetch, clock: realClock, log: () => undefined, ids: () => '' };
		const { keys: found } = await keySetOf(keys.kind === 'issuer' ? { issuer: keys.issuer } : { url: keys.url }, ports, { anew: true });
		return { status: 'OK', message: `${found.length} keys were found` };
	} catch (error) {
		return { status: 'Error', message: messageOf(error) };
	}
}
