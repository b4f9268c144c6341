import type { ISupplyDataFunctions } from 'n8n-workflow';

import type { Embedder } from '../../lib/core/document';
import { localEmbedder } from '../../lib/inference/local-embedder';
import type { Backend, Dtype } from '../../lib/inference/protocol';
import { portsOf } from '../../lib/n8n/ports';
import { readConnection } from '../../lib/n8n/provider-credentials';
import { loadEmbedder } from '../../lib/providers/registry';

interface Options {
	readonly backend?: Backend;
	readonly batchSize?: number;
	readonly dimension?: number;
	readonly expectedSha256?: string;
	readonly passagePrefix?: string;
	readonly pooling?: 'mean' | 'cls';
	readonly queryPrefix?: string;
	readonly timeout?: number;
}

/** The embedder that the node's panel describes. */
export async function readEmbedder(ctx: ISupplyDataFunctions, itemIndex: number): Promise<Embedder> {
	const provider = ctx.getNodeParameter('provider', itemIndex) as string;
	const { timeout, ...options } = ctx.getNodeParameter('options', itemIndex, {}) as Options;
	if (provider === 'local') {
		return localEmbedder({
			...options,
			model: ctx.getNodeParameter('localModel', itemIndex) as string,
			dtype: ctx.getNodeParameter('dtype', itemIndex) as Dtype,
			warn: (message) => ctx.logger.warn(message),
		});
	}
	const settings = {
		...options,
		...(await readConnection(ctx, provider, itemIndex)),
		model: ctx.getNodeParameter('model', itemIndex, '', { extractValue: true }) as string,
		...(timeout ? { timeoutMs: timeout * 1000 } : {}),
	};
	return loadEmbedder(provider, settings, portsOf(ctx));
}
