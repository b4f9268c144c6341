import type { ISupplyDataFunctions } from 'n8n-workflow';

import type { Embedder } from '../../lib/core/document';
import { localEmbedder } from '../../lib/inference/local-embedder';
import type { ModelType } from '../../lib/inference/model-structure';
import type { Backend, Dtype } from '../../lib/inference/protocol';
import { localModelUse } from '../../lib/n8n/local-model-use';
import { portsOf } from '../../lib/n8n/ports';
import { readConnection, readModelName } from '../../lib/n8n/provider-credentials';
import { loadEmbedder } from '../../lib/providers/registry';

interface Options {
	readonly backend?: Backend;
	readonly batchSize?: number;
	readonly dimension?: number;
	readonly download?: boolean;
	readonly expectedSha256?: string;
	readonly passagePrefix?: string;
	readonly pooling?: 'mean' | 'cls';
	readonly queryPrefix?: string;
	readonly timeout?: number;
	readonly type?: ModelType;
}

/** The embedder that the node's panel describes. */
export async function readEmbedder(ctx: ISupplyDataFunctions, itemIndex: number): Promise<Embedder> {
	const provider = ctx.getNodeParameter('provider', itemIndex) as string;
	const { timeout, ...options } = ctx.getNodeParameter('options', itemIndex, {}) as Options;
	if (provider === 'local') return readLocal(ctx, itemIndex, options);
	const settings = {
		...options,
		...(await readConnection(ctx, provider, itemIndex)),
		model: readModelName(ctx, provider, itemIndex),
		...(timeout ? { timeoutMs: timeout * 1000 } : {}),
	};
	return loadEmbedder(provider, settings, portsOf(ctx));
}

function readLocal(ctx: ISupplyDataFunctions, itemIndex: number, { download = true, ...options }: Options): Embedder {
	const model = ctx.getNodeParameter('localModel', itemIndex) as string;
	const dtype = ctx.getNodeParameter('dtype', itemIndex) as Dtype;
	return localEmbedder({
		...options,
		model,
		dtype,
		...localModelUse(ctx, { model, dtype }, download),
		warn: (message) => ctx.logger.warn(message),
	});
}
