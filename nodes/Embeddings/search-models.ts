import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listModels } from '../../lib/n8n/list-models';

/** The embedding models of the chosen server, filtered by what was typed. */
export async function searchModels(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	return { results: await listModels(this, 'embed', filter) };
}
