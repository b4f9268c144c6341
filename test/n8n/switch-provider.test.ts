/**
 * The example workflow with its Chat Model on one provider after the other: only the drop-down differs. Each server speaks the wire
 * format of its API; its model plays the turns of the example's script, so that the tools and the figures are those of the workflow.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeApi } from '../support/fake-model-server';
import { connectToN8n, itemsOf, publish, realN8n, runByWebhook, type RestCall, type TestWorkflow } from '../support/real-n8n';
import { startScriptedServer, type ScriptedServer } from '../support/scripted-server';
import { costsByAsset, lastFullQuarter, readWorkOrders, workOrdersFile } from '../support/work-orders';

jest.setTimeout(180_000);

const NODE = 'Chat Model';
const ID = 'switchProvider01';
const SCRIPT: unknown = JSON.parse(readFileSync(join(__dirname, '../../examples/workflows/maintenance-report.replay.json'), 'utf8'));
const APIS: readonly FakeApi[] = ['openai-compatible', 'mistral', 'ollama'];

let call: RestCall;
let servers: Record<FakeApi, ScriptedServer>;
let example: TestWorkflow;

beforeAll(async () => {
	call = await connectToN8n();
	servers = Object.fromEntries(await Promise.all(APIS.map(async (api) => [api, await startScriptedServer(api, SCRIPT)]))) as typeof servers;
	const { fitExample } = await import('../../examples/setup/examples.mjs');
	const fitted = { model: { provider: 'mistral', model: 'mistral-test', title: NODE, sentence: '' }, reports: realN8n().user.reports };
	await publish(call, fitExample('index-procedures', fitted) as TestWorkflow);
	expect((await runByWebhook(call, 'indexProcedures1', 'index-procedures')).execution.status).toBe('success');
	example = fitExample('maintenance-report', fitted) as TestWorkflow;
});
afterAll(async () => {
	await Promise.all(Object.values(servers).map(async (server) => await server.close()));
});

/** The example under another id and path, its Chat Model with what every provider needs; `provider` says which is used. */
function workflowFor(provider: string): TestWorkflow {
	const named = (value: string): object => ({ __rl: true, mode: 'id', value });
	const parameters = {
		provider,
		...{ mistralModel: named('mistral-test'), authentication: 'none' },
		...{ preset: 'vllm', baseUrl: `${servers['openai-compatible'].url}/v1`, model: named('served-test') },
		...{ ollamaUrl: servers.ollama.url, ollamaModel: named('ollama-test') },
		...{ scriptName: 'maintenance-report', script: JSON.stringify(SCRIPT) },
		options: {},
	};
	const nodes = example.nodes.map((node) => ({
		...node,
		id: `${node.id}-p`,
		...(node.webhookId && { webhookId: `${node.webhookId}-p`, parameters: { ...node.parameters, path: 'switch-provider' } }),
		...(node.name === NODE && { parameters: parameters as never }),
	}));
	return { ...example, id: ID, name: 'Maintenance report, provider switched', nodes };
}

async function reportOf(provider: string) {
	const workflow = workflowFor(provider);
	const credentials = [{ name: 'Mistral', type: 'reactEngineMistralApi', data: { apiKey: 'test-key', baseUrl: servers.mistral.url } }];
	await publish(call, workflow, { credentials });
	const { answer, execution } = await runByWebhook(call, ID, 'switch-provider');
	expect([answer.status, execution.status, execution.error?.message]).toEqual([200, 'success', undefined]);
	return { connections: workflow.connections, execution, body: answer.body as { output: string; report: string; run: { stoppedBy: string; model: string } } };
}

const asked = (): Record<string, readonly string[]> => Object.fromEntries(APIS.map((api) => [api, [...new Set(servers[api].asked)]]));

describe('the provider of the example workflow', () => {
	const none = { 'openai-compatible': [], mistral: [], ollama: [] };
	const steps: readonly [string, Record<string, readonly string[]>][] = [
		['replay', none],
		['openai-compatible', { ...none, 'openai-compatible': ['served-test'] }],
		['mistral', { ...none, 'openai-compatible': ['served-test'], mistral: ['mistral-test'] }],
		['ollama', { 'openai-compatible': ['served-test'], mistral: ['mistral-test'], ollama: ['ollama-test'] }],
	];
	const outputs = new Set<string>();

	it.each(steps)('makes the report with %s, nothing else changed', async (provider, expected) => {
		const { body, execution, connections } = await reportOf(provider);
		expect(connections).toEqual(example.connections);
		expect(body.run.stoppedBy).toBe('answer');
		expect(asked()).toEqual(expected);
		const orders = readWorkOrders(workOrdersFile);
		const quarter = lastFullQuarter(orders);
		for (const row of costsByAsset(orders, quarter)) expect(body.report).toContain(`| ${row.join(' | ')} |`);
		expect(body.output).toContain(quarter);
		outputs.add(body.output);
		expect(outputs.size).toBe(1);
		expect(execution.runData[NODE]).toHaveLength(4);
		expect(execution.runData['Records Toolkit']).toHaveLength(4);
		expect(itemsOf(execution, 'Write Report')).toHaveLength(1);
	});
});
