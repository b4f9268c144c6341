import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenID Connect issuer on 127.0.0.1 that signs what it is told to. */
export interface FakeIssuer {
	readonly url: string;
	/** Requests for the key set so far. */
	readonly keyRequests: () => number;
	/** A token with these claims over the usual ones (iss, aud `assistant`, sub `anna`, exp in an hour of `now`). */
	sign(claims?: Record<string, unknown>, header?: { kid?: string }): Promise<string>;
	/** New keys; the old ones are gone. */
	rotate(): Promise<void>;
	/** While down it answers everything with 503. */
	setDown(isDown: boolean): void;
	stop(): Promise<void>;
}

export async function startFakeIssuer(now: () => number): Promise<FakeIssuer> {
	const { exportJWK, generateKeyPair, SignJWT } = await import('jose');
	let number = 0;
	let current: { kid: string; key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']; jwk: object };
	const rotate = async (): Promise<void> => {
		const { publicKey, privateKey } = await generateKeyPair('RS256');
		const kid = `key-${++number}`;
		current = { kid, key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
	};
	await rotate();
	let isDown = false;
	let keyRequests = 0;
	const server: Server = createServer((request, response) => {
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const answers: Record<string, unknown> = { '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` }, '/keys': { keys: [current.jwk] } };
		if (request.url === '/keys') keyRequests += 1;
		response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[request.url ?? ''] ?? {}));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		keyRequests: () => keyRequests,
		sign: async (claims = {}, header = {}) => {
			const usual = { iss: url, aud: 'assistant', sub: 'anna', exp: Math.floor(now() / 1000) + 3600 };
			const payload = Object.fromEntries(Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined));
			return await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: current.kid, ...header }).sign(current.key);
		},
		rotate,
		setDown: (down) => {
			isDown = down;
		},
		stop: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
