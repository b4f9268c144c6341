import { openEditor, type Editor } from '../support/editor';
import { connectToN8n, publish } from '../support/real-n8n';

jest.setTimeout(60_000);

const workflowId = 'compressorPanel1';
let editor: Editor;

beforeAll(async () => {
	const call = await connectToN8n();
	const node = (name: string, parameters: object, x: number) => ({
		...{ id: name, name, type: 'n8n-nodes-reactengine.contextualCompressor', typeVersion: 1 },
		...{ position: [x, 0] as [number, number], parameters: parameters as never },
	});
	const nodes = [
		node('In the Flow', {}, 0),
		node('As Retriever', { mode: 'retriever', method: 'summary' }, 400),
		node('Own Order', { method: 'chain', chain: { steps: [{ step: 'filter' }, { step: 'quotes' }] }, options: { keepPassages: 6, ifNothing: 'none' } }, 800),
	];
	await publish(call, { id: workflowId, name: 'Compressor', nodes, connections: {} }, { draft: true });
	editor = await openEditor();
	await editor.openWorkflow(workflowId);
});
afterAll(async () => {
	await editor?.close();
});

async function portsOf(name: string): Promise<string[]> {
	const handles = editor.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"] [data-handleid]`);
	const ids = await handles.evaluateAll((all) => all.map((one) => one.getAttribute('data-handleid') ?? ''));
	return [...new Set(ids.map((id) => id.split('/').slice(0, 2).join('/')))].sort();
}

describe('Contextual Compressor in the editor', () => {
	it('has the inputs of its mode and method', async () => {
		await editor.takePicture('compressor-canvas');
		expect(await portsOf('In the Flow')).toEqual(['inputs/ai_embedding', 'inputs/ai_reranker', 'inputs/main', 'outputs/main']);
		const retriever = ['inputs/ai_embedding', 'inputs/ai_languageModel', 'inputs/ai_reranker', 'inputs/ai_retriever', 'outputs/ai_retriever'];
		expect(await portsOf('As Retriever')).toEqual(retriever);
		expect(await portsOf('Own Order')).toContain('inputs/ai_languageModel');
		expect(await editor.takeProblems()).toEqual([]);
	});

	it.each(['In the Flow', 'As Retriever', 'Own Order'])('opens the panel of %s without errors', async (name) => {
		await editor.openPanel(name);
		await editor.takePicture(`compressor-${name.toLowerCase().replace(/ /g, '-')}`);
		expect(await editor.page.getByTestId('node-title-container').textContent()).toContain(name);
		expect(await editor.takeProblems()).toEqual([]);
		await editor.closePanel();
	});
});
