import path from 'node:path';

import type { ISupplyDataFunctions } from 'n8n-workflow';

import { areaFolder, safeFileName } from '../storage/paths';

const STORAGE_CREDENTIAL = 'reactEngineStorageApi';

/**
 * The file of a name in an area (`recordings`, `logs`) of the storage that the node's Engine Storage credential names, else of the
 * default one. A user gives a name, never a path, so nothing outside the storage can be read or written.
 *
 * @throws CodedError BAD_INPUT for a blank name
 */
export async function engineFile(ctx: ISupplyDataFunctions, itemIndex: number, area: string, name: string): Promise<string> {
	const file = `${safeFileName(name, area.replace(/s$/, ''))}.jsonl`;
	if (!ctx.getNode().credentials?.[STORAGE_CREDENTIAL]) return path.join(areaFolder(area), file);
	const { storage } = await ctx.getCredentials<{ storage?: string }>(STORAGE_CREDENTIAL, itemIndex);
	return path.join(areaFolder(area, storage), file);
}
