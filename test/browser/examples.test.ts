import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEditor, type Editor } from '../support/editor';
import { REPLAY } from '../support/gallery';
import { connectToN8n, publish, realN8n } from '../support/real-n8n';

jest.setTimeout(120_000);

const EXAMPLES = JSON.parse(readFileSync(join(__dirname, '../../examples/workflows/index.json'), 'utf8')) as ReadonlyArray<{ file: string; id: string }>;

let editor: Editor;

beforeAll(async () => {
	const call = await connectToN8n();
	const { importExamples } = await import('../../examples/setup/examples.mjs');
	const { url, user } = realN8n();
	await importExamples(call, { url, user, model: REPLAY, say: () => undefined });
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

	it.each(EXAMPLES.map(({ file, id }) => [file, id]))('%s opens without a warning', async (name, id) => {
		await editor.openWorkflow(id);
		await editor.takePicture(`example-${name}`);
		expect(await nodesWithIssues()).toEqual([]);
		expect(await editor.takeProblems()).toEqual([]);
	});
});
