/**
 * Access: who is behind a request, told by a signed token (JWT). Keys come from an issuer (OpenID Connect discovery), a key set, or a
 * shared secret. A token that does not prove who sent it is refused; why is for the builder, never for the caller.
 */
import type { JSONWebKeySet, JWTPayload, JWTVerifyOptions, KeyLike } from './jose-types';

import { CodedError, isCodedError, messageOf, raise } from '../core/errors';
import type { Ports } from '../core/ports';
import { keySetOf } from './key-sets';

export type AccessKeys =
	| { readonly kind: 'issuer'; readonly issuer: string }
	| { readonly kind: 'key-set'; readonly url: string; readonly issuer?: string }
	| { readonly kind: 'secret'; readonly secret: string; readonly issuer?: string };

export interface AccessRules {
	readonly keys: AccessKeys;
	/** One of these must be among the token's audiences. */
	readonly audiences: readonly string[];
	/** All of them must be granted. */
	readonly scopes: readonly string[];
	/** Seconds that clocks may differ. */
	readonly toleranceSeconds: number;
	/** Where the claims stand; dots lead into objects: `realm_access.roles`. */
	readonly claims: { readonly sub: string; readonly email: string; readonly groups: string };
}

/** Whom the token belongs to. */
export interface User {
	readonly sub: string;
	readonly email?: string;
	readonly groups: readonly string[];
	readonly scopes: readonly string[];
}

export type AccessVerdict =
	| { readonly ok: true; readonly user: User }
	/** 401 no or no valid token, 403 not enough rights, 503 the keys cannot be had. `why` is for the builder. */
	| { readonly ok: false; readonly status: 401 | 403 | 503; readonly why: string };

/** Signatures that a public key can check. A shared secret takes the HS ones only, so a public key is never taken for a secret. */
const PUBLIC_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const SECRET_ALGORITHMS = ['HS256', 'HS384', 'HS512'];
const SHORTEST_SECRET = 32;
/** Characters; servers allow headers of 8 to 64 kB. */
const LONGEST_TOKEN = 64_000;
const LONGEST_QUOTE = 200;

/** Verifies a token. @throws BAD_INPUT for rules that cannot be used; all else is a verdict */
export async function verifyAccess(token: string, rules: AccessRules, ports: Ports): Promise<AccessVerdict> {
	requireUsable(rules);
	if (token === '') return { ok: false, status: 401, why: 'There is no token' };
	if (token.length > LONGEST_TOKEN) return { ok: false, status: 401, why: `The token has ${token.length} characters, which is no token of an issuer` };
	try {
		const payload = await readToken(token, rules, ports);
		return authorise(payload, rules);
	} catch (error) {
		if (isCodedError(error) && error.code !== 'BAD_INPUT') return { ok: false, status: 503, why: error.message };
		if (isCodedError(error)) return raise(error);
		return { ok: false, status: 401, why: reasonOf(error, rules) };
	}
}

function requireUsable({ keys, audiences }: AccessRules): void {
	if (audiences.length === 0) {
		throw new CodedError('BAD_INPUT', 'No audience is given', { remedy: 'Enter the audience that tokens for this workflow carry; else a token made for any other application would do.' });
	}
	if (keys.kind === 'secret' && keys.secret.length < SHORTEST_SECRET) {
		throw new CodedError('BAD_INPUT', `The shared secret has under ${SHORTEST_SECRET} characters`, { remedy: 'Use a random one of 32 characters or more.' });
	}
}

async function readToken(token: string, { keys, audiences, toleranceSeconds }: AccessRules, ports: Ports): Promise<JWTPayload> {
	const { jwtVerify, createLocalJWKSet } = await import('jose');
	const checks: JWTVerifyOptions = {
		audience: [...audiences],
		...(keys.issuer && { issuer: keys.issuer }),
		clockTolerance: toleranceSeconds,
		currentDate: new Date(ports.clock.now()),
		requiredClaims: ['exp'],
	};
	if (keys.kind === 'secret') {
		const secret = new TextEncoder().encode(keys.secret);
		return (await jwtVerify(token, secret, { ...checks, algorithms: SECRET_ALGORITHMS })).payload;
	}
	const place = keys.kind === 'issuer' ? { issuer: keys.issuer } : { url: keys.url };
	const verify = async (key: KeyLike): Promise<JWTPayload> => (await jwtVerify(token, key, { ...checks, algorithms: PUBLIC_ALGORITHMS })).payload;
	const verifyWith = async (set: JSONWebKeySet): Promise<JWTPayload> => {
		try {
			return await verify(createLocalJWKSet(set) as unknown as KeyLike);
		} catch (error) {
			return await verifyWithEach(error, verify);
		}
	};
	try {
		return await verifyWith(await keySetOf(place, ports));
	} catch (error) {
		// A key that is not known yet: the issuer may have changed its keys.
		if ((error as { code?: unknown }).code !== 'ERR_JWKS_NO_MATCHING_KEY') return raise(error);
		return await verifyWith(await keySetOf(place, ports, { anew: true }));
	}
}

