import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { AccessGuard } from '../../nodes/AccessGuard/AccessGuard.node';
import { startFakeIssuer, type FakeIssuer } from '../support/fake-issuer';
import { connect, node, runWorkflow, start } from '../support/run-workflow';

let issuer: FakeIssuer;
beforeAll(async () => {
	issuer = await startFakeIssuer(Date.now);
});
afterAll(async () => await issuer.stop());

async function guard(items: IDataObject[], parameters: IDataObject = {}, credential: IDataObject = {}, binary?: INodeExecutionData['binary']) {
	return await runWorkflow({
		nodeTypes: { 'p.guard': new AccessGuard() },
		nodes: [start(), node('Guard', 'p.guard', parameters, { credentials: { reactEngineAccessApi: { id: 'a', name: 'Rules' } } })],
		connections: connect(['Start', 'main', 'Guard']),
		credentials: { Rules: { kind: 'issuer', issuer: issuer.url, audience: 'assistant', ...credential } },
		input: items.map((json) => ({ json, ...(binary && { binary }) })),
	});
}

describe('Access Guard', () => {
	it('adds the user that a token proves, and takes the token out wherever it stands', async () => {
		const token = await issuer.sign({ groups: ['atelier'] });
		const run = await guard([
			{ headers: { authorization: `Bearer ${token}`, host: 'h' }, body: { chatInput: 'Bonjour', copy: token }, list: [token, 'x'] },
			{ chatInput: 'Et demain ?', metadata: { token, page: 'home' } },
		]);
		const user = { sub: 'anna', groups: ['atelier'], scopes: [] };
		expect(run.items('Guard').map(({ json }) => json)).toEqual([
			{ headers: { host: 'h' }, body: { chatInput: 'Bonjour' }, list: ['x'], user },
			{ chatInput: 'Et demain ?', metadata: { page: 'home' }, user },
		]);
		expect(JSON.stringify(run.runData.Guard)).not.toContain(token);
	});

	it('refuses the others by the second output, tells them nothing, and the builder why', async () => {
		const wrong = await issuer.sign({ aud: 'another application' });
		const run = await guard([{ headers: { authorization: `Bearer ${wrong}` }, user: { sub: 'chef' }, n: 1 }, { headers: {} }]);
		expect(run.items('Guard')).toEqual([]);
		expect(run.items('Guard', 1)).toEqual([
			{ json: { headers: {}, n: 1, refused: { status: 401, message: 'You are not signed in' } }, pairedItem: { item: 0 } },
			{ json: { headers: {}, refused: { status: 401, message: 'You are not signed in' } }, pairedItem: { item: 1 } },
		]);
		expect(run.runData.Guard?.[0]?.hints?.map(({ message }) => message)).toEqual([expect.stringContaining('aud'), 'Item 1: There is no token']);
	});

	it('does not let a caller bring a user along', async () => {
		const token = await issuer.sign({ sub: 'anna' });
		const run = await guard([{ headers: { authorization: `Bearer ${token}` }, user: { sub: 'chef', groups: ['all'] } }]);
		expect(run.items('Guard')[0]?.json.user).toEqual({ sub: 'anna', groups: [], scopes: [] });
	});

	it('reads a token from a cookie', async () => {
		const token = await issuer.sign();
		const run = await guard([{ headers: { cookie: `theme=dark; session=${token}; x=1` } }], { authorization: '={{ $json.headers.cookie }}', options: { cookie: 'session' } });
		expect(run.items('Guard')[0]?.json).toMatchObject({ headers: {}, user: { sub: 'anna' } });
	});

	it('refuses a cookie with wrong escapes, from whoever sent it, and lets the other items pass', async () => {
		const token = await issuer.sign();
		const run = await guard([{ headers: { cookie: 'session=%E0%A4%A' } }, { headers: { cookie: `session="${token}"` } }], { authorization: '={{ $json.headers.cookie }}', options: { cookie: 'session' } });
		expect([run.error, run.items('Guard', 1).length, run.items('Guard').length]).toEqual([undefined, 1, 1]);
	});

	it('takes the token out of field names and of files, and other proofs out of the headers', async () => {
		const token = await issuer.sign();
		const binary = { data: { data: Buffer.from(`{"token": "${token}"}`).toString('base64'), mimeType: 'application/json' }, photo: { data: Buffer.from('png').toString('base64'), mimeType: 'image/png' } };
		const run = await guard([{ metadata: { token }, body: { [token]: '' }, headers: { Authorization: 'Bearer another-token', host: 'h' } }], { authorization: '={{ $json.metadata.token }}' }, {}, binary);
		expect(run.items('Guard')[0]).toMatchObject({ json: { body: {}, headers: { host: 'h' }, user: { sub: 'anna' } } });
		expect(Object.keys(run.items('Guard')[0]?.binary ?? {})).toEqual(['photo']);
		expect(JSON.stringify(run.items('Guard'))).not.toMatch(new RegExp(`${token}|another-token`));
	});

	it('is an error when the rules prove nothing', async () => {
		const run = await guard([{ headers: { authorization: `Bearer ${await issuer.sign()}` } }], {}, { audience: ' ' });
		expect(run.error?.message).toBe('No audience is given');
	});
});
