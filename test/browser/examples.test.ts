import { openEditor, type Editor } from '../support/editor';
import { connectToN8n, publish, realN8n, type TestWorkflow } from '../support/real-n8n';

jest.setTimeout(60_000);

const REPLAY = { provider: 'replay', model: 'maintenance-report', title: 'Chat Model: Replay (no model is called)', sentence: 'No model is called.' };

let editor: Editor;

beforeAll(async () => {
	const call = await connectToN8n();
	const { fitExample } = await import('../../examples/setup/examples.mjs');
	for (const name of ['index-procedures', 'maintenance-report', 'company-chat']) {
		const workflow = fitExample(name, { model: REPLAY, reports: realN8n().user.reports }) as TestWorkflow;
		await publish(call, workflow);
	}
	const broken = { id: 'b', name: 'ReAct Agent', type: 'n8n-nodes-reactengine.reActAgent', typeVersion: 1, position: [0, 0] as [number, number], parameters: { query: '' } };
	await publish(call, { id: 'brokenWorkflow01', name: 'Broken', nodes: [broken], connections: {} }, { draft: true });
	editor = await openEditor();
});

afterAll(async () => {
	await editor?.close();
});

/** Names of the nodes that the editor marks with a warning. */
async function nodesWithIssues(): Promise<string[]> {
	const marked = editor.page.locator('[data-test-id=canvas-node]:has([data-test-id=node-issues])');
	return await marked.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-node-name') ?? ''));
}

describe('the examples in the editor', () => {
	it('marks a node that lacks something', async () => {
		await editor.openWorkflow('brokenWorkflow01');
		expect(await nodesWithIssues()).toEqual(['ReAct Agent']);
	});

	it.each([
		['index-procedures', 'indexProcedures1'],
		['maintenance-report', 'maintenanceReprt'],
		['company-chat', 'companyChat00001'],
	])('%s opens without a warning', async (name, id) => {
		await editor.openWorkflow(id);
		await editor.takePicture(`example-${name}`);
		expect(await nodesWithIssues()).toEqual([]);
		expect(await editor.takeProblems()).toEqual([]);
	});
});
