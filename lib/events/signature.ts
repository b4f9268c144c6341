/**
 * Events: what starts an agent from a business system. This file tells whether a delivery really comes from who says so.
 *
 * In: the request as it came (raw body, headers) and the keys that may have signed it. Out: a verdict; a refusal has a reason
 * for the builder and reveals nothing of the keys. Knows nothing of n8n or storage.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery as it came. */
export interface Delivery {
	/** Lower-case names. */
	readonly headers: Readonly<Record<string, unknown>>;
	/** The bytes that were signed; undefined when only the parsed body is known. */
	readonly rawBody?: Buffer;
	/** The parsed body, used where the raw one is not there. */
	readonly body: unknown;
	readonly method: string;
	/** The public address that the sender called. */
	readonly url: string;
	/** Parameters of the address. */
	readonly query: Readonly<Record<string, unknown>>;
}

export type RefusalReason = 'unsigned' | 'wrong-signature' | 'no-timestamp' | 'expired' | 'future' | 'no-token' | 'wrong-token' | 'too-large' | 'repeated';

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly reason: RefusalReason; readonly message: string };

/** What the sender signs, in the order in which it is joined. */
export type SignedContent = 'body' | 'timestamp.body' | 'id.timestamp.body' | 'method url body timestamp';

/** How a sender signs its deliveries with HMAC. Header names are lower-case. */
export interface SignatureScheme {
	readonly header: string;
	readonly algorithm: 'sha256' | 'sha1' | 'sha512';
	readonly encoding: 'hex' | 'base64';
	readonly content: SignedContent;
	/** Stands before the signature: `sha256=`. */
	readonly prefix?: string;
	/** The header holds pairs, `t=…,v1=…`: the names of the timestamp and of the signatures. */
	readonly pairs?: { readonly timestamp: string; readonly signature: string };
	/** The header holds several signatures with spaces between, each after `v1,`. */
	readonly isList?: boolean;
	readonly timestampHeader?: string;
	readonly timestampUnit?: 's' | 'ms';
	readonly idHeader?: string;
	/** Keys are base64 after `whsec_`. */
	readonly keysAreEncoded?: boolean;
}

/** Named senders, as their documentation describes them. */
export const SCHEMES = {
	/** https://www.standardwebhooks.com */
	standard: {
		header: 'webhook-signature', algorithm: 'sha256', encoding: 'base64', content: 'id.timestamp.body', isList: true,
		timestampHeader: 'webhook-timestamp', timestampUnit: 's', idHeader: 'webhook-id', keysAreEncoded: true,
	},
	erpnext: { header: 'x-frappe-webhook-signature', algorithm: 'sha256', encoding: 'base64', content: 'body' },
	github: { header: 'x-hub-signature-256', algorithm: 'sha256', encoding: 'hex', content: 'body', prefix: 'sha256=' },
	/** Version 3 of HubSpot's request validation. */
	hubspot: {
		header: 'x-hubspot-signature-v3', algorithm: 'sha256', encoding: 'base64', content: 'method url body timestamp',
		timestampHeader: 'x-hubspot-request-timestamp', timestampUnit: 'ms',
	},
	shopify: { header: 'x-shopify-hmac-sha256', algorithm: 'sha256', encoding: 'base64', content: 'body' },
	stripe: {
		header: 'stripe-signature', algorithm: 'sha256', encoding: 'hex', content: 'timestamp.body',
		pairs: { timestamp: 't', signature: 'v1' }, timestampUnit: 's',
	},
} as const satisfies Record<string, SignatureScheme>;

export interface SignatureCheck {
	readonly scheme: SignatureScheme;
	/** All keys that may have signed: the new and the old one while a key is changed. */
	readonly keys: readonly string[];
	/** Milliseconds since 1970. */
	readonly now: number;
	/** How far the sender's clock, or a late delivery, may be off, in milliseconds, both ways. */
	readonly toleranceMs: number;
}

/** Checks the signature first, then the age: only a signed timestamp means anything. Constant time per key. */
export function verifySignature(delivery: Delivery, check: SignatureCheck): Verdict {
	const { scheme } = check;
	const given = textOf(delivery.headers[scheme.header]);
	if (given === '') return refused('unsigned', `The header ${scheme.header} is missing`);
	const { signatures, timestamp } = readHeader(given, delivery, scheme);
	const isTimed = scheme.pairs !== undefined || scheme.timestampHeader !== undefined;
	if (isTimed && timestamp === '') return refused('no-timestamp', `The delivery has no timestamp (${scheme.timestampHeader ?? scheme.header})`);
	const content = signedContent(delivery, scheme, timestamp);
	if (!check.keys.some((key) => signatures.some((signature) => isSignedBy(key, { signature, content, scheme })))) {
		return refused('wrong-signature', delivery.rawBody ? WRONG : `${WRONG} ${NO_RAW_BODY}`);
	}
	return isTimed ? verifyAge(timestamp, check) : { ok: true };
}

