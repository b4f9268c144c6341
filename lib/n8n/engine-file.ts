import path from 'node:path';

import type { ISupplyDataFunctions } from 'n8n-workflow';

import { areaFolder, safeFileName } from '../storage/paths';

const STORAGE_CREDENTIAL = 'reactEngineStorageApi';

/**
 * The file of a name in an area (`recordings`, `logs`): in the storage that the node's Engine Storage credential names when its option
 * `ownStorage` is on, else in the default one. A user gives a name, never a path, so nothing outside the storage can be read or written.
 *
 * @throws CodedError BAD_INPUT for a blank name; n8n's error when the credential is not set
 */
export async function engineFile(ctx: ISupplyDataFunctions, itemIndex: number, area: string, name: string): Promise<string> {
	const file = `${safeFileName(name, area.replace(/s$/, ''))}.jsonl`;
	if (ctx.getNodeParameter('options.ownStorage', itemIndex, false) !== true) return path.join(areaFolder(area), file);
	const { storage } = await ctx.getCredentials<{ storage?: string }>(STORAGE_CREDENTIAL, itemIndex);
	return path.join(areaFolder(area, storage), file);
}
