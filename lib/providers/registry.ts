/**
 * Providers by name: how the rest of the package gets a chat model or an embedder of a remote API.
 *
 * In: a provider's name, its settings and the ports. Out: core's ChatModel or Embedder. A provider's file, and the SDK behind
 * it, is loaded when it is chosen and not before. Knows nothing of n8n; the local models live in lib/inference.
 * To add a provider: a folder with to-request, from-stream and model, and one line here.
 */
import { createRequire } from 'node:module';
import { CodedError } from '../core/errors';
import type { Embedder } from '../core/document';
import type { ChatModel } from '../core/model';
import type { Ports } from '../core/ports';
import { dressedModel } from './dressed-model';
import type { ChatSettings, EmbedSettings, MakeChatModel, MakeEmbedder } from './settings';

/** Loads a module when it is first needed, not when this file is. */
const load = createRequire(__filename);

const CHAT: { readonly [provider: string]: () => MakeChatModel } = {
	local: () => (load('./local/model') as typeof import('./local/model')).localModel,
	mistral: () => (load('./mistral/model') as typeof import('./mistral/model')).mistralModel,
	ollama: () => (load('./ollama/model') as typeof import('./ollama/model')).ollamaModel,
	'openai-compatible': () => (load('./openai-compatible/model') as typeof import('./openai-compatible/model')).openAiCompatibleModel,
	replay: () => (load('./replay/model') as typeof import('./replay/model')).replayModel,
};

const EMBED: { readonly [provider: string]: () => MakeEmbedder } = {
	mistral: () => (load('./mistral/embedder') as typeof import('./mistral/embedder')).mistralEmbedder,
	ollama: () => (load('./ollama/embedder') as typeof import('./ollama/embedder')).ollamaEmbedder,
	'openai-compatible': () => (load('./openai-compatible/embedder') as typeof import('./openai-compatible/embedder')).openAiCompatibleEmbedder,
};

/** Names that `loadChatModel` takes. */
export const chatProviders: readonly string[] = Object.keys(CHAT);

/** Names that `loadEmbedder` takes. */
export const embedProviders: readonly string[] = Object.keys(EMBED);

/**
 * A chat model of a provider. No request is sent.
 *
 * @throws CodedError BAD_INPUT for an unknown provider, or for settings the provider cannot work with
 */
export function loadChatModel(provider: string, settings: ChatSettings, ports: Ports): ChatModel {
	return dressedModel(chosen(CHAT, provider, 'chat models')(settings, ports), provider, settings, ports);
}

/**
 * An embedder of a remote provider. No request is sent.
 *
 * @throws CodedError BAD_INPUT for an unknown provider, or for settings the provider cannot work with
 */
export function loadEmbedder(provider: string, settings: EmbedSettings, ports: Ports): Embedder {
	return chosen(EMBED, provider, 'embeddings')(settings, ports);
}

function chosen<T>(table: { readonly [name: string]: () => T }, name: string, what: string): T {
	const load = Object.hasOwn(table, name) ? table[name] : undefined;
	if (load) return load();
	throw new CodedError('BAD_INPUT', `No provider "${name}" for ${what}`, {
		remedy: `Choose one of: ${Object.keys(table).join(', ')}.`,
	});
}
