import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import type { CompressionMethod, CompressionStep, CompressRequest, CompressTools } from '../../lib/compression/compress';
import { readHistory } from '../../lib/compression/read-passages';
import { asksModel } from '../../lib/compression/request';
import { connectedEmbedder, connectedModel } from '../../lib/n8n/connected';
import { portsOf } from '../../lib/n8n/ports';
import { connectedReranker } from '../../lib/n8n/supply-reranker';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions;

/** A request without what is asked of whom. */
export type Settings = Omit<CompressRequest, 'query' | 'documents'> & { readonly judgesSentences: boolean };

/** What the panel says about how to compress. */
export function readSettings(ctx: NodeContext, itemIndex: number): Settings {
	const read = <T>(name: string, fallback?: T): T => ctx.getNodeParameter(name, itemIndex, fallback) as T;
	const keepPassages = read<number>('options.keepPassages', 0);
	return {
		...(keepPassages > 0 && { keepPassages }),
		history: readHistory(read<unknown>('history', [])),
		method: read<CompressionMethod>('method'),
		chain: read<{ step: CompressionStep }[]>('chain.steps', []).map(({ step }) => step),
		keepShare: read<number>('keep') / 100,
		maxTokens: read<number>('maxTokens'),
		minRelevance: read<number>('options.minRelevance', 0) / 100,
		cutLongSentences: read<boolean>('options.cutLongSentences', true),
		ifNothing: read<'keep' | 'none'>('options.ifNothing', 'keep'),
		maxParallel: read<number>('options.maxParallel', 4),
		judgesSentences: read<boolean>('options.judgesSentences', false),
	};
}

/** What is connected, as far as the settings use it. */
export async function readTools(ctx: NodeContext, itemIndex: number, settings: Settings): Promise<CompressTools> {
	const embedder = await connectedEmbedder(ctx, itemIndex);
	const reranker = await connectedReranker(ctx, itemIndex);
	const needsModel = asksModel({ ...settings, query: '', documents: [] });
	const signal = ctx.getExecutionCancelSignal();
	return {
		...(embedder && { embedder }),
		...(reranker && { reranker, ...(settings.judgesSentences && { sentenceJudge: reranker }) }),
		...(needsModel && { model: await connectedModel(ctx, itemIndex) }),
		...(signal && { signal }),
		ids: portsOf(ctx).ids,
	};
}
