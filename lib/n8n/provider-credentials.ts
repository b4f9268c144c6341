import type { ILoadOptionsFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import type { ChatSettings } from '../providers/settings';

type Connection = Pick<ChatSettings, 'apiKey' | 'baseUrl' | 'preset' | 'credentialName'>;
type ProviderContext = ISupplyDataFunctions | ILoadOptionsFunctions;

/** Providers whose server may be one's own, so that no credential is needed. */
const MAY_BE_OPEN = new Set(['openai-compatible', 'ollama']);

/**
 * Credential type of a remote provider.
 *
 * @param provider  value of the provider drop-down
 * @param preset    value of the server drop-down of the OpenAI-compatible provider
 * @returns         '' for a provider without one
 */
export function credentialTypeOf(provider: string, preset = ''): string {
	if (provider === 'mistral') return 'reactEngineMistralApi';
	if (provider === 'ollama') return 'reactEngineOllamaApi';
	if (provider !== 'openai-compatible') return '';
	return preset === 'llamacpp' ? 'reactEngineLlamaCppApi' : 'reactEngineOpenAiCompatibleApi';
}

/**
 * Fields of a node's panel whose value belongs to one provider: in a shared one the editor would keep the name of the last
 * provider's model when the drop-down is changed.
 *
 * @param provider  value of the provider drop-down
 */
export function fieldsOf(provider: string): { readonly model: string; readonly baseUrl: string } {
	if (provider === 'mistral') return { model: 'mistralModel', baseUrl: 'baseUrl' };
	return provider === 'ollama' ? { model: 'ollamaModel', baseUrl: 'ollamaUrl' } : { model: 'model', baseUrl: 'baseUrl' };
}

/** The model that the panel names for its provider; '' when none is chosen. */
export function readModelName(ctx: ISupplyDataFunctions, provider: string, itemIndex: number): string {
	return String(ctx.getNodeParameter(fieldsOf(provider).model, itemIndex, '', { extractValue: true }));
}

/**
 * Where a node with the parameters of `serverProperties` finds its server, and with which key.
 *
 * A key goes to the address in its own credential and nowhere else: the address on the node counts only without a credential.
 *
 * @throws n8n's error when the credential is not set
 */
export async function readConnection(ctx: ProviderContext, provider: string, itemIndex: number): Promise<Connection> {
	const read = (name: string): string => textParameter(ctx, name, itemIndex);
	const preset = provider === 'openai-compatible' ? { preset: read('preset') } : {};
	if (MAY_BE_OPEN.has(provider) && read('authentication') !== 'credential') return { ...preset, baseUrl: read(fieldsOf(provider).baseUrl) };
	const type = credentialTypeOf(provider, preset.preset);
	const { apiKey, baseUrl } = await ctx.getCredentials<{ apiKey?: string; baseUrl?: string }>(type, itemIndex);
	const credentialName = ctx.getNode().credentials?.[type]?.name;
	return {
		...preset,
		...(apiKey ? { apiKey } : {}),
		...(baseUrl ? { baseUrl } : {}),
		...(credentialName ? { credentialName } : {}),
	};
}

function textParameter(ctx: ProviderContext, name: string, itemIndex: number): string {
	if ('getCurrentNodeParameter' in ctx) return String(ctx.getCurrentNodeParameter(name) ?? '');
	return String(ctx.getNodeParameter(name, itemIndex, ''));
}
