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
import type { ThemePlace } from '../rag/open-theme';
import { checkStorage } from '../storage/check-storage';
import type { EventPlace } from '../events/event-sql';
import type { MemoryPlace } from '../chat/open-memory';
import { areaFolder, themesFolder } from '../storage/paths';
import { openPostgres, type PostgresConnection } from '../storage/postgres';

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
	const settings = await readSettings(ctx, itemIndex);
	if (settings.kind === 'postgres') return { postgres: postgresOf(settings), theme };
	requireOneMachine(settings.sharedVolume === true, 'a knowledge base');
	return { folder: themesFolder(settings.storage), theme };
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

/** Proves that the storage of this node can be used, and says what it is. Throws what stands in the way. */
export async function checkPlace(ctx: StorageContext, itemIndex: number): Promise<string> {
	const settings = await readSettings(ctx, itemIndex);
	if (settings.kind === 'postgres') {
		await testPostgres(postgresOf(settings));
		return `Postgres at ${settings.host ?? 'localhost'} with pgvector`;
	}
	requireOneMachine(settings.sharedVolume === true, 'what the engine keeps');
	checkStorage(themesFolder(settings.storage));
	return `Folder ${themesFolder(settings.storage)}`;
}

/** The test of the Engine Storage credential: can knowledge bases be written there? */
export async function testStorage(
	this: ICredentialTestFunctions,
	credential: { data?: ICredentialDataDecryptedObject },
): Promise<INodeCredentialTestResult> {
	const settings = (credential.data ?? {}) as StorageSettings;
	try {
		if (settings.kind === 'postgres') await testPostgres(postgresOf(settings));
		else checkStorage(themesFolder(String(settings.storage ?? '')));
		return { status: 'OK', message: 'Knowledge bases can be kept here' };
	} catch (error) {
		return { status: 'Error', message: messageOf(error) };
	}
}

async function testPostgres(connection: PostgresConnection): Promise<void> {
	const session = await openPostgres(connection, 'public');
	try {
		const [extension] = await session.query("SELECT 1 AS there FROM pg_available_extensions WHERE name = 'vector'");
		if (!extension) throw new CodedError('BAD_INPUT', 'The server has no extension pgvector', { remedy: 'Use a Postgres with pgvector 0.8 or newer.' });
	} finally {
		session.release();
	}
}
