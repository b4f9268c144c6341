import type { ISupplyDataFunctions } from 'n8n-workflow';

import type { Reranker } from '../../lib/core/document';
import { localScorer } from '../../lib/inference/local-reranker';
import type { Backend, Dtype, ScoreMethod } from '../../lib/inference/protocol';
import { connectedModel } from '../../lib/n8n/connected';
import { localModelUse } from '../../lib/n8n/local-model-use';
import { portsOf } from '../../lib/n8n/ports';
import { checkWeight, judgedReranker, scoredReranker } from '../../lib/rag/rerank';

/** The reranker that the node's panel describes. */
export async function readReranker(ctx: ISupplyDataFunctions, itemIndex: number): Promise<Reranker> {
	const method = ctx.getNodeParameter('method', itemIndex) as ScoreMethod | 'judge';
	if (method === 'judge') return judgedReranker(await connectedModel(ctx, itemIndex), portsOf(ctx).log);
	const { backend, download = true } = ctx.getNodeParameter('options', itemIndex, {}) as { backend?: Backend; download?: boolean };
	const model = ctx.getNodeParameter('localModel', itemIndex) as string;
	const dtype = ctx.getNodeParameter('dtype', itemIndex) as Dtype;
	const weight = checkWeight(ctx.getNodeParameter('weight', itemIndex) as number);
	const score = localScorer({
		model,
		dtype,
		method,
		...(backend ? { backend } : {}),
		...localModelUse(ctx, { model, dtype }, download),
	});
	return scoredReranker(score, weight);
}