/** A token that does not name its key, and several that it may be: the error of `jose` gives them. */
async function verifyWithEach(error: unknown, verify: (key: KeyLike) => Promise<JWTPayload>): Promise<JWTPayload> {
	if ((error as { code?: unknown }).code !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') return raise(error);
	let last = error;
	for await (const key of error as AsyncIterable<KeyLike>) {
		try {
			return await verify(key);
		} catch (reason) {
			if ((reason as { code?: unknown }).code !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return raise(reason);
			last = reason;
		}
	}
	return raise(last);
}

function authorise(payload: JWTPayload, { claims, scopes: required }: AccessRules): AccessVerdict {
	const sub = claimAt(payload, claims.sub);
	if (typeof sub !== 'string' || sub === '') return { ok: false, status: 401, why: `The token has no claim "${claims.sub}"` };
	if (lacksGroups(payload, claims.groups)) {
		return { ok: false, status: 403, why: 'The token leaves the groups out because there are too many (Microsoft Entra). Have the application send only groups assigned to it, or application roles.' };
	}
	const scopes = [...listOf(payload.scope), ...listOf(payload.scp)];
	const missing = required.filter((scope) => !scopes.includes(scope));
	if (missing.length > 0) return { ok: false, status: 403, why: `The token does not grant ${missing.join(', ')}` };
	const email = claimAt(payload, claims.email);
	return { ok: true, user: { sub, ...(typeof email === 'string' && { email }), groups: groupsOf(claimAt(payload, claims.groups)), scopes } };
}

/** Entra names where to ask for the groups, in place of the groups, when a user is in over 200 of them. Roles are there all the same. */
function lacksGroups(payload: JWTPayload, claim: string): boolean {
	const [name = ''] = claim.split('.');
	const names = payload._claim_names;
	const isElsewhere = typeof names === 'object' && names !== null && Object.hasOwn(names, name);
	return isElsewhere || (name === 'groups' && (payload.hasgroups === true || payload.hasgroups === 'true'));
}

function claimAt(payload: JWTPayload, path: string): unknown {
	if (Object.hasOwn(payload, path)) return payload[path];
	const inner = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined);
	return path.split('.').reduce<unknown>(inner, payload);
}

/** Scopes: a list, or names with blanks between. */
function listOf(value: unknown): string[] {
	return typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : groupsOf(value);
}

/** Groups: a list, or one alone, whose name may have blanks: issuers such as AD FS send a list of one as a text. */
function groupsOf(value: unknown): string[] {
	return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
}

/** What is wrong with a token and what to look at, for the builder. */
function reasonOf(error: unknown, { audiences, keys }: AccessRules): string {
	const { code, claim, payload = {} } = error as { code?: unknown; claim?: unknown; payload?: JWTPayload };
	if (code === 'ERR_JWT_EXPIRED') return 'The token has expired (exp): the application must fetch a new one';
	if (code === 'ERR_JWS_INVALID' || code === 'ERR_JWT_INVALID') return 'The token is no signed JWT: have the application send the ID or access token of the issuer, not an opaque one';
	if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'The signature does not belong to the keys of the credential';
	if (claim === 'aud') return `The token is made for ${quoted(payload.aud)} (aud), not for ${audiences.join(' or ')}: see Audience in the credential`;
	if (claim === 'iss') return `The token is of ${quoted(payload.iss)} (iss), not of ${keys.issuer ?? ''}: see Issuer in the credential`;
	return `The token is refused: ${messageOf(error)}${typeof claim === 'string' ? ` (${claim})` : ''}`;
}

/** A claim as JSON; what a stranger sends may be long. */
function quoted(claim: unknown): string {
	const text = JSON.stringify(claim) ?? 'nothing';
	return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`;
}
