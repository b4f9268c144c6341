import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopModelHosts } from '../../lib/inference/model-host-client';
import { loadChatModel } from '../../lib/providers/registry';
import { startFakeModelServer, type FakeApi, type FakeModelServer } from '../support/fake-model-server';
import { fakePorts, type FakePorts } from '../support/fake-ports';
import { writeCausalLm } from '../support/tiny-models';
import type { ChatModelSetup } from './chat-model.contract';

/** Every provider with what it needs to be held to the contract: remote ones a server of their wire format. */
export function providerSetups(): Record<string, ChatModelSetup> {
	return { local, mistral: remote('mistral'), ollama: remote('ollama'), 'openai-compatible': remote('openai-compatible'), replay };
}

function remote(provider: FakeApi): ChatModelSetup {
	let server: FakeModelServer;
	let ports: FakePorts;
	return {
		name: `${provider}/test-model`,
		usage: true,
		wire: () => ({ server, ports }),
		make: async (...replies) => {
			server = await startFakeModelServer(provider);
			ports = fakePorts();
			server.answer('chat', ...replies.map((fixture) => ({ fixture })));
			return loadChatModel(provider, { model: 'test-model', apiKey: 'test-key', baseUrl: `${server.url}/v1` }, ports);
		},
		close: async () => await server.close(),
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
	make: async (...replies) => loadChatModel('replay', { model: 'test-model', script: replies.map((reply) => TURNS[reply]) }, fakePorts()),
	close: async () => undefined,
};

/** What a small language model writes, token by token. */
const WORDS = {
	text: ['Trois pannes hydrauliques', ' à l’été :', ' 12 450,00 €.'],
	tools: [
		'<tool_call>\n{"name":"stock_lookup","arguments":{"ref":"N-92c","note":"joint d\'étanchéité"}}\n</tool_call>',
		'<tool_call>\n{"name":"meter_reading","arguments":{}}\n</tool_call>',
	],
	reasoning: ['<think>Je compte', ' les pannes.', '</think>', 'Trois.'],
};

let folder: string | undefined;

const local: ChatModelSetup = {
	name: 'local/lab/test-model@fp32',
	usage: 'counted',
	make: async (first = 'text', second = 'text') => {
		folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
		process.env.N8N_USER_FOLDER = folder;
		writeCausalLm(path.join(folder, '.n8n/reactengine/models/lab/test-model'), WORDS[first], WORDS[second]);
		return loadChatModel('local', { model: 'lab/test-model', dtype: 'fp32' }, fakePorts());
	},
	close: async () => {
		stopModelHosts();
		if (folder) rmSync(folder, { recursive: true });
		delete process.env.N8N_USER_FOLDER;
	},
};
