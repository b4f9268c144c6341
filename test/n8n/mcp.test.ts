/** MCP servers in a real n8n: a login in the browser against a local login server, and a trigger on a resource. */
import { startFakeAuthServer, type FakeAuthServer } from '../mcp/fake-auth-server';
import { startFakeServer, type FakeServer } from '../mcp/fake-server';
import { executionWith } from '../support/person';
import { connectToN8n, itemsOf, publish, runByWebhook, type RestCall } from '../support/real-n8n';
import { webhookWorkflow, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(90_000);

let call: RestCall;
let auth: FakeAuthServer;
let server: FakeServer;
let plan = 'v1';

beforeAll(async () => {
	call = await connectToN8n();
	auth = await startFakeAuthServer(() => server.url);
	server = await startFakeServer(({ message, reply }) => {
		switch (message.method) {
			case 'tools/list':
				return reply({ tools: [{ name: 'get_part', inputSchema: { type: 'object', properties: { ref: { type: 'string' } } } }] });
			case 'resources/list':
				return reply({ resources: [{ uri: 'file:///plan.md', name: 'plan' }] });
			case 'resources/read':
				return reply({ contents: [{ uri: 'file:///plan.md', text: plan }] });
			default:
				return reply({ content: [{ type: 'text', text: `part ${JSON.stringify(message.params?.arguments)}` }] });
		}
	}, {
		capabilities: { resources: {} },
		resourceMetadata: () => ({ resource: server.url, authorization_servers: [auth.url], scopes_supported: ['orders'] }),
		admit: ({ headers }, method) => (method?.startsWith('resources/') || headers['x-open'] === 'yes' || auth.accepts(headers.authorization)
			? undefined
			: `Bearer resource_metadata="${auth.url}/resource"`),
	});
});

afterAll(async () => {
	await server.stop();
	await auth.stop();
});

/** What the editor does when a person presses Connect: the login page sends the browser back to n8n with a code. */
async function pressConnect(credentialId: string): Promise<void> {
	const page = await call<string>('GET', `/oauth2-credential/auth?id=${credentialId}`);
	const { headers } = await fetch(page, { redirect: 'manual' });
	const back = new URL(headers.get('location') ?? '');
	const answer = await call.get(back.pathname + back.search);
	expect(answer.status).toBe(200);
}

describe('a login in the browser', () => {
	const credential = { name: 'Plant', type: 'mcpOAuth2Api', data: {} as Record<string, unknown> };
	const granted = (grant: string): number => auth.seen.filter((line) => line === `POST /token ${grant}`).length;

	it('is done by n8n with registration and PKCE; the toolkit uses the token, refreshes it once, and says when it is over', async () => {
		credential.data = { useDynamicClientRegistration: true, serverUrl: server.url };
		const line: NodeLine = ['MCP', 'mcpToolkit', 1, { mode: 'main', transport: 'http', url: server.url, authentication: 'oAuth2', operation: 'callTool',
			toolName: 'get_part', toolArguments: '={{ { ref: $json.body.ref } }}', options: {} }, { mcpOAuth2Api: { name: 'Plant' } }];
		const workflow = webhookWorkflow('mcpLogin00000001', 'mcp-login', [line], [['Webhook', 'main', 'MCP']]);
		await publish(call, workflow, { credentials: [credential] });
		const saved = (await call<Array<{ id: string; name: string; type: string }>>('GET', '/credentials')).find(({ name, type }) => name === 'Plant' && type === 'mcpOAuth2Api');

		const before = await runByWebhook(call, workflow.id, 'mcp-login', { ref: 'A' }).catch((error: Error) => error);
		expect(JSON.stringify(before)).not.toContain('part {');

		await pressConnect(saved?.id ?? '');
		expect(auth.seen.filter((entry) => entry === 'POST /register')).toHaveLength(1);
		expect(granted('authorization_code')).toBe(1);
		const first = await runByWebhook(call, workflow.id, 'mcp-login', { ref: 'A' });
		expect(itemsOf(first.execution, 'MCP')[0]).toMatchObject({ result: { text: 'part {"ref":"A"}' } });

		auth.revoke();
		const second = await runByWebhook(call, workflow.id, 'mcp-login', { ref: 'B' });
		expect(itemsOf(second.execution, 'MCP')[0]).toMatchObject({ result: { text: 'part {"ref":"B"}' } });
		expect([granted('authorization_code'), granted('refresh_token')]).toEqual([1, 1]);

		auth.revoke('refresh tokens');
		await runByWebhook(call, workflow.id, 'mcp-login', { ref: 'C' }).catch(() => undefined);
		const over = await executionWith(call, workflow.id, 'error');
		expect(over.error?.message).toContain('refused the credential (HTTP 401)');
	});
});

describe('the test button of the credential', () => {
	const machine = { kind: 'clientCredentials', clientId: 'machine', clientSecret: 's3cret' };

	it.each([
		['a client ID with its secret', machine, 'OK'],
		['a wrong secret', { ...machine, clientSecret: 'wrong' }, 'Error'],
		['headers', { kind: 'token', secretHeaders: 'X-Open: yes' }, 'OK'],
		['a wrong token', { kind: 'token', token: 'wrong' }, 'Error'],
	])('tells of %s', async (title, data, status) => {
		const saved = await call<{ id: string }>('POST', '/credentials', { name: title, type: 'reactEngineMcpApi', data: { url: server.url, ...data } });
		const credentials = { id: saved.id, name: title, type: 'reactEngineMcpApi', data: { url: server.url, ...data } };
		expect(await call('POST', '/credentials/test', { credentials })).toMatchObject({ status });
	});
});

describe('MCP Resource Trigger', () => {
	it('starts the workflow once when the content really changes', async () => {
		const credential = { name: 'Open', type: 'reactEngineMcpApi', data: { url: server.url, kind: 'token', secretHeaders: 'X-Open: yes' } };
		const line: NodeLine = ['Watch', 'mcpResourceTrigger', 1, { transport: 'http', url: server.url, authentication: 'credential', notice: 'poll', checkSeconds: 1, uris: '', options: {} },
			{ reactEngineMcpApi: { name: 'Open' } }];
		const after: NodeLine = ['Set', 'n8n-nodes-base.noOp', 1, {}];
		const workflow = webhookWorkflow('mcpTrigger000001', 'unused', [line, after], [['Watch', 'main', 'Set']]);
		const nodes = workflow.nodes.filter(({ name }) => name !== 'Webhook');
		await publish(call, { ...workflow, nodes }, { credentials: [credential] });
		await new Promise((resolve) => setTimeout(resolve, 2500));
		plan = 'v2';
		const executions = async (): Promise<unknown[]> =>
			(await call<{ results: unknown[] }>('GET', `/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: workflow.id }))}`)).results;
		for (let tries = 0; tries < 100 && (await executions()).length === 0; tries++) await new Promise((resolve) => setTimeout(resolve, 200));
		const execution = await executionWith(call, workflow.id, 'success', 'error');
		expect(itemsOf(execution, 'Set')).toEqual([expect.objectContaining({ uri: 'file:///plan.md', change: 'changed', text: 'v2' })]);
		await new Promise((resolve) => setTimeout(resolve, 2500));
		expect(await executions()).toHaveLength(1);
		await call('POST', `/workflows/${workflow.id}/deactivate`);
	});
});
