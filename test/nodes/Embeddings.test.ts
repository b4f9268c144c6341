import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { stopModelHosts } from '../../lib/inference/model-host-client';
import { connectedEmbedder } from '../../lib/n8n/connected';
import { eachItem } from '../../lib/n8n/each-item';
import { Embeddings } from '../../nodes/Embeddings/Embeddings.node';
import { startFakeModelServer } from '../support/fake-model-server';

const MODEL = 'onnx-community/all-MiniLM-L6-v2-ONNX';
const installed = `${process.env.REACTENGINE_TEST_MODELS}/${MODEL}`;

interface ForeignEmbeddings {
	embedQuery(text: string): Promise<number[]>;
	embedDocuments(texts: string[]): Promise<number[][]>;
}

/** Embeds each item's text: through our mark, and as n8n's own nodes do. */
class Measurer {
	description = { displayName: 'M', name: 'measurer', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_embedding'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		return [
			await eachItem(this, async (i) => {
				const text = String(items[i]?.json.text);
				const ours = await connectedEmbedder(this, i);
				const [vector] = await ours!.embed([text], { kind: 'passage' });
				const foreign = (await this.getInputConnectionData(NodeConnectionTypes.AiEmbedding, i)) as ForeignEmbeddings | ForeignEmbeddings[];
				const documents = await [foreign].flat()[0]!.embedDocuments([text]);
				return { id: ours!.id, length: vector!.length, same: documents[0]!.every((value, at) => value === vector![at]) };
			}),
		];
	}
}

async function measure(parameters: IDataObject, credentials?: IDataObject): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { measurer: new Measurer() as unknown as INodeType, embeddings: new Embeddings() },
		nodes: [
			start(),
			node('M', 'measurer'),
			node('E', 'embeddings', parameters, credentials ? { credentials: { reactEngineMistralApi: { id: 'c', name: 'My key' } } } : {}),
		],
		connections: connect(['Start', 'main', 'M'], ['E', 'ai_embedding', 'M']),
		input: [{ json: { text: 'boom cylinder' } }],
		...(credentials && { credentials: { 'My key': credentials } }),
	});
}

describe('Embeddings node', () => {
	afterAll(() => stopModelHosts());

	it('embeds on this machine, for our nodes and for those of n8n', async () => {
		const run = await measure({ provider: 'local', localModel: installed, dtype: 'q4' });
		expect(run.error).toBeUndefined();
		expect(run.items('M')[0]?.json).toEqual({ id: `local/${installed}@q4`, length: 384, same: true });
	});

	it('embeds at Mistral', async () => {
		const server = await startFakeModelServer('mistral');
		const body = { id: 'e', object: 'list', model: 'm', data: [{ index: 0, embedding: [3, 4] }], usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 } };
		server.answer('embed', { body }, { body });
		const parameters = { provider: 'mistral', mistralModel: { __rl: true, mode: 'id', value: 'mistral-embed' } };
		const run = await measure(parameters, { apiKey: 'k', baseUrl: server.url });
		expect(run.items('M')[0]?.json).toEqual({ id: 'mistral/mistral-embed', length: 2, same: true });
		expect(server.requests[0]?.headers.authorization).toBe('Bearer k');
		await server.close();
	}, 30_000);

	it('embeds at Ollama, without a key', async () => {
		const server = await startFakeModelServer('ollama');
		server.answer('embed', { body: { embeddings: [[3, 4]] } }, { body: { embeddings: [[3, 4]] } });
		const run = await measure({ provider: 'ollama', authentication: 'none', ollamaUrl: server.url, ollamaModel: { __rl: true, mode: 'id', value: 'nomic' } });
		expect(run.items('M')[0]?.json).toEqual({ id: 'ollama/nomic', length: 2, same: true });
		await server.close();
	});

	it.each([
		[{ localModel: MODEL, dtype: 'q4', options: { download: false } }, /is not installed: there is no folder .*reactengine\/models/],
		[{ localModel: installed, dtype: 'q4', options: { type: 'sentence_transformer' } }, /declared as sentence_transformer, but its files are those of hf_encoder/],
		[{ localModel: installed, dtype: 'fp32' }, /onnx\/model\.onnx is missing/],
		[{ localModel: installed, dtype: 'q4', options: { expectedSha256: 'abc' } }, /Model hash mismatch: .*model_q4\.onnx_data has SHA-256 56fb7a55.*expected abc/],
	])('stops with what to change for %j', async (parameters, message) => {
		expect((await measure({ provider: 'local', ...parameters })).error?.message).toMatch(message);
	});
});
