import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { chatProviders, embedProviders, loadChatModel } from '../../lib/providers/registry';
import { itIsAChatModel, type ChatModelSetup } from '../contracts/chat-model.contract';
import { startFakeModelServer, type FakeApi, type FakeModelServer } from '../support/fake-model-server';
import { fakePorts } from '../support/fake-ports';

function remote(provider: FakeApi, cutBytes?: number): ChatModelSetup {
	let server: FakeModelServer | undefined;
	return {
		name: `${provider}/test-model`,
		usage: true,
		make: async (...replies) => {
			server = await startFakeModelServer(provider);
			server.answer('chat', ...replies.map((fixture) => ({ fixture, ...(cutBytes ? { cutBytes } : {}) })));
			const settings = { model: 'test-model', apiKey: 'test-key', baseUrl: `${server.url}/v1` };
			return loadChatModel(provider, settings, fakePorts());
		},
		close: async () => await server?.close(),
	};
}

const TURNS = {
	text: { answer: 'Trois pannes hydrauliques à l’été : 12 450,00 €.' },
	tools: {
		calls: [
			{ tool: 'stock_lookup', arguments: { ref: 'N-92c', note: "joint d'étanchéité" } },
			{ tool: 'meter_reading' },
		],
	},
	reasoning: { thought: 'Je compte les pannes.', answer: 'Trois.' },
};

const replay: ChatModelSetup = {
	name: 'replay/test-model',
	usage: false,
	make: async (...replies) =>
		loadChatModel('replay', { model: 'test-model', script: replies.map((reply) => TURNS[reply]) }, fakePorts()),
	close: async () => undefined,
};

describe.each([
	['mistral', remote('mistral')],
	['mistral, cut every 7 bytes', remote('mistral', 7)],
	['openai-compatible', remote('openai-compatible')],
	['openai-compatible, cut every 3 bytes', remote('openai-compatible', 3)],
	['ollama', remote('ollama')],
	['ollama, cut every 5 bytes', remote('ollama', 5)],
	['replay', replay],
])('chat model: %s', (_, setup) => itIsAChatModel(setup));

describe('registry', () => {
	it('names the providers it has when one is unknown', () => {
		const remedy = 'Choose one of: local, mistral, ollama, openai-compatible, replay.';
		const load = (): unknown => loadChatModel('toString', { model: 'x' }, fakePorts());
		expect(load).toThrow(expect.objectContaining({ code: 'BAD_INPUT', message: 'No provider "toString" for chat models', remedy }));
	});

	it('finds providers by their folders', () => {
		expect(chatProviders()).toEqual(['local', 'mistral', 'ollama', 'openai-compatible', 'replay']);
		expect(embedProviders()).toEqual(['mistral', 'ollama', 'openai-compatible']);
	});

	it('loads no provider before it is chosen, and then only that one', async () => {
		const program = `const { loadChatModel } = require('./dist/lib/providers/registry.js');
			const loaded = () => Object.keys(require.cache).flatMap((file) => /providers[^a-z-]([a-z-]+)[^a-z-]model[.]js$/.exec(file)?.[1] ?? []);
			const before = loaded();
			loadChatModel('ollama', { model: 'm' }, {});
			console.log(JSON.stringify([before, loaded(), Object.keys(require.cache).some((file) => /mistralai|huggingface/.test(file))]));`;
		const { stdout: output } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: path.resolve(__dirname, '../..') });
		expect(JSON.parse(output)).toEqual([[], ['ollama'], false]);
	});
});
