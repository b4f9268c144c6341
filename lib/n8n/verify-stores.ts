import { existsSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { withMemory } from '../chat/open-memory';
import { messageOf } from '../core/errors';
import { openInbox } from '../events/inbox';
import { listThemes } from '../rag/list-themes';
import { openTheme } from '../rag/open-theme';
import { themeFile } from '../storage/paths';
import { openPendingRuns } from '../storage/pending-runs';
import { verifyFile } from '../storage/verify-file';
import { eventsPlace, memoryPlace, pendingPlace, themePlace, themesPlace } from './storage';

/** One store of this node's storage, and whether it is sound. */
interface StoreChecked {
	readonly store: string;
	/** Of a knowledge base. */
	readonly name?: string;
	/** Where it is not in Postgres. */
	readonly file?: string;
	readonly ok: boolean;
	readonly problems: readonly string[];
	/** What to do, where something is wrong. */
	readonly remedy?: string;
}

/** Reads every store of the storage that is there and says what is wrong with which, and what to do. A fault is reported, not thrown. */
export async function verifyStores(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const stores = [
		...(await verifyThemes(ctx, itemIndex)),
		...(await verifyTables(await memoryPlace(ctx, itemIndex), MEMORY)),
		...(await verifyTables(await eventsPlace(ctx, itemIndex), INBOX)),
		...(await verifyTables(await eventsPlace(ctx, itemIndex), SEEN)),
		...(await verifyTables(await pendingPlace(ctx, itemIndex), PENDING)),
	];
	return { ok: stores.every(({ ok }) => ok), stores: stores as unknown as IDataObject[] };
}

async function verifyThemes(ctx: IExecuteFunctions, itemIndex: number): Promise<StoreChecked[]> {
	const checked: StoreChecked[] = [];
	for (const name of await listThemes(await themesPlace(ctx, itemIndex))) {
		const place = await themePlace(ctx, itemIndex, name);
		checked.push(
			await checkedStore({ store: 'knowledge base', name, ...('folder' in place && { file: themeFile(place.folder, name) }), remedy: THEME_REMEDY }, async () => {
				const theme = await openTheme(place);
				try {
					return (await theme.verify()).problems;
				} finally {
					await theme.close();
				}
			}),
		);
	}
	return checked;
}

const THEME_REMEDY =
	'Restore it from a backup (Engine Admin, Restore, with Replace What Is There). Without one: delete it with RAG Index and add its documents again. When the file cannot be opened at all, stop n8n and move it away first.';
const move = (lost: string): string => `Stop n8n, move the file away with those named -wal and -shm beside it, and start n8n: a new one is made. ${lost}`;

interface Tables {
	readonly store: string;
	readonly file: string;
	readonly remedy: string;
	/** Reads something of it in Postgres, whose own server proves the rest. */
	readonly look: (place: Extract<Place, { postgres: unknown }>) => Promise<unknown>;
}

type Place = Awaited<ReturnType<typeof pendingPlace>>;

const MEMORY: Tables = {
	store: 'memory',
	file: 'conversations.sqlite',
	remedy: move('Then restore the conversations from a backup (Engine Admin, Restore); without one they begin anew.'),
	look: async (place) => await withMemory(place, async (store) => await store.list()),
};
const INBOX: Tables = {
	store: 'events',
	file: 'inbox.sqlite',
	remedy: move('Events that were not handled are lost: have their senders send them again.'),
	look: async (place) => {
		const inbox = await openInbox(place, '');
		await inbox.counts().finally(() => inbox.close());
	},
};
const SEEN: Tables = {
	store: 'handled events',
	file: 'seen.sqlite',
	remedy: move('Events that were handled before are let through once more when they come again.'),
	// In the schema of the events, which INBOX looks at.
	look: async () => undefined,
};
const PENDING: Tables = {
	store: 'waiting runs',
	file: 'runs.sqlite',
	remedy: move('Open questions and approvals cannot be answered any more: start those runs again.'),
	look: async (place) => {
		const pending = await openPendingRuns(place, Date.now);
		await pending.find(['—']).finally(() => pending.close());
	},
};

async function verifyTables(place: Place, { store, file, remedy, look }: Tables): Promise<StoreChecked[]> {
	if ('postgres' in place) return store === SEEN.store ? [] : [await checkedStore({ store, remedy: SERVER_REMEDY }, async () => (await look(place), []))];
	const whole = path.join(place.folder, file);
	if (!existsSync(whole)) return [];
	return [await checkedStore({ store, file: whole, remedy }, async () => verifyFile(whole))];
}

const SERVER_REMEDY = 'Look at the Postgres server: its log, its disk, the rights of the user in the Engine Storage credential.';

async function checkedStore({ remedy, ...store }: Pick<StoreChecked, 'store' | 'name' | 'file'> & { remedy: string }, look: () => Promise<readonly string[]>): Promise<StoreChecked> {
	const problems = await look().catch((error: unknown) => [messageOf(error)]);
	return { ...store, ok: problems.length === 0, problems, ...(problems.length > 0 && { remedy }) };
}
