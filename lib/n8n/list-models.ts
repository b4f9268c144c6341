import { NodeOperationError, type ILoadOptionsFunctions, type INodeListSearchItems } from 'n8n-workflow';

import { messageOf } from '../core/errors';
import { ollamaServer } from '../providers/ollama/place';
import { presetOf } from '../providers/openai-compatible/presets';
import { credentialTypeOf, readConnection } from './provider-credentials';

/** Shown when Mistral cannot be asked (no key yet, no internet); any other name can be typed. */
const KNOWN_MISTRAL = {
	chat: ['mistral-small-latest', 'mistral-medium-latest', 'mistral-large-latest', 'magistral-small-latest', 'ministral-8b-latest', 'codestral-latest'],
	embed: ['mistral-embed', 'codestral-embed'],
} as const;

/**
 * Names of the models at the server that a node's panel points to, sorted.
 *
 * Mistral has a fallback list, whose entries say so; for any other server the error says that the name can be typed.
 *
 * @param kind    keeps embedding models out of chat lists and the other way round, where names tell
 * @param filter  part of a name; case does not matter
 */
export async function listModels(ctx: ILoadOptionsFunctions, kind: 'chat' | 'embed', filter = ''): Promise<INodeListSearchItems[]> {
	const provider = String(ctx.getCurrentNodeParameter('provider'));
	let hint: string | undefined;
	const names = await fetchNames(ctx, provider).catch((error: unknown) => {
		hint = `From a built-in list, since the server could not be asked: ${messageOf(error)}`;
		if (provider === 'mistral') return [...KNOWN_MISTRAL[kind]];
		throw new NodeOperationError(ctx.getNode(), `The list of models could not be loaded: ${messageOf(error)}`, {
			description: 'Check the address, or choose "By name" and type the name of the model.',
		});
	});
	const wanted = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
	const ofKind = wanted.filter((name) => /embed/i.test(name) === (kind === 'embed'));
	return (ofKind.length > 0 ? ofKind : wanted).sort().map((name) => ({ name, value: name, ...(hint && { description: hint }) }));
}

async function fetchNames(ctx: ILoadOptionsFunctions, provider: string): Promise<string[]> {
	const { baseUrl, preset, credentialName } = await readConnection(ctx, provider, 0);
	const options = { url: listUrl(provider, baseUrl, preset), json: true, timeout: 10_000 };
	const answer = (await (credentialName
		? ctx.helpers.httpRequestWithAuthentication.call(ctx, credentialTypeOf(provider, preset), options)
		: ctx.helpers.httpRequest(options))) as { data?: Named[]; models?: Named[] };
	const names = (answer.data ?? answer.models ?? []).flatMap(({ id, name }) => id ?? name ?? []);
	return [...new Set(names.filter((name): name is string => typeof name === 'string'))];
}

/** OpenAI-compatible servers name a model by `id`, Ollama by `name`. */
interface Named {
	readonly id?: unknown;
	readonly name?: unknown;
}

function listUrl(provider: string, baseUrl: string | undefined, preset: string | undefined): string {
	if (provider === 'ollama') return `${ollamaServer(baseUrl)}/api/tags`;
	const base = (baseUrl || (provider === 'mistral' ? 'https://api.mistral.ai' : presetOf(preset).baseUrl)).replace(/\/+$/, '');
	return provider === 'mistral' ? `${base.replace(/\/v1$/, '')}/v1/models` : `${base}/models`;
}
