import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { textMessage } from '../../lib/core/message';
import { collectReply } from '../../lib/core/model';
import { connectedModel } from '../../lib/n8n/connected';
import { eachItem } from '../../lib/n8n/each-item';
import { ChatModel } from '../../nodes/ChatModel/ChatModel.node';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';

/** Asks the connected model each item's question. */
class Asker {
	description = { displayName: 'Asker', name: 'asker', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_languageModel'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		return [
			await eachItem(this, async (i) => {
				const model = await connectedModel(this, i);
				const request = { messages: [textMessage('user', String(items[i]?.json.q))] };
				const { text, usage } = await collectReply(model, request, new AbortController().signal);
				return { text, id: model.id, tokens: usage.outputTokens };
			}),
		];
	}
}

async function ask(parameters: IDataObject, credential?: { type: string; data: IDataObject }, more: object = {}): Promise<WorkflowRun> {
	const credentials = credential && { [credential.type]: { id: 'c', name: 'My key' } };
	return await runWorkflow({
		nodeTypes: { asker: new Asker() as unknown as INodeType, chatModel: new ChatModel() },
		nodes: [start(), node('Asker', 'asker', {}, more), node('Model', 'chatModel', parameters, { ...(credentials && { credentials }) })],
		connections: connect(['Start', 'main', 'Asker'], ['Model', 'ai_languageModel', 'Asker']),
		input: [{ json: { q: 'eins' } }, { json: { q: 'zwei' } }],
		...(credential && { credentials: { 'My key': credential.data } }),
	});
}

describe('Chat Model node', () => {
	let server: FakeModelServer;
	beforeEach(async () => (server = await startFakeModelServer('openai-compatible')));
	afterEach(async () => await server.close());

	const byName = (value: string): IDataObject => ({ __rl: true, mode: 'id', value });
	const key = (): { type: string; data: IDataObject } => ({
		type: 'reactEngineOpenAiCompatibleApi',
		data: { apiKey: 'k-1', baseUrl: `${server.url}/v1` },
	});

	it('plays a script for each item, and each node run is shown', async () => {
		const run = await ask({ provider: 'replay', scriptName: 'demo', script: '[{"answer":"You said {{query}}."}]' });
		expect(run.error).toBeUndefined();
		expect(run.items('Asker').map(({ json }) => json)).toEqual([
			{ text: 'You said eins.', id: 'replay/demo', tokens: null },
			{ text: 'You said zwei.', id: 'replay/demo', tokens: null },
		]);
		expect(run.runData['Model']).toHaveLength(2);
	});

	it('asks a server of its own without a key, at temperature 0', async () => {
		server.answer('chat', { fixture: 'text' }, { fixture: 'text' });
		const run = await ask({ provider: 'openai-compatible', preset: 'vllm', authentication: 'none', baseUrl: `${server.url}/v1`, model: byName('qwen3') });
		expect(run.items('Asker')[0]?.json).toMatchObject({ id: 'vllm/qwen3', tokens: 11 });
		expect(server.requests[0]?.body).toMatchObject({ model: 'qwen3', temperature: 0, stream: true });
		expect(server.requests[0]?.headers.authorization).toBeUndefined();
	});

	it('sends the key to the address of its credential, never to one on the node', async () => {
		server.answer('chat', { fixture: 'text' }, { fixture: 'text' });
		const elsewhere = { provider: 'openai-compatible', preset: 'generic', authentication: 'credential', baseUrl: 'http://127.0.0.1:9/v1', model: byName('m') };
		await ask(elsewhere, key());
		expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer k-1', 'Bearer k-1']);
	});

	it('talks to Mistral through its SDK with the options of the panel', async () => {
		const mistral = await startFakeModelServer('mistral');
		mistral.answer('chat', { fixture: 'text' }, { fixture: 'text' });
		const parameters = { provider: 'mistral', mistralModel: byName('mistral-small-latest'), options: { temperature: 0.5, maxTokens: 99 } };
		const run = await ask(parameters, { type: 'reactEngineMistralApi', data: { apiKey: 'k', baseUrl: mistral.url } });
		expect(run.items('Asker')[1]?.json).toMatchObject({ id: 'mistral/mistral-small-latest', tokens: 11 });
		expect(mistral.requests[0]?.body).toMatchObject({ temperature: 0.5, max_tokens: 99 });
		await mistral.close();
	}, 30_000);

	it('says wrong key, the credential and the remedy on the item that failed; the other goes on', async () => {
		server.answer('chat', { status: 401, body: { error: { message: 'invalid api key' } } }, { fixture: 'text' });
		const parameters = { provider: 'openai-compatible', preset: 'deepinfra', authentication: 'credential', model: byName('m') };
		const run = await ask(parameters, key(), { onError: 'continueRegularOutput' });
		const [failed, fine] = run.items('Asker');
		expect(JSON.stringify(failed?.json)).toMatch(/refused the key of credential \\"My key\\": wrong key/);
		expect(fine?.json.text).toContain('Trois pannes');
	});

	it.each([
		[{ provider: 'replay', scriptName: 'x', script: 'oops' }, /replay script cannot be used/],
		[{ provider: 'openai-compatible', preset: 'generic', authentication: 'none', baseUrl: 'localhost', model: byName('m') }, /"localhost" is not a base URL/],
		[{ provider: 'openai-compatible', preset: 'ollama', authentication: 'none', baseUrl: '', model: byName('') }, /No model is chosen for Ollama/],
		[{ provider: 'openai-compatible', preset: 'deepinfra', authentication: 'none', baseUrl: '', model: byName('m') }, /DeepInfra needs an API key/],
	])('stops with what to change for %j', async (parameters, message) => {
		const run = await ask(parameters);
		expect(run.error?.message).toBe('Error in sub-node Model');
		expect(run.error).toHaveProperty('description', expect.stringMatching(message));
		expect(run.runData['Model']?.[0]?.error).toMatchObject({ message: expect.stringMatching(message), description: expect.any(String) });
	});
});
