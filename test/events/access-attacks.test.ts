import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forgetKeySets, keySetOf } from '../../lib/events/key-sets';
import { verifyAccess, type AccessRules } from '../../lib/events/verify-access';
import { startFakeIssuer, type FakeIssuer } from '../support/fake-issuer';
import { fakePorts } from '../support/fake-ports';

let issuer: FakeIssuer;
const ports = fakePorts();
beforeAll(async () => {
	issuer = await startFakeIssuer(() => ports.clock.now());
});
afterAll(async () => await issuer.stop());
beforeEach(() => {
	issuer.setDown(false);
	forgetKeySets();
});

const claims = { sub: 'sub', email: 'email', groups: 'groups' };
const check = async (token: string, over: Partial<AccessRules> = {}) =>
	await verifyAccess(token, { keys: { kind: 'issuer', issuer: issuer.url }, audiences: ['assistant'], scopes: [], toleranceSeconds: 60, claims, ...over }, ports);

describe('the groups of a token', () => {
	it('sent as a text are one group, whose name may have blanks: nobody gets into "Nord" by "Maintenance Nord"', async () => {
		expect(await check(await issuer.sign({ groups: 'Maintenance Nord' }))).toMatchObject({ user: { groups: ['Maintenance Nord'] } });
	});

	it('may be missing where rights come from roles', async () => {
		const token = await issuer.sign({ roles: ['chef'], _claim_names: { groups: 'src1' }, hasgroups: true });
		expect(await check(token, { claims: { ...claims, groups: 'roles' } })).toMatchObject({ ok: true, user: { groups: ['chef'] } });
		expect(await check(token)).toMatchObject({ ok: false, status: 403 });
	});

	it('of names that every object has are none', async () => {
		const token = await issuer.sign({ groups: [{ a: 1 }, 3, null, ''], _claim_names: {} });
		expect(await check(token)).toMatchObject({ ok: true, user: { groups: [] } });
		expect(await check(token, { claims: { ...claims, groups: 'constructor.name', email: 'toString' } })).toEqual({ ok: true, user: { sub: 'anna', groups: [], scopes: [] } });
		expect(await check(token, { claims: { ...claims, sub: '__proto__.x' } })).toMatchObject({ ok: false, status: 401 });
	});
});

describe('what strangers send', () => {
	it('is not read when it is far too long, and not quoted at length', async () => {
		expect(await check(`e30.${'A'.repeat(1_000_000)}.x`)).toMatchObject({ ok: false, status: 401, why: expect.stringContaining('characters') });
		const verdict = await check(await issuer.sign({ aud: Array.from({ length: 2_000 }, (_, i) => `audience-${i}`) }));
		expect((verdict as { why: string }).why.length).toBeLessThan(500);
	});

	it('all at once asks the issuer once', async () => {
		const token = await issuer.sign();
		const before = issuer.keyRequests();
		await Promise.all(Array.from({ length: 50 }, async () => await check(token)));
		expect(issuer.keyRequests() - before).toBe(1);
	});

	it('while the issuer is down does not wait for it again and again', async () => {
		const token = await issuer.sign();
		await check(token);
		for (let i = 0; i < 12; i++) await ports.clock.sleep(59_000);
		issuer.setDown(true);
		const before = issuer.keyRequests();
		for (let i = 0; i < 10; i++) expect(await check(token)).toMatchObject({ ok: true });
		expect(issuer.keyRequests() - before).toBeLessThanOrEqual(1);
	});
});

describe('an issuer', () => {
	let server: Server;
	afterEach(async () => await new Promise((resolve) => server.close(resolve)));

	async function serve(answer: (write: (text: string) => void) => void): Promise<string> {
		server = createServer((_request, response) => {
			answer((text) => response.write(text));
			response.end();
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
	}

	it('that answers without end is not read to the end', async () => {
		const url = await serve((write) => {
			for (let i = 0; i < 40; i++) write('x'.repeat(50_000));
		});
		await expect(keySetOf({ url }, ports)).rejects.toThrow('over 500 kB');
	});

	it('with several keys proves a token that names none of them, by the right one alone', async () => {
		const { exportJWK, generateKeyPair, SignJWT } = await import('jose');
		const pairs = await Promise.all([1, 2, 3].map(async () => await generateKeyPair('RS256')));
		const keys = await Promise.all(pairs.slice(0, 2).map(async ({ publicKey }) => ({ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig' })));
		const url = await serve((write) => write(JSON.stringify({ keys })));
		const verdicts = await Promise.all(pairs.map(async ({ privateKey }) => {
			const token = await new SignJWT({ sub: 'anna' }).setProtectedHeader({ alg: 'RS256' }).setAudience('assistant').setExpirationTime(Math.floor(ports.clock.now() / 1000) + 60).sign(privateKey);
			return (await check(token, { keys: { kind: 'key-set', url } })).ok;
		}));
		expect(verdicts).toEqual([true, true, false]);
	});

	it.each([['null'], ['[]'], ['{"keys": 3}'], ['no json'], ['']])('that answers %j gives no keys', async (text) => {
		const url = await serve((write) => write(text || ' '));
		await expect(keySetOf({ url }, ports)).rejects.toMatchObject({ code: 'UPSTREAM' });
	});
});
