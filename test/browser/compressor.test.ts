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

describe('Contextual Compressor in the editor', () => {
	it('has the inputs of its mode and method', async () => {
		await editor.takePicture('compressor-canvas');
		expect(await editor.searchAtInput('As Retriever', 'ai_languageModel', 'Chat Model')).toContain('Chat Model');
		expect(await editor.searchAtInput('In the Flow', 'ai_reranker', 'Reranker')).toContain('Reranker');
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
