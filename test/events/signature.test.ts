import { createHmac } from 'node:crypto';
import { SCHEMES, verifySignature, verifyToken, type Delivery, type SignatureCheck, type SignatureScheme } from '../../lib/events/signature';

const now = Date.UTC(2026, 5, 1);
const seconds = String(now / 1000);
const key = 'a-key-of-the-sender';
const body = '{"ticket": 12, "texte": "Fuite hydraulique à l\\u2019arrière"}';

function delivery(headers: Record<string, unknown>, raw: string | null = body): Delivery {
	return { headers, ...(raw !== null && { rawBody: Buffer.from(raw) }), body: JSON.parse(body), method: 'post', url: 'https://n8n.example/webhook/x%2Fy', query: {} };
}

const sign = (text: string, encoding: 'hex' | 'base64', secret: string | Buffer = key): string => createHmac('sha256', secret).update(text).digest(encoding);
const check = (scheme: SignatureScheme, more: Partial<SignatureCheck> = {}): SignatureCheck => ({ scheme, keys: [key], now, toleranceMs: 300_000, ...more });

/** A right delivery of each named sender, signed at a moment, with a key. */
const RIGHT: Record<keyof typeof SCHEMES, (at?: number) => Record<string, unknown>> = {
	standard: (at = now) => ({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(at / 1000),
		'webhook-signature': `v1,AAAA v1,${sign(`msg_1.${at / 1000}.${body}`, 'base64', Buffer.from(key, 'base64'))}`,
	}),
	erpnext: () => ({ 'x-frappe-webhook-signature': sign(body, 'base64') }),
	github: () => ({ 'x-hub-signature-256': `sha256=${sign(body, 'hex')}` }),
	hubspot: (at = now) => ({
		'x-hubspot-request-timestamp': String(at),
		'x-hubspot-signature-v3': sign(`POSThttps://n8n.example/webhook/x/y${body}${at}`, 'base64'),
	}),
	shopify: () => ({ 'x-shopify-hmac-sha256': sign(body, 'base64') }),
	stripe: (at = now) => ({ 'stripe-signature': `t=${at / 1000},v0=zz,v1=${sign(`${at / 1000}.${body}`, 'hex')}` }),
};
const NAMES = Object.keys(SCHEMES) as Array<keyof typeof SCHEMES>;
const timed = NAMES.filter((name) => 'timestampUnit' in SCHEMES[name]);

describe('the signature of each named sender', () => {
	it.each(NAMES)('%s is right with the key, also while keys are changed', (name) => {
		expect(verifySignature(delivery(RIGHT[name]()), check(SCHEMES[name]))).toEqual({ ok: true });
		expect(verifySignature(delivery(RIGHT[name]()), check(SCHEMES[name], { keys: ['the new key', key] }))).toEqual({ ok: true });
	});

	it.each(NAMES)('%s is wrong for another body, another key, no key, and without its header', (name) => {
		const other = delivery(RIGHT[name](), body.replace('12', '13'));
		expect(verifySignature(other, check(SCHEMES[name]))).toMatchObject({ ok: false, reason: 'wrong-signature' });
		expect(verifySignature(delivery(RIGHT[name]()), check(SCHEMES[name], { keys: ['other'] }))).toMatchObject({ reason: 'wrong-signature' });
		expect(verifySignature(delivery(RIGHT[name]()), check(SCHEMES[name], { keys: [] }))).toMatchObject({ reason: 'wrong-signature' });
		expect(verifySignature(delivery({}), check(SCHEMES[name]))).toMatchObject({ reason: 'unsigned' });
	});

	it.each(timed)('%s is refused when signed too long ago or in the future', (name) => {
		const at = (offset: number) => verifySignature(delivery(RIGHT[name](now + offset)), check(SCHEMES[name]));
		expect(at(-299_000)).toEqual({ ok: true });
		expect(at(-301_000)).toMatchObject({ reason: 'expired', message: 'The delivery was signed 301 s ago; 300 s are allowed' });
		expect(at(299_000)).toEqual({ ok: true });
		expect(at(301_000)).toMatchObject({ reason: 'future' });
	});

	it.each(timed)('%s is refused when the timestamp was changed after signing, or taken out', (name) => {
		const headers = Object.fromEntries(
			Object.entries(RIGHT[name](now - 600_000)).map(([header, value]) => [header, String(value).replace(String((now - 600_000) / 1000), seconds).replace(String(now - 600_000), String(now))]),
		);
		expect(verifySignature(delivery(headers), check(SCHEMES[name]))).toMatchObject({ reason: 'wrong-signature' });
		const without = Object.fromEntries(Object.entries(RIGHT[name]()).flatMap(([header, value]) => (header.endsWith('timestamp') ? [] : [[header, String(value).replace(/^t=\d+,/, '')]])));
		expect(verifySignature(delivery(without), check(SCHEMES[name]))).toMatchObject({ reason: 'no-timestamp' });
	});
});

describe('a signature', () => {
	it.each(['', '=', 'sha256=', 'sha1=abc', 'sha256=zz', `sha256=${'0'.repeat(10_000)}`, 12, null, ['x'], { a: 1 }])('that is nonsense (%j) is refused without an exception', (value) => {
		expect(verifySignature(delivery({ 'x-hub-signature-256': value }), check(SCHEMES.github)).ok).toBe(false);
	});

	it('over a parsed body is right when the sender writes JSON as we do, and else says how to get the raw body', () => {
		const compact = JSON.stringify(JSON.parse(body));
		expect(verifySignature(delivery({ 'x-hub-signature-256': `sha256=${sign(compact, 'hex')}` }, null), check(SCHEMES.github))).toEqual({ ok: true });
		expect(verifySignature(delivery(RIGHT.github(), null), check(SCHEMES.github))).toMatchObject({ message: expect.stringContaining('turn on Raw Body') });
	});
});

describe('a token', () => {
	it('is right when it is one of the right ones, and never by its beginning', () => {
		expect(verifyToken('abc', ['xyz', 'abc'])).toEqual({ ok: true });
		for (const given of ['ab', 'abcd', 'ABC', '']) expect(verifyToken(given, ['abc']).ok).toBe(false);
		expect(verifyToken('abc', []).ok).toBe(false);
	});
});
