import { openEditor, type Editor } from '../support/editor';
import { connectToN8n, publish } from '../support/real-n8n';

jest.setTimeout(90_000);

const ID = 'switchInEditor01';
let editor: Editor;

beforeAll(async () => {
	const node = { id: 'm', name: 'Chat Model', type: 'n8n-nodes-reactengine.chatModel', typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	await publish(await connectToN8n(), { id: ID, name: 'Switch in the editor', nodes: [node], connections: {} }, { draft: true });
	editor = await openEditor();
	await editor.openWorkflow(ID);
	await editor.openPanel('Chat Model');
});
afterAll(async () => await editor?.close());

async function choose(provider: string): Promise<void> {
	await editor.page.getByTestId('parameter-input-provider').click();
	await editor.page.getByTestId('parameter-input-item').filter({ hasText: provider }).click();
}

/** The value of the field of a model; undefined while it is not shown. */
async function modelIn(field: string): Promise<string | undefined> {
	const input = editor.page.getByTestId(`parameter-input-${field}`).getByRole('textbox');
	return (await input.count()) === 0 ? undefined : await input.first().inputValue();
}

const panel = async (): Promise<string> => (await editor.page.getByTestId('ndv').textContent()) ?? '';

describe('the panel of the Chat Model', () => {
	it('leaves the model of a provider behind when another is chosen', async () => {
		expect(await modelIn('mistralModel')).toBe('mistral-small-latest');
		await choose('Ollama');
		await editor.page.getByTestId('parameter-input-ollamaModel').waitFor();
		expect(await modelIn('ollamaModel')).toBe('');
		expect(await modelIn('mistralModel')).toBeUndefined();
		expect(await panel()).not.toContain('mistral-small');
		await editor.takePicture('panel-ChatModel-ollama');
		await choose('OpenAI-Compatible');
		await editor.page.getByTestId('parameter-input-model').waitFor();
		expect(await modelIn('model')).toBe('');
		await choose('Mistral');
		expect(await modelIn('mistralModel')).toBe('mistral-small-latest');
	});

	it('asks for an Engine Storage only when files are to lie in one', async () => {
		expect(await panel()).not.toContain('Engine Storage');
		await editor.page.getByTestId('collection-parameter-add').click();
		await editor.page.getByTestId('collection-parameter-option').filter({ hasText: 'Use Engine Storage Credential' }).click();
		await editor.page.getByTestId('parameter-input-ownStorage').waitFor();
		await editor.takePicture('panel-ChatModel-storage');
		expect((await panel()).split('Engine Storage').length).toBeGreaterThan(2);
		expect(await editor.takeProblems()).toEqual([]);
	});
});
