import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';
import { reactengineFolder } from '../../lib/storage/paths';
import { ChatModel } from '../../nodes/ChatModel/ChatModel.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';

const STORAGE = 'reactEngineStorageApi';
const byName = (value: string): IDataObject => ({ __rl: true, mode: 'id', value });

async function ask(parameters: IDataObject): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { agent: new ReActAgent(), chatModel: new ChatModel() },
		nodes: [start(), node('Agent', 'agent'), node('Model', 'chatModel', parameters, { credentials: { [STORAGE]: { id: 'c', name: 'Site' } } })],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent']),
		input: [{ json: { query: 'Combien de pannes ?' } }],
		credentials: { Site: { storage: 'site' } },
	});
}

describe('recordings of a Chat Model', () => {
	let server: FakeModelServer;
	beforeEach(async () => (server = await startFakeModelServer('openai-compatible')));
	afterEach(async () => await server.close());

	const remote = (options: IDataObject): IDataObject =>
		({ provider: 'openai-compatible', preset: 'generic', authentication: 'none', baseUrl: `${server.url}/v1`, model: byName('m'), options });

	it.each([
		['the default storage', {}, ''],
		['the storage of a credential, when the option says so', { ownStorage: true }, 'storages/site'],
	])('are kept in and played from %s', async (_, storage, folder) => {
		server.answer('chat', { fixture: 'text' });
		const recorded = await ask(remote({ recordAs: 'shift', ...storage }));
		expect(recorded.error).toBeUndefined();
		const file = path.join(reactengineFolder(), folder, 'recordings/shift.jsonl');
		expect(readFileSync(file, 'utf8')).toContain('Combien de pannes');
		const played = await ask({ provider: 'replay', replayFrom: 'recording', recordingName: 'shift', options: storage });
		expect(played.error).toBeUndefined();
		expect(played.items('Agent')[0]?.json.output).toBe(recorded.items('Agent')[0]?.json.output);
		expect(server.requests).toHaveLength(1);
	});

	it('need no storage credential, so none is asked for before the option is added', () => {
		const { description } = new ChatModel();
		const asked = (parameters: IDataObject): string[] =>
			(description.credentials ?? [])
				.filter((one) => NodeHelpers.displayParameter(parameters as INode['parameters'], one, null, description))
				.map(({ name }) => name);
		expect(asked({ provider: 'mistral', options: {} })).toEqual(['reactEngineMistralApi']);
		expect(asked({ provider: 'replay', options: { recordAs: 'x' } })).toEqual([]);
		expect(asked({ provider: 'replay', options: { ownStorage: true } })).toEqual([STORAGE]);
	});
});

describe('fields of the Chat Model panel', () => {
	const { description } = new ChatModel();

	it('no provider shares the field of its model or address with another', () => {
		const providers = description.properties.find(({ name }) => name === 'provider')!.options!.map((option) => (option as { value: string }).value);
		const owners = new Map<string, string[]>();
		for (const provider of providers) {
			const parameters = NodeHelpers.getNodeParameters(description.properties, { provider, authentication: 'none' }, true, false, null, description)!;
			for (const name of Object.keys(parameters).filter((one) => /model|url|script/i.test(one))) owners.set(name, [...(owners.get(name) ?? []), provider]);
		}
		expect(Object.fromEntries(owners)).toEqual({
			localModel: ['local'],
			mistralModel: ['mistral'],
			ollamaUrl: ['ollama'],
			ollamaModel: ['ollama'],
			baseUrl: ['openai-compatible'],
			model: ['openai-compatible'],
			scriptName: ['replay'],
			script: ['replay'],
		});
	});
});