const WRONG = 'The signature does not belong to this body and any of the keys.';
const NO_RAW_BODY = 'The raw body is not there, so the parsed one was checked, which need not be the same text: turn on Raw Body in the options of the Webhook node.';

function readHeader(given: string, delivery: Delivery, scheme: SignatureScheme): { signatures: string[]; timestamp: string } {
	const { pairs, prefix = '', isList, timestampHeader } = scheme;
	const timestamp = timestampHeader ? textOf(delivery.headers[timestampHeader]) : '';
	if (pairs) {
		const parts = given.split(',').map((part) => part.trim().split('='));
		const valuesOf = (name: string): string[] => parts.flatMap(([key, ...rest]) => (key === name ? [rest.join('=')] : []));
		return { signatures: valuesOf(pairs.signature), timestamp: valuesOf(pairs.timestamp)[0] ?? '' };
	}
	if (isList) return { signatures: given.split(/\s+/).map((one) => one.replace(/^v\d+,/, '')), timestamp };
	return { signatures: given.startsWith(prefix) ? [given.slice(prefix.length)] : [], timestamp };
}

function signedContent(delivery: Delivery, { content, idHeader = '' }: SignatureScheme, timestamp: string): Buffer {
	const { headers, rawBody, body } = delivery;
	const bytes = rawBody ?? Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
	if (content === 'method url body timestamp') return Buffer.concat([Buffer.from(delivery.method.toUpperCase() + decoded(delivery.url)), bytes, Buffer.from(timestamp)]);
	const before = { body: '', 'timestamp.body': `${timestamp}.`, 'id.timestamp.body': `${textOf(headers[idHeader])}.${timestamp}.` };
	return Buffer.concat([Buffer.from(before[content]), bytes]);
}

/** HubSpot signs the address with these escapes undone, and no others. */
function decoded(url: string): string {
	return url.replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi, (escape) => decodeURIComponent(escape));
}

function isSignedBy(key: string, { signature, content, scheme }: { signature: string; content: Buffer; scheme: SignatureScheme }): boolean {
	const secret = scheme.keysAreEncoded ? decodedKey(key) : Buffer.from(key);
	const right = createHmac(scheme.algorithm, secret).update(content).digest();
	const given = Buffer.from(signature, scheme.encoding);
	return given.length === right.length && timingSafeEqual(given, right);
}

/** The bytes of a key in base64, with or without `whsec_`. What is no base64 is passed over. */
export function decodedKey(key: string): Buffer {
	return Buffer.from(key.replace(/^whsec_/, ''), 'base64');
}

function verifyAge(timestamp: string, { now, toleranceMs, scheme }: SignatureCheck): Verdict {
	const number = Number(timestamp);
	const at = Number.isFinite(number) ? number * (scheme.timestampUnit === 'ms' ? 1 : 1000) : Date.parse(timestamp);
	if (!Number.isFinite(at)) return refused('no-timestamp', `"${timestamp.slice(0, 40)}" is not a timestamp`);
	const seconds = Math.round(Math.abs(now - at) / 1000);
	if (now - at > toleranceMs) return refused('expired', `The delivery was signed ${seconds} s ago; ${toleranceMs / 1000} s are allowed`);
	if (at - now > toleranceMs) return refused('future', `The delivery was signed ${seconds} s in the future; ${toleranceMs / 1000} s are allowed. Check the clocks.`);
	return { ok: true };
}

/** Compares a token with those that are right, in constant time for each. */
export function verifyToken(given: string, tokens: readonly string[]): Verdict {
	if (given === '') return refused('no-token', 'The token is missing');
	const digest = (text: string): Buffer => createHmac('sha256', 'token').update(text).digest();
	const isRight = tokens.map((token) => timingSafeEqual(digest(given), digest(token))).includes(true);
	return isRight ? { ok: true } : refused('wrong-token', 'The token is not one of the right ones');
}

/** A refusal with its reason. */
export function refused(reason: RefusalReason, message: string): Verdict {
	return { ok: false, reason, message };
}

function textOf(value: unknown): string {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'string' ? first.trim() : typeof first === 'number' ? String(first) : '';
}
