import type { ICredentialDataDecryptedObject, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { decodedKey, SCHEMES, verifySignature, verifyToken, type Delivery, type SignatureScheme, type Verdict } from '../events/signature';

const KEY_CREDENTIAL = 'reactEngineEventKeyApi';
const SHORTEST_KEY = 8;

/** Reads a field of the node. */
export type Get = (name: string, fallback?: unknown) => unknown;

/** Checks who sent a delivery, as the node's fields say. @throws BAD_INPUT for fields that cannot be used */
export async function verifySender(get: Get, delivery: Delivery, credentialsOf: (name: string) => Promise<ICredentialDataDecryptedObject>): Promise<Verdict> {
	const check = get('check');
	if (check === 'none') return { ok: true };
	const keys = readKeys(await credentialsOf(KEY_CREDENTIAL));
	if (check === 'token') return verifyToken(tokenOf(delivery, get), keys);
	const scheme = schemeOf(get);
	requireReadable(keys, scheme);
	return verifySignature(delivery, { scheme, keys, now: Date.now(), toleranceMs: limitOf(get, 'options.toleranceSeconds', 300) * 1000 });
}

/** A limit of the node's options, 0 or more. @throws BAD_INPUT for what is no number: no limit at all would hold then */
export function limitOf(get: Get, name: string, fallback: number): number {
	const limit = Number(get(name, fallback));
	if (limit >= 0) return limit;
	throw new CodedError('BAD_INPUT', `${name} is ${JSON.stringify(get(name, fallback))}, which is no limit`, { remedy: 'Enter a number of 0 or more.' });
}

/** Everybody can sign with a key that is read as no bytes. */
function requireReadable(keys: readonly string[], { keysAreEncoded }: SignatureScheme): void {
	if (!keysAreEncoded || keys.every((key) => decodedKey(key).length >= SHORTEST_KEY)) return;
	throw new CodedError('BAD_INPUT', 'A key of the credential is no base64 text after "whsec_"', { remedy: 'Enter the key as the sender shows it, whole: Standard Webhooks writes it whsec_ and then base64.' });
}

function readKeys({ secret, olderSecret }: ICredentialDataDecryptedObject): string[] {
	const keys = [secret, olderSecret].map(textOf).filter((one) => one !== '');
	if (keys.length > 0) return keys;
	throw new CodedError('BAD_INPUT', 'The Event Key credential has no key', { remedy: 'Enter the secret of the sender in the credential.' });
}

/** The named sender; '' where nobody is named. */
export function senderOf(get: Get): string {
	if (get('check') === 'token') return textOf(get('tokenSender', 'custom'));
	return get('check') === 'signature' ? textOf(get('sender')) : '';
}

/** Where a sender puts its token, and under which name: lower-case for a header. */
interface TokenPlace {
	readonly in: 'basic' | 'bearer' | 'header' | 'query';
	readonly name: string;
}

const TOKEN_PLACES: Readonly<Record<string, TokenPlace>> = {
	gitlab: { in: 'header', name: 'x-gitlab-token' },
	odoo: { in: 'query', name: 'token' },
	pipedrive: { in: 'basic', name: '' },
	salesforce: { in: 'bearer', name: '' },
};

/** Where the token of a delivery stands, as the node's fields say. */
export function tokenPlace(get: Get): TokenPlace {
	const named = TOKEN_PLACES[textOf(get('tokenSender', 'custom'))];
	if (named) return named;
	const place = get('tokenIn') as TokenPlace['in'];
	const name = textOf(get('placeName'));
	return { in: place, name: place === 'query' ? name : name.toLowerCase() };
}

function schemeOf(get: Get): SignatureScheme {
	const sender = senderOf(get);
	const named = (SCHEMES as Readonly<Record<string, SignatureScheme>>)[sender];
	if (named) return named;
	const header = textOf(get('header')).toLowerCase();
	if (header === '') throw new CodedError('BAD_INPUT', 'The Signature Header is empty', { remedy: 'Enter the name of the header that holds the signature.' });
	const timestampHeader = textOf(get('timestampHeader')).toLowerCase();
	const content = get('content') as SignatureScheme['content'];
	if (content !== 'body' && timestampHeader === '') {
		throw new CodedError('BAD_INPUT', 'The signed content has a timestamp, but the Timestamp Header is empty', { remedy: 'Enter the name of the header that holds it.' });
	}
	return {
		header,
		content,
		algorithm: get('algorithm') as SignatureScheme['algorithm'],
		encoding: get('encoding') as SignatureScheme['encoding'],
		prefix: textOf(get('prefix')),
		...(timestampHeader !== '' && { timestampHeader, timestampUnit: get('timestampUnit') as 's' | 'ms' }),
		idHeader: textOf(get('idHeader')).toLowerCase(),
	};
}

/** Where the token may stand; Basic Auth gives `user:password`. */
function tokenOf({ headers, query }: Delivery, get: Get): string {
	const { in: place, name } = tokenPlace(get);
	const authorization = textOf(headers.authorization);
	switch (place) {
		case 'query':
			return textOf(query[name]);
		case 'header':
			return textOf(headers[name]);
		case 'basic':
			return /^basic /i.test(authorization) ? Buffer.from(authorization.slice(6), 'base64').toString() : '';
		default:
			return /^bearer /i.test(authorization) ? authorization.slice(7).trim() : '';
	}
}

/** A text without blanks around; '' for what is none. */
export function textOf(value: unknown): string {
	return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** The test of the Event Key credential: nobody can be asked, so only what would make it weak is told. */
export async function testEventKeys(this: ICredentialTestFunctions, credential: { data?: ICredentialDataDecryptedObject }): Promise<INodeCredentialTestResult> {
	const { secret, olderSecret } = credential.data ?? {};
	const keys = [secret, olderSecret].map(textOf).filter((one) => one !== '');
	if (keys.length === 0) return { status: 'Error', message: 'Enter the key' };
	const weak = keys.some((one) => one.length < SHORTEST_KEY);
	if (weak) return { status: 'Error', message: `A key of under ${SHORTEST_KEY} characters can be guessed: have the sender make a longer one` };
	return { status: 'OK', message: 'The key can be used; whether it is the right one shows with the first event' };
}
