import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
	ISupplyDataFunctions,
} from 'n8n-workflow';

import { messageOf } from '../core/errors';
import type { StorePlace } from '../rag/sqlite-store';
import { checkStorage } from '../storage/check-storage';
import { themesFolder } from '../storage/paths';

/** Name of the credential type that says where knowledge bases live. */
const STORAGE_CREDENTIAL = 'reactEngineStorageApi';

/**
 * Where a knowledge base of this node lives: in the storage of its Engine Storage credential, else in the default one. n8n's
 * sharing of the credential decides who may use it; a user never gives a path.
 */
export async function themePlace(
	ctx: IExecuteFunctions | ISupplyDataFunctions,
	itemIndex: number,
	theme: string,
): Promise<StorePlace> {
	if (!ctx.getNode().credentials?.[STORAGE_CREDENTIAL]) return { folder: themesFolder(), theme };
	const { storage } = await ctx.getCredentials<{ storage?: string }>(STORAGE_CREDENTIAL, itemIndex);
	return { folder: themesFolder(storage), theme };
}

/** The storage that the node's Engine Storage credential names; undefined for the default one. */
export async function storageName(ctx: IExecuteFunctions, itemIndex: number): Promise<string | undefined> {
	if (!ctx.getNode().credentials?.[STORAGE_CREDENTIAL]) return undefined;
	return (await ctx.getCredentials<{ storage?: string }>(STORAGE_CREDENTIAL, itemIndex)).storage;
}

/** The test of the Engine Storage credential: can knowledge bases be written there? */
export async function testStorage(
	this: ICredentialTestFunctions,
	credential: { data?: ICredentialDataDecryptedObject },
): Promise<INodeCredentialTestResult> {
	try {
		checkStorage(themesFolder(String(credential.data?.storage ?? '')));
		return { status: 'OK', message: 'Knowledge bases can be kept here' };
	} catch (error) {
		return { status: 'Error', message: messageOf(error) };
	}
}
