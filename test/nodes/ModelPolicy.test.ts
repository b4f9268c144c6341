import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { textMessage } from '../../lib/core/message';
import { collectReply } from '../../lib/core/model';
import { connectedModel } from '../../lib/n8n/connected';
import { eachItem } from '../../lib/n8n/each-item';
import { ChatModel } from '../../nodes/ChatModel/ChatModel.node';
import { ModelPolicy } from '../../nodes/ModelPolicy/ModelPolicy.node';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';

class Asker {
	description = { displayName: 'Asker', name: 'asker', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_languageModel'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [
			await eachItem(this, async (i) => {
				const model = await connectedModel(this, i);
				const { text } = await collectReply(model, { messages: [textMessage('user', 'q')] }, new AbortController().signal);
				return { text };
			}),
		];
	}
}

describe('Model Policy node', () => {
	let server: FakeModelServer;
	beforeEach(async () => (server = await startFakeModelServer('ollama')));
	afterEach(async () => await server.close());

	async function ask(parameters: IDataObject): Promise<WorkflowRun> {
		const ollama = { provider: 'ollama', authentication: 'none', ollamaUrl: server.url, ollamaModel: { __rl: true, mode: 'id', value: 'qwen3' }, options: { maxAttempts: 1 } };
		const replay = { provider: 'replay', scriptName: 'demo', script: '[{"answer":"from the script"}]' };
		return await runWorkflow({
			nodeTypes: { asker: new Asker() as unknown as INodeType, chatModel: new ChatModel(), modelPolicy: new ModelPolicy() },
			nodes: [start(), node('Asker', 'asker'), node('Policy', 'modelPolicy', parameters), node('Ollama', 'chatModel', ollama), node('Replay', 'chatModel', replay)],
			connections: connect(['Start', 'main', 'Asker'], ['Policy', 'ai_languageModel', 'Asker'], ['Ollama', 'ai_languageModel', 'Policy'], ['Replay', 'ai_languageModel', 'Policy']),
			input: [{ json: {} }],
		});
	}

	const noted = (run: WorkflowRun): unknown => run.runData['Policy']?.at(-1)?.data?.['ai_languageModel']?.[0]?.[0]?.json['policy'];

	it('chooses the first connected model; the choice and its reason are in the run data', async () => {
		server.answer('chat', { fixture: 'text' });
		const run = await ask({ strategy: 'preferred', fallback: true });
		expect(run.error).toBeUndefined();
		expect(run.items('Asker')[0]?.json.text).toContain('Trois pannes');
		expect(noted(run)).toMatchObject({ chosen: 'ollama/qwen3', why: 'in the order of connection' });
	});

	it('prefers as listed in its fields', async () => {
		const run = await ask({ strategy: 'preferred', fallback: true, models: { model: [{ name: 'replay/*', inputPrice: 0, outputPrice: 0, latencyMs: -1 }] } });
		expect(run.items('Asker')[0]?.json.text).toBe('from the script');
		expect(noted(run)).toMatchObject({ chosen: 'replay/demo', why: 'preference 1' });
	});

	it('falls back when the first model is down', async () => {
		server.answer('chat', { status: 503, body: { error: 'loading' } });
		const run = await ask({ strategy: 'preferred', fallback: true });
		expect(run.items('Asker')[0]?.json.text).toBe('from the script');
		expect(noted(run)).toMatchObject({ chosen: 'replay/demo', failedBefore: [{ model: 'ollama/qwen3', failure: expect.stringContaining('HTTP 503') }] });
	});

	it.each([
		[{ options: { deny: '*' } }, /allows none of the connected models \(ollama\/qwen3, replay\/demo\)/],
		[{ defaultModel: 'ollama/qwen3', options: { yaml: 'deny: ollama/*' } }, /default model "ollama\/qwen3" is not allowed/],
		[{ options: { yaml: 'strategy: best' } }, /strategy is "best"/],
	])('stops with what is wrong for %j', async (parameters, message) => {
		const run = await ask({ strategy: 'preferred', fallback: true, ...parameters });
		expect(run.error).toHaveProperty('description', expect.stringMatching(message));
	});
});
