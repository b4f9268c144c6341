/** MCP Resource Trigger over a restart of n8n: what changed meanwhile starts the workflow once. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeServer, type FakeServer } from '../mcp/fake-server';
import { startOwnN8n, type OwnN8n } from '../support/own-n8n';
import { webhookWorkflow, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(240_000);

let n8n: OwnN8n;
let server: FakeServer;
let sink: Server;
const received: Array<Record<string, unknown>> = [];
let plan = 'v1';

beforeAll(async () => {
	server = await startFakeServer(({ message, reply }) =>
		reply(message.method === 'resources/list' ? { resources: [{ uri: 'file:///plan.md' }] } : { contents: [{ uri: 'file:///plan.md', text: plan }] }),
	{ capabilities: { resources: {} } });
	sink = createServer((request, response) => void request.toArray().then((chunks: Buffer[]) => {
		received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>);
		response.end('{}');
	}));
	await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
	n8n = await startOwnN8n();
});

afterAll(async () => {
	await n8n.remove();
	await server.stop();
	sink.closeAllConnections();
	sink.close();
});

async function until(isTrue: () => boolean): Promise<void> {
	for (let tries = 0; tries < 300 && !isTrue(); tries++) await new Promise((resolve) => setTimeout(resolve, 100));
	expect(isTrue()).toBe(true);
}

it('survives a restart: a change while n8n was down fires once, the same content never', async () => {
	const lines: NodeLine[] = [
		['Watch', 'mcpResourceTrigger', 1, { transport: 'http', url: server.url, authentication: 'none', notice: 'poll', checkSeconds: 1, uris: '', options: {} }],
		['Tell', 'n8n-nodes-base.httpRequest', 4.2, { method: 'POST', url: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`, sendBody: true,
			specifyBody: 'json', jsonBody: '={{ JSON.stringify($json) }}', options: {} }],
	];
	const workflow = webhookWorkflow('mcpRestart000001', 'unused', lines, [['Watch', 'main', 'Tell']]);
	await n8n.publish({ ...workflow, nodes: workflow.nodes.filter(({ name }) => name !== 'Webhook') });
	await until(() => server.seen.filter((line) => line === 'POST resources/read').length > 1);
	const restarted = n8n.restart();
	// It stops within a second or two and takes several to start.
	setTimeout(() => (plan = 'v2'), 3000);
	await restarted;
	await until(() => received.length === 1);
	plan = 'v3';
	await until(() => received.length === 2);
	const reads = server.seen.length;
	await until(() => server.seen.length > reads + 6);
	expect(received.map(({ text, change }) => [text, change])).toEqual([['v2', 'changed'], ['v3', 'changed']]);
});
