import { startFakeServer, type FakeServer } from '../mcp/fake-server';
import { openEditor, type Editor } from '../support/editor';
import { connectToN8n, publish } from '../support/real-n8n';
import { webhookWorkflow, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(120_000);

let editor: Editor;
let server: FakeServer;

beforeAll(async () => {
	server = await startFakeServer(({ message, reply }) => {
		const results: { [method: string]: object } = {
			'tools/list': { tools: [{ name: 'get_part', description: 'Gets a part.' }, { name: 'create_order' }] },
			'resources/list': { resources: [{ uri: 'file:///plan.md', name: 'Plan' }] },
			'resources/read': { contents: [{ uri: 'file:///plan.md', text: 'Révision du joint' }] },
		};
		reply(results[message.method ?? ''] ?? {});
	}, { capabilities: { resources: {} } });
	const at = { transport: 'http', url: server.url, authentication: 'none' };
	const lines: NodeLine[] = [
		['Step', 'mcpToolkit', 1, { mode: 'main', ...at }],
		['Watch', 'mcpResourceTrigger', 1, { ...at, notice: 'poll', checkSeconds: 60 }],
		['After', 'n8n-nodes-base.noOp', 1, {}],
	];
	const workflow = webhookWorkflow('mcpInEditor00001', 'unused', lines, [['Watch', 'main', 'After']]);
	await publish(await connectToN8n(), { ...workflow, nodes: workflow.nodes.filter(({ name }) => name !== 'Webhook') }, { draft: true });
	editor = await openEditor();
	await editor.openWorkflow('mcpInEditor00001');
});
afterAll(async () => {
	await editor?.close();
	await server.stop();
});

describe('MCP in the editor', () => {
	it('shows the tools of the server to choose from', async () => {
		await editor.openPanel('Step');
		await editor.page.getByTestId('rlc-input').first().click();
		await editor.page.getByText('create_order').first().waitFor();
		await editor.takePicture('panel-McpToolkit-tools');
		expect(await editor.takeProblems()).toEqual([]);
		await editor.page.keyboard.press('Escape');
		await editor.closePanel();
	});

	it('gives the present contents when the trigger is tested by hand', async () => {
		await editor.openPanel('Watch');
		await editor.page.getByTestId('node-execute-button').first().click();
		await editor.page.getByText('Révision du joint').first().waitFor({ timeout: 30_000 });
		await editor.takePicture('panel-McpResourceTrigger');
		expect(await editor.takeProblems()).toEqual([]);
	});
});
