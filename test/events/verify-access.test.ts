import { forgetKeySets } from '../../lib/events/key-sets';
import { verifyAccess, type AccessRules } from '../../lib/events/verify-access';
import { startFakeIssuer, type FakeIssuer } from '../support/fake-issuer';
import { fakePorts } from '../support/fake-ports';

let issuer: FakeIssuer;
const ports = fakePorts();
const now = (): number => ports.clock.now();

beforeAll(async () => {
	issuer = await startFakeIssuer(now);
});
afterAll(async () => await issuer.stop());
beforeEach(() => {
	issuer.setDown(false);
	forgetKeySets();
});

const rules = (over: Partial<AccessRules> = {}): AccessRules => ({
	keys: { kind: 'issuer', issuer: issuer.url },
	audiences: ['assistant'],
	scopes: [],
	toleranceSeconds: 60,
	claims: { sub: 'sub', email: 'email', groups: 'groups' },
	...over,
});
const check = async (token: string, over: Partial<AccessRules> = {}) => await verifyAccess(token, rules(over), ports);
const seconds = (offset: number): number => Math.floor(now() / 1000) + offset;

describe('a token of the issuer', () => {
	it('proves a user with email, groups and scopes', async () => {
		const token = await issuer.sign({ email: 'anna@example.com', groups: ['atelier', 'qualité'], scope: 'assistant.use docs.read' });
		expect(await check(token, { scopes: ['docs.read'] })).toEqual({
			ok: true,
			user: { sub: 'anna', email: 'anna@example.com', groups: ['atelier', 'qualité'], scopes: ['assistant.use', 'docs.read'] },
		});
	});

	it('has its claims where the builder says, also inside objects and under names with dots', async () => {
		const token = await issuer.sign({ oid: 'o1', realm_access: { roles: ['chef'] }, 'https://example.com/groups': ['g'], scp: ['a'] });
		const claims = { sub: 'oid', email: 'email', groups: 'realm_access.roles' };
		expect(await check(token, { claims })).toEqual({ ok: true, user: { sub: 'o1', groups: ['chef'], scopes: ['a'] } });
		expect(await check(token, { claims: { ...claims, groups: 'https://example.com/groups' } })).toMatchObject({ user: { groups: ['g'] } });
	});

	it.each([
		['for another audience', { aud: 'other' }, 'aud'],
		['of another issuer', { iss: 'https://evil.example' }, 'iss'],
		['that is over', { exp: -61 }, 'exp'],
		['that is not valid yet', { nbf: 61 }, 'nbf'],
		['without an end', { exp: undefined }, 'exp'],
		['without a user', { sub: undefined }, 'sub'],
	])('%s is refused', async (_what, claims, named) => {
		const shifted = Object.fromEntries(Object.entries(claims).map(([key, value]) => [key, typeof value === 'number' ? seconds(value) : value]));
		const verdict = await check(await issuer.sign(shifted));
		expect(verdict).toMatchObject({ ok: false, status: 401 });
		expect((verdict as { why: string }).why).toContain(named);
	});

	it('is accepted within the tolerance of clocks', async () => {
		expect(await check(await issuer.sign({ exp: seconds(-59), nbf: seconds(59) }))).toMatchObject({ ok: true });
	});

	it('without a required scope is refused as not allowed', async () => {
		expect(await check(await issuer.sign({ scope: 'a' }), { scopes: ['a', 'b'] })).toEqual({ ok: false, status: 403, why: 'The token does not grant b' });
	});

	it('that leaves its groups out since they are too many is refused, with what to do', async () => {
		for (const claims of [{ _claim_names: { groups: 'src1' } }, { hasgroups: true }]) {
			expect(await check(await issuer.sign(claims))).toMatchObject({ ok: false, status: 403, why: expect.stringContaining('Entra') });
		}
	});
});

it('refusals say what to look at', async () => {
	const why = async (token: string): Promise<string> => ((await check(token)) as { why: string }).why;
	expect(await why(await issuer.sign({ aud: ['shop'] }))).toBe('The token is made for ["shop"] (aud), not for assistant: see Audience in the credential');
	expect(await why(await issuer.sign({ exp: seconds(-61) }))).toContain('has expired');
	expect(await why('opaque-token')).toContain('no signed JWT');
	expect(await why((await issuer.sign()).replace(/.{5}$/, 'AAAAA'))).toContain('does not belong to the keys');
});

