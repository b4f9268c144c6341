import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	INodeCredentialTestResult,
	ISupplyDataFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { CodedError, messageOf } from '../core/errors';
import type { ThemesPlace } from '../rag/list-themes';
import type { ThemePlace } from '../rag/open-theme';
import { checkStorage } from '../storage/check-storage';
import type { EventPlace } from '../events/event-sql';
import type { MemoryPlace } from '../chat/open-memory';
import { areaFolder, themesFolder } from '../storage/paths';
import { openPostgres, type PostgresConnection } from '../storage/postgres';
import type { TablePlace } from '../storage/sql-tables';

/** Name of the credential type that says where knowledge bases live. */
const STORAGE_CREDENTIAL = 'reactEngineStorageApi';

interface StorageSettings {
	readonly kind?: 'folder' | 'postgres';
	readonly storage?: string;
	readonly sharedVolume?: boolean;
	readonly host?: string;
	readonly port?: number;
	readonly database?: string;
	readonly user?: string;
	readonly password?: string;
	readonly ssl?: boolean;
}

/** Several processes may then run on several machines, where a file of one is not there for the others. */
function requireOneMachine(isShared: boolean, what: string): void {
	if (process.env.EXECUTIONS_MODE !== 'queue' || isShared) return;
	throw new CodedError('BAD_INPUT', `n8n runs in queue mode: ${what} in a folder of one machine may be missing on another`, {
		remedy:
			'Use an Engine Storage credential of the kind Postgres; or, when all workers run on this machine with the same local volume, ' +
			'turn on Workers Share This Folder in the credential.',
	});
}

function postgresOf(settings: StorageSettings): PostgresConnection {
	const { host = 'localhost', port = 5432, database = '', user = '', password = '', ssl = false } = settings;
	return { host, port: Number(port), database, user, password, ssl };
}

/** Any node that has credentials. */
type StorageContext = Pick<IExecuteFunctions | ISupplyDataFunctions, 'getNode' | 'getCredentials'> | Pick<ITriggerFunctions | IWebhookFunctions, 'getNode' | 'getCredentials'>;

/** What the Engine Storage credential says; {} for a node without one: the default storage. */
async function readSettings(ctx: StorageContext, itemIndex: number): Promise<StorageSettings> {
	if (!ctx.getNode().credentials?.[STORAGE_CREDENTIAL]) return {};
	return (await ctx.getCredentials(STORAGE_CREDENTIAL, itemIndex)) as StorageSettings;
}

/**
 * Where a knowledge base of this node lives: in the storage of its Engine Storage credential, else in the default one. n8n's
 * sharing of the credential decides who may use it; a user never gives a path.
 *
 * @throws CodedError BAD_INPUT for a folder in queue mode, unless the credential says that it is shared
 */
export async function themePlace(
	ctx: IExecuteFunctions | ISupplyDataFunctions,
	itemIndex: number,
	theme: string,
): Promise<ThemePlace> {
	return { ...(await themesPlace(ctx, itemIndex)), theme };
}

/** Where all knowledge bases of this node's storage live: as for `themePlace`. */
export async function themesPlace(ctx: StorageContext, itemIndex: number): Promise<ThemesPlace> {
	const settings = await readSettings(ctx, itemIndex);
	if (settings.kind === 'postgres') return { postgres: postgresOf(settings) };
	requireOneMachine(settings.sharedVolume === true, 'a knowledge base');
	return { folder: themesFolder(settings.storage) };
}

/** Where conversations of this node are kept: as for `themePlace`. */
export async function memoryPlace(ctx: IExecuteFunctions | ISupplyDataFunctions, itemIndex: number): Promise<MemoryPlace> {
	const settings = await readSettings(ctx, itemIndex);
	if (settings.kind === 'postgres') return { postgres: postgresOf(settings) };
	requireOneMachine(settings.sharedVolume === true, 'a memory');
	return { folder: areaFolder('memory', settings.storage) };
}

/** Where the list of handled events of this node is kept: as for `themePlace`. */
export async function eventsPlace(ctx: StorageContext, itemIndex = 0): Promise<EventPlace> {
	const settings = await readSettings(ctx, itemIndex);
	if (settings.kind === 'postgres') return { postgres: postgresOf(settings) };
	requireOneMachine(settings.sharedVolume === true, 'a list of events');
	return { folder: areaFolder('events', settings.storage) };
}

/** Where runs of this node wait that ended with a question: as for `themePlace`. */
export async function pendingPlace(ctx: StorageContext, itemIndex: number): Promise<TablePlace> {
	const settings = await readSettings(ctx, itemIndex);
	if (settings.kind === 'postgres') return { postgres: postgresOf(settings) };
	requireOneMachine(settings.sharedVolume === true, 'a run that waits for an answer');
	return { folder: areaFolder('pending', settings.storage) };
}

/** The folders of an area of files (`logs`, `recordings`): that of this node's storage, and the default one that nodes use. */
export async function areaFolders(ctx: StorageContext, itemIndex: number, area: string): Promise<string[]> {
	const { storage } = await readSettings(ctx, itemIndex);
	return [...new Set([areaFolder(area, storage), areaFolder(area)])];
}

/** What a storage is; with `limit` what cannot be kept there, and what to do. */
export interface PlaceChecked {
	readonly detail: string;
	readonly limit?: string;
}

/** Proves that the storage of this node can be used. Throws what stands in the way. */
export async function checkPlace(ctx: StorageContext, itemIndex: number): Promise<PlaceChecked> {
	const settings = await readSettings(ctx, itemIndex);
	if (settings.kind === 'postgres') {
		const detail = `Postgres at ${settings.host ?? 'localhost'}`;
		if (await hasVectors(postgresOf(settings))) return { detail: `${detail} with pgvector` };
		return { detail: `${detail}: memories and events can be kept there`, limit: `${NO_VECTORS}; ${VECTORS_REMEDY}.` };
	}
	requireOneMachine(settings.sharedVolume === true, 'what the engine keeps');
	checkStorage(themesFolder(settings.storage));
	return { detail: `Folder ${themesFolder(settings.storage)}` };
}

/** The test of the Engine Storage credential: can knowledge bases be written there? */
export async function testStorage(
	this: ICredentialTestFunctions,
	credential: { data?: ICredentialDataDecryptedObject },
): Promise<INodeCredentialTestResult> {
	const settings = (credential.data ?? {}) as StorageSettings;
	try {
		if (settings.kind === 'postgres' && !(await hasVectors(postgresOf(settings)))) return { status: 'OK', message: `Memories and events can be kept here. ${NO_VECTORS}; ${VECTORS_REMEDY}.` };
		if (settings.kind !== 'postgres') checkStorage(themesFolder(String(settings.storage ?? '')));
		return { status: 'OK', message: 'Knowledge bases, memories and events can be kept here' };
	} catch (error) {
		return { status: 'Error', message: messageOf(error) };
	}
}

const NO_VECTORS = 'Knowledge bases cannot: the server has no extension pgvector';
const VECTORS_REMEDY = 'use a Postgres with pgvector 0.8 or newer for those';

/** Only knowledge bases need pgvector. Throws when the server cannot be reached. */
async function hasVectors(connection: PostgresConnection): Promise<boolean> {
	const session = await openPostgres(connection, 'public');
	try {
		return (await session.query("SELECT 1 AS there FROM pg_available_extensions WHERE name = 'vector'")).length > 0;
	} finally {
		session.release();
	}
}
