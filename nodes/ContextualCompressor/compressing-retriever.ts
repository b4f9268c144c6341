import type { ISupplyDataFunctions } from 'n8n-workflow';

import type { Retriever } from '../../lib/core/document';
import { CodedError } from '../../lib/core/errors';
import { compress } from '../../lib/compression/compress';
import { connectedRetriever } from '../../lib/n8n/connected-retriever';
import { readSettings, readTools } from './read-settings';

/**
 * The connected retriever, asked for many passages; what is given on is compressed for the query.
 *
 * @throws CodedError BAD_INPUT when no retriever is connected
 */
export async function compressingRetriever(ctx: ISupplyDataFunctions, itemIndex: number): Promise<{ retriever: Retriever; topK: number }> {
	const search = await connectedRetriever(ctx, itemIndex);
	if (!search) {
		throw new CodedError('BAD_INPUT', 'No retriever is connected', {
			remedy: "Connect RAG Retriever (used as a retriever) or one of n8n's retrievers to the Retriever input.",
		});
	}
	const settings = readSettings(ctx, itemIndex);
	const tools = await readTools(ctx, itemIndex, settings);
	const topK = ctx.getNodeParameter('searched', itemIndex) as number;
	const retriever: Retriever = async ({ query, topK: wanted, signal }) => {
		const documents = await search({ query, topK, ...(signal && { signal }) });
		const keepPassages = Math.min(settings.keepPassages ?? wanted, wanted);
		const request = { ...settings, query, documents, keepPassages };
		const { documents: kept, compression } = await compress(request, { ...tools, ...(signal && { signal }) });
		for (const message of compression.warnings) ctx.logger.info(message, { node: ctx.getNode().name });
		return kept.slice(0, wanted);
	};
	return { retriever, topK };
}