describe('a forged token', () => {
	const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

	it('without a signature, or with one of another key, is refused', async () => {
		const claims = { iss: issuer.url, aud: 'assistant', sub: 'chef', exp: seconds(3600) };
		const none = `${part({ alg: 'none' })}.${part(claims)}.`;
		const [head, , signature] = (await issuer.sign()).split('.');
		for (const token of [none, `${head}.${part(claims)}.${signature}`, 'x', 'a.b.c', '', 'é'.repeat(100_000)]) {
			expect(await check(token)).toMatchObject({ ok: false, status: 401 });
		}
	});

	it('signed with the public key as if it were a shared secret is refused', async () => {
		const { SignJWT } = await import('jose');
		const keys = await (await fetch(`${issuer.url}/keys`)).text();
		const token = await new SignJWT({ sub: 'chef' }).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).setIssuer(issuer.url).setAudience('assistant').setExpirationTime(seconds(60)).sign(new TextEncoder().encode(keys));
		expect(await check(token)).toMatchObject({ ok: false, status: 401 });
	});

	it('with unknown keys does not make us ask the issuer again and again', async () => {
		await check(await issuer.sign());
		const before = issuer.keyRequests();
		for (let i = 0; i < 20; i++) expect(await check(await issuer.sign({}, { kid: `unknown-${i}` }))).toMatchObject({ ok: false, status: 401 });
		expect(issuer.keyRequests() - before).toBe(0);
	});
});

describe('the keys of an issuer', () => {
	it('are asked for once, and again when it has changed them', async () => {
		const before = issuer.keyRequests();
		for (let i = 0; i < 5; i++) await check(await issuer.sign());
		expect(issuer.keyRequests() - before).toBe(1);
		await issuer.rotate();
		await ports.clock.sleep(31_000);
		expect(await check(await issuer.sign())).toMatchObject({ ok: true });
		expect(issuer.keyRequests() - before).toBe(2);
	});

	it('are still used when it is down, for a day; without any, access cannot be checked', async () => {
		const token = await issuer.sign({ exp: seconds(10 * 86_400) });
		issuer.setDown(true);
		expect(await check(token)).toMatchObject({ ok: false, status: 503 });
		issuer.setDown(false);
		await check(token);
		issuer.setDown(true);
		for (let hour = 0; hour < 20; hour++) for (let i = 0; i < 61; i++) await ports.clock.sleep(59_000);
		expect(await check(token)).toMatchObject({ ok: true });
		for (let hour = 0; hour < 5; hour++) for (let i = 0; i < 61; i++) await ports.clock.sleep(59_000);
		expect(await check(token)).toMatchObject({ ok: false, status: 503 });
	});
});

describe('a shared secret', () => {
	const secret = 'a shared secret of 32 characters!';
	const signed = async (key: string): Promise<string> => {
		const { SignJWT } = await import('jose');
		return await new SignJWT({ sub: 'erp' }).setProtectedHeader({ alg: 'HS256' }).setAudience('assistant').setExpirationTime(seconds(60)).sign(new TextEncoder().encode(key));
	};

	it('proves a user, another one does not', async () => {
		expect(await check(await signed(secret), { keys: { kind: 'secret', secret } })).toMatchObject({ ok: true, user: { sub: 'erp' } });
		expect(await check(await signed(`${secret}x`), { keys: { kind: 'secret', secret } })).toMatchObject({ ok: false, status: 401 });
	});
});

describe('rules that prove nothing', () => {
	it('are errors: no audience, a short secret, keys over an open connection', async () => {
		const token = await issuer.sign();
		await expect(check(token, { audiences: [] })).rejects.toThrow('No audience is given');
		await expect(check(token, { keys: { kind: 'secret', secret: 'short' } })).rejects.toThrow('under 32 characters');
		await expect(check(token, { keys: { kind: 'key-set', url: 'http://login.example.com/keys' } })).rejects.toThrow('no https address');
	});
});
