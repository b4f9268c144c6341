import type { JSONWebKeySet } from './jose-types';

import { CodedError, messageOf, raise } from '../core/errors';
import type { Ports } from '../core/ports';

export type KeyPlace = { readonly issuer: string } | { readonly url: string };

interface Kept {
	readonly keys: JSONWebKeySet;
	readonly at: number;
}

/** How long keys are used without asking again. */
const FRESH_MS = 10 * 60_000;
/** How long keys are used when the issuer cannot be reached. */
const STALE_MS = 24 * 3_600_000;
/** A token with an unknown key makes us ask again, but not more often than this: anybody can send such tokens. */
const COOLDOWN_MS = 30_000;
const TIMEOUT_MS = 10_000;
const LONGEST_ANSWER = 500_000;

const kept = new Map<string, Kept>();
/** Requests under way: many tokens at once ask once. */
const asked = new Map<string, Promise<JSONWebKeySet>>();
/** Requests that failed a moment ago: while kept keys are used, no token waits for the next one. */
const failed = new Map<string, { readonly error: unknown; readonly at: number }>();
const PAUSE_MS = 10_000;

/**
 * The public keys of an issuer or of a key set's address, kept for a while.
 *
 * @throws UPSTREAM (retryable) when they cannot be had and none are kept, BAD_INPUT for an address that cannot be one
 */
export async function keySetOf(place: KeyPlace, ports: Ports, { anew = false } = {}): Promise<JSONWebKeySet> {
	const name = 'issuer' in place ? place.issuer : place.url;
	const known = kept.get(name);
	const now = ports.clock.now();
	// A clock that was set back makes nothing fresh.
	const age = known ? Math.abs(now - known.at) : Infinity;
	if (known && age < (anew ? COOLDOWN_MS : FRESH_MS)) return known.keys;
	try {
		const before = failed.get(name);
		if (known && before && Math.abs(now - before.at) < PAUSE_MS) return raise(before.error);
		return await (asked.get(name) ?? ask(name, place, ports));
	} catch (error) {
		if (!known || age > STALE_MS) return raise(error);
		ports.log('warn', `Keys of ${name} cannot be had now; those of ${Math.round(age / 60_000)} minutes ago are used`, { why: messageOf(error) });
		return known.keys;
	}
}

async function ask(name: string, place: KeyPlace, ports: Ports): Promise<JSONWebKeySet> {
	const answer = (async () => {
		try {
			const url = 'issuer' in place ? await keyAddressOf(place.issuer, ports) : place.url;
			const keys = readKeys(await getJson(url, ports), url);
			kept.set(name, { keys, at: ports.clock.now() });
			failed.delete(name);
			return keys;
		} catch (error) {
			failed.set(name, { error, at: ports.clock.now() });
			return raise(error);
		} finally {
			asked.delete(name);
		}
	})();
	asked.set(name, answer);
	return await answer;
}

/** OpenID Connect Discovery 1.0, section 4. */
async function keyAddressOf(issuer: string, ports: Ports): Promise<string> {
	const found = (await getJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, ports)) as { issuer?: unknown; jwks_uri?: unknown };
	if (found.issuer !== issuer) {
		throw new CodedError('UPSTREAM', `${issuer} calls itself ${String(found.issuer)}`, { remedy: 'Enter the issuer exactly as it calls itself, with or without the last slash.' });
	}
	if (typeof found.jwks_uri === 'string') return found.jwks_uri;
	throw new CodedError('UPSTREAM', `${issuer} does not say where its keys are (jwks_uri)`, { remedy: 'Choose Key Set in the credential and enter the address of its keys.' });
}

async function getJson(address: string, { fetch }: Ports): Promise<unknown> {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
	if (!url || (url.protocol !== 'https:' && !isLocal)) {
		throw new CodedError('BAD_INPUT', `"${address.slice(0, 200)}" is no https address`, { remedy: 'Keys that come over an open connection prove nothing: enter an https address.' });
	}
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
		if (!response.ok) throw new Error(`HTTP ${response.status}`);
		// A redirect may have left https.
		if (new URL(response.url || url).protocol !== url.protocol) throw new Error('it leads to an address without https');
		return JSON.parse(await textWithin(response, LONGEST_ANSWER)) as unknown;
	} catch (error) {
		return unreachable(url, error);
	}
}

async function textWithin(response: Response, most: number): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
		text += decoder.decode(bytes, { stream: true });
		if (text.length > most) throw new Error(`the answer has over ${most / 1000} kB`);
	}
	return text + decoder.decode();
}

function unreachable(url: URL, error: unknown): never {
	throw new CodedError('UPSTREAM', `The keys cannot be read from ${url.origin}${url.pathname}: ${messageOf(error)}`, {
		remedy: 'Check the address in the credential, and that n8n may reach it (N8N_SSRF_ALLOWED_HOSTNAMES, proxy).',
		retryable: true,
		cause: error,
	});
}

function readKeys(value: unknown, url: string): JSONWebKeySet {
	const { keys } = (value ?? {}) as { keys?: unknown };
	if (Array.isArray(keys)) return { keys } as JSONWebKeySet;
	throw new CodedError('UPSTREAM', `${url} gives no key set`, { remedy: 'Enter the address of a JSON Web Key Set: a JSON object with a list "keys".' });
}

/** Forgets kept keys. */
export function forgetKeySets(): void {
	kept.clear();
	failed.clear();
}
