import { runInNewContext } from 'node:vm';
import type { ICredentialType } from 'n8n-workflow';
import { ReactEngineLlamaCppApi } from '../../credentials/ReactEngineLlamaCppApi.credentials';
import { ReactEngineMistralApi } from '../../credentials/ReactEngineMistralApi.credentials';
import { ReactEngineOllamaApi } from '../../credentials/ReactEngineOllamaApi.credentials';
import { ReactEngineOpenAiCompatibleApi } from '../../credentials/ReactEngineOpenAiCompatibleApi.credentials';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';

/** What n8n makes of an expression that holds one `{{ }}` and nothing but text around it. */
function resolved(expression: unknown, $credentials: Record<string, string>): unknown {
	const text = String(expression);
	if (!text.startsWith('=')) return text;
	const [, before = '', code = '', after = ''] = /^=(.*?)\{\{(.*)\}\}(.*)$/s.exec(text) ?? [];
	const value: unknown = runInNewContext(code, { $credentials });
	return before + after === '' ? value : `${before}${String(value)}${after}`;
}

/** Sends the test request of a credential as n8n would; gives the status. */
async function check(type: ICredentialType, data: Record<string, string>): Promise<number> {
	const { baseURL, url } = type.test!.request;
	const headers = (type.authenticate as { properties: { headers: Record<string, string> } }).properties.headers;
	const authorization = resolved(headers['Authorization'], data);
	const response = await fetch(String(resolved(baseURL, data)) + String(url), {
		headers: authorization === undefined ? {} : { authorization: String(authorization) },
	});
	return response.status;
}

describe('tests of the credentials', () => {
	let server: FakeModelServer;
	beforeEach(async () => (server = await startFakeModelServer('openai-compatible')));
	afterEach(async () => await server.close());

	it.each([
		['Mistral', new ReactEngineMistralApi(), '', '/v1/models'],
		['Mistral with /v1', new ReactEngineMistralApi(), '/v1', '/v1/models'],
		['OpenAI-compatible', new ReactEngineOpenAiCompatibleApi(), '/v1/', '/v1/models'],
		['Ollama', new ReactEngineOllamaApi(), '/', '/api/tags'],
		['Ollama with /v1', new ReactEngineOllamaApi(), '/v1', '/api/tags'],
		['llama.cpp', new ReactEngineLlamaCppApi(), '/v1', '/props'],
	])('%s asks a route that wants the key, at the address of the credential', async (_, type, end, path) => {
		server.answer('models', { body: { data: [] } }, { status: 401, body: { error: 'no' } });
		expect(await check(type, { baseUrl: server.url + end, apiKey: 'k-1' })).toBe(200);
		expect(server.requests[0]).toMatchObject({ method: 'GET', path, headers: { authorization: 'Bearer k-1' } });
		expect(await check(type, { baseUrl: server.url + end, apiKey: 'wrong' })).toBe(401);
	});

	it.each([
		['OpenAI-compatible', new ReactEngineOpenAiCompatibleApi()],
		['Ollama', new ReactEngineOllamaApi()],
		['llama.cpp', new ReactEngineLlamaCppApi()],
	])('%s sends no key where there is none', async (_, type) => {
		server.answer('models', { body: {} });
		await check(type, { baseUrl: server.url, apiKey: '' });
		expect(server.requests[0]?.headers.authorization).toBeUndefined();
	});

	it.each([new ReactEngineMistralApi(), new ReactEngineOpenAiCompatibleApi(), new ReactEngineOllamaApi(), new ReactEngineLlamaCppApi()])(
		'$name hides its key',
		(type) => {
			expect(type.properties.find(({ name }) => name === 'apiKey')?.typeOptions).toEqual({ password: true });
			expect(type.name).toMatch(/^reactEngine.*Api$/);
		},
	);
});
