import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { searchModels as searchChat } from '../../nodes/ChatModel/search-models';
import { searchModels as searchEmbeddings } from '../../nodes/Embeddings/search-models';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';

interface Sent {
	readonly url: string;
	readonly credential?: string;
}

/** The context of a drop-down, whose requests are really sent. */
function contextOf(parameters: Record<string, string>, credentials: Record<string, { name: string; baseUrl: string }>, sent: Sent[]): ILoadOptionsFunctions {
	const request = async ({ url }: { url: string }): Promise<unknown> => {
		const response = await fetch(url);
		if (!response.ok) throw new Error(`HTTP ${response.status}`);
		return await response.json();
	};
	return {
		getCurrentNodeParameter: (name: string) => parameters[name],
		getNode: () => ({ id: 'n', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: {}, credentials: Object.fromEntries(Object.entries(credentials).map(([type, { name }]) => [type, { id: '1', name }])) }),
		getCredentials: async (type: string) => {
			const found = credentials[type];
			if (!found) throw new Error(`No credential of type ${type}`);
			return { apiKey: 'k', baseUrl: found.baseUrl };
		},
		helpers: {
			httpRequest: async (options: { url: string }) => (sent.push({ url: options.url }), await request(options)),
			httpRequestWithAuthentication: async (credential: string, options: { url: string }) =>
				(sent.push({ url: options.url, credential }), await request(options)),
		},
	} as unknown as ILoadOptionsFunctions;
}

describe('list of models', () => {
	let server: FakeModelServer;
	let sent: Sent[];
	beforeEach(async () => {
		server = await startFakeModelServer('openai-compatible');
		sent = [];
	});
	afterEach(async () => await server.close());

	const names = ({ results }: { results: { name: string }[] }): string[] => results.map(({ name }) => name);
	const openAiList = { body: { data: [{ id: 'qwen3' }, { id: 'bge-embed' }, { id: 'llama' }, { id: 7 }, { id: 'llama' }] } };

	it('comes from the server, sorted, once each, and chat and embeddings apart', async () => {
		server.answer('models', openAiList, openAiList);
		const ctx = contextOf({ provider: 'openai-compatible', preset: 'vllm', authentication: 'none', baseUrl: `${server.url}/v1/` }, {}, sent);
		expect(names(await searchChat.call(ctx))).toEqual(['llama', 'qwen3']);
		expect(names(await searchEmbeddings.call(ctx))).toEqual(['bge-embed']);
		expect(sent).toEqual([{ url: `${server.url}/v1/models` }, { url: `${server.url}/v1/models` }]);
	});

	it('is filtered by what was typed', async () => {
		server.answer('models', openAiList);
		const ctx = contextOf({ provider: 'openai-compatible', preset: 'vllm', authentication: 'none', baseUrl: `${server.url}/v1` }, {}, sent);
		expect(names(await searchChat.call(ctx, 'LLA'))).toEqual(['llama']);
	});

	it('comes from Ollama’s own route, with a credential or without', async () => {
		const tags = { body: { models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }, { name: 'nomic-embed-text:latest' }] } };
		server.answer('models', tags, tags);
		const open = contextOf({ provider: 'ollama', authentication: 'none', ollamaUrl: server.url }, {}, sent);
		expect(names(await searchChat.call(open))).toEqual(['qwen3:8b']);
		const keyed = contextOf({ provider: 'ollama', authentication: 'credential' }, { reactEngineOllamaApi: { name: 'Mine', baseUrl: `${server.url}/v1` } }, sent);
		expect(names(await searchEmbeddings.call(keyed))).toEqual(['nomic-embed-text:latest']);
		expect(sent).toEqual([{ url: `${server.url}/api/tags` }, { url: `${server.url}/api/tags`, credential: 'reactEngineOllamaApi' }]);
	});

	it('asks llama.cpp with its own credential', async () => {
		server.answer('models', { body: { data: [{ id: 'gpt-oss' }] } });
		const ctx = contextOf({ provider: 'openai-compatible', preset: 'llamacpp', authentication: 'credential' }, { reactEngineLlamaCppApi: { name: 'Mine', baseUrl: `${server.url}/v1` } }, sent);
		expect(names(await searchChat.call(ctx))).toEqual(['gpt-oss']);
		expect(sent[0]?.credential).toBe('reactEngineLlamaCppApi');
	});

	it('falls back to known names for Mistral, and says that names can be typed for others', async () => {
		server.answer('models', { status: 500, body: {} }, { status: 500, body: {} });
		const mistral = contextOf({ provider: 'mistral' }, { reactEngineMistralApi: { name: 'Mine', baseUrl: server.url } }, sent);
		const known = await searchChat.call(mistral);
		expect(names(known)).toContain('mistral-small-latest');
		expect(known.results[0]?.description).toBe('From a built-in list, since the server could not be asked: HTTP 500');
		const other = contextOf({ provider: 'ollama', authentication: 'none', ollamaUrl: server.url }, {}, sent);
		await expect(searchChat.call(other)).rejects.toMatchObject({
			message: expect.stringContaining('HTTP 500'),
			description: expect.stringContaining('type the name of the model'),
		});
	});

	it('offers known names when no credential is chosen yet', async () => {
		expect(names(await searchEmbeddings.call(contextOf({ provider: 'mistral' }, {}, sent)))).toEqual(['codestral-embed', 'mistral-embed']);
	});
});
