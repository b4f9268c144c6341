/**
 * Providers by name: how the rest of the package gets a chat model or an embedder.
 *
 * In: a provider's name, its settings and the ports. Out: core's ChatModel or Embedder. Providers are found by their folders: one with a
 * `model` file makes chat models (its `makeChatModel`), one with an `embedder` file embeds (its `makeEmbedder`). Neither the file nor the
 * SDK behind it is loaded before it is chosen. Knows nothing of n8n.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CodedError } from '../core/errors';
import type { Embedder } from '../core/document';
import type { ChatModel } from '../core/model';
import type { Ports } from '../core/ports';
import { keptFor, QueryVectors, rememberQueries } from '../inference/query-vectors';
import { dressedModel } from './dressed-model';
import type { ChatSettings, EmbedSettings, MakeChatModel, MakeEmbedder } from './settings';

/** Loads a module when it is first needed, not when this file is. */
const load = createRequire(__filename);

/** Names that `loadChatModel` takes, sorted. */
export function chatProviders(): string[] {
	return foldersWith('model');
}

/** Names that `loadEmbedder` takes, sorted. */
export function embedProviders(): string[] {
	return foldersWith('embedder');
}

/**
 * A chat model of a provider. No request is sent.
 *
 * @throws CodedError BAD_INPUT for an unknown provider, or for settings the provider cannot work with
 */
export function loadChatModel(provider: string, settings: ChatSettings, ports: Ports): ChatModel {
	const { makeChatModel } = loadOnce(chosen('model', provider, 'chat models')) as { makeChatModel: MakeChatModel };
	return dressedModel(makeChatModel(settings, ports), provider, settings, ports);
}

/**
 * An embedder of a remote provider. No request is sent. Each query is sent once an hour, by this process with these settings.
 *
 * @throws CodedError BAD_INPUT for an unknown provider, or for settings the provider cannot work with
 */
export function loadEmbedder(provider: string, settings: EmbedSettings, ports: Ports): Embedder {
	const { makeEmbedder } = loadOnce(chosen('embedder', provider, 'embeddings')) as { makeEmbedder: MakeEmbedder };
	// The settings hold the key, which must not stand in memory for longer than it is used.
	const key = createHash('sha256').update(JSON.stringify([provider, settings])).digest('hex');
	const queries = keptFor(askedQueries, key, () => new QueryVectors(QUERY_KEEP_MS));
	return rememberQueries(makeEmbedder(settings, ports), queries, ports.clock.now);
}

const QUERY_KEEP_MS = 3_600_000;
const askedQueries = new Map<string, QueryVectors>();

const loaded = new Map<string, unknown>();

/** Even a module that is loaded costs a search for its file at each require, and a model is made for each step of an agent. */
function loadOnce(file: string): unknown {
	if (!loaded.has(file)) loaded.set(file, load(file));
	return loaded.get(file);
}

const found = new Map<string, string[]>();

function foldersWith(file: 'model' | 'embedder'): string[] {
	const known = found.get(file);
	if (known) return known;
	const folders = readdirSync(__dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
	const names = folders.map(({ name }) => name).filter((name) => readdirSync(path.join(__dirname, name)).some((one) => /^\w+\.[jt]s$/.test(one) && path.parse(one).name === file));
	found.set(file, names.sort());
	return names;
}

function chosen(file: 'model' | 'embedder', name: string, what: string): string {
	const names = foldersWith(file);
	if (names.includes(name)) return `./${name}/${file}`;
	throw new CodedError('BAD_INPUT', `No provider "${name}" for ${what}`, { remedy: `Choose one of: ${names.join(', ')}.` });
}
