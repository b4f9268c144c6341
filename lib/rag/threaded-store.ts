/**
 * The embedded store, worked by two worker threads of this process: one searches, the other indexes, verifies, compacts and copies,
 * so that no search waits for such work. A search of 100,000 passages takes some 16 ms and the first one reads them all, too long for
 * n8n's main loop. Where threads cannot be had, the same store works in line.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { raise } from '../core/errors';
import { ThreadClient } from '../storage/thread-client';
import { type CreateOptions, deleteTheme, openOrCreateStore, openStore, type StorePlace } from './sqlite-store';
import { COMPACT_STEPS, VERIFY_STEPS } from './sqlite-upkeep';
import type {
	DocumentChange,
	DocumentChoice,
	EmbedderIdentity,
	IndexedDocument,
	Passage,
	PassageVector,
	RemoveReport,
	SearchRequest,
	SearchResult,
	StoredDocument,
	ThemeManifest,
	ThemeStore,
	ThemeSummary,
	VerifyReport,
	WholeDocument,
} from './store';
import { inSteps, type Watch } from './upkeep';

/** The rows in memory are given back after so long without a call. */
const SEARCH_IDLE_MS = 10 * 60_000;
/** The other thread keeps nothing. */
const UPKEEP_IDLE_MS = 60_000;
/** Searches make much that lives for a moment: 48 MB of it would stand beside the 43 MB of 100,000 passages, and nothing be faster. */
const YOUNG_MB = 6;

/** Beside this file when built; in dist when this file runs from source. */
const files = [path.join(__dirname, 'store-thread.js'), path.resolve(__dirname, '../../dist/lib/rag/store-thread.js')];
const file = files.find((one) => existsSync(one)) ?? (files[0] as string);

/** What a store is opened for: it decides on the thread. */
export type Purpose = 'search' | 'upkeep';

const threads: Readonly<Record<Purpose, ThreadClient>> = {
	search: new ThreadClient({ file, what: 'knowledge bases', idleMs: SEARCH_IDLE_MS, youngMb: YOUNG_MB }),
	upkeep: new ThreadClient({ file, what: 'upkeep of knowledge bases', idleMs: UPKEEP_IDLE_MS }),
};
let lastHandle = 0;

/** A thread of this process; for tests. */
export function storeThread(purpose: Purpose): ThreadClient {
	return threads[purpose];
}

/** Ends the threads; for a process that ends. */
export async function stopStoreThreads(): Promise<void> {
	await Promise.all(Object.values(threads).map(async (thread) => await thread.stop()));
}

/** As `openStore`, in a thread. */
export async function openThreadedStore(place: StorePlace, purpose: Purpose): Promise<ThemeStore> {
	const thread = threads[purpose];
	return (await thread.start()) ? await new ThreadedStore(thread, place).ready() : openStore(place);
}

/** As `openOrCreateStore`, in the thread for upkeep; `options.now` is read once. */
export async function openOrCreateThreadedStore(place: StorePlace, options: CreateOptions): Promise<ThemeStore> {
	const thread = threads.upkeep;
	if (!(await thread.start())) return openOrCreateStore(place, options);
	return await new ThreadedStore(thread, place, { createdBy: options.createdBy, ...(options.now && { at: options.now() }) }).ready();
}

/** As `deleteTheme`, in the thread that searches, which also forgets what it kept of it. */
export async function deleteThreadedTheme(place: StorePlace): Promise<void> {
	if (await threads.search.start()) await threads.search.call('deleteTheme', [place]);
	else deleteTheme(place);
}

/** An open store of a thread; after a crash of the thread the next call opens it again. */
class ThreadedStore implements ThemeStore {
	private handle = 0;
	private generation = -1;
	private opening: Promise<unknown> | undefined;

	constructor(
		private readonly thread: ThreadClient,
		private readonly place: StorePlace,
		private readonly create?: { readonly createdBy: string; readonly at?: number },
	) {}

	async ready(): Promise<this> {
		await this.open();
		return this;
	}

	async manifest(): Promise<ThemeManifest> {
		return await this.ask('manifest');
	}

	async documents(choice: DocumentChoice): Promise<StoredDocument[]> {
		return await this.ask('documents', choice);
	}

	async put(document: IndexedDocument, embedder: EmbedderIdentity | null): Promise<'added' | 'updated'> {
		return await this.ask('put', document, embedder);
	}

	async change(changes: readonly DocumentChange[]): Promise<{ changed: string[]; unknown: string[] }> {
		return await this.ask('change', changes);
	}

	async remove(ids: readonly string[]): Promise<RemoveReport> {
		return await this.ask('remove', ids);
	}

	async search(request: SearchRequest): Promise<SearchResult> {
		return await this.ask('search', request);
	}

	async passages(refs: readonly number[]): Promise<Passage[]> {
		return await this.ask('passages', refs);
	}

	async neighbours(documentId: string, from: number, to: number): Promise<Passage[]> {
		return await this.ask('neighbours', documentId, from, to);
	}

	async whole(id: string): Promise<WholeDocument | undefined> {
		return await this.ask('whole', id);
	}

	async protect(): Promise<void> {
		await this.ask('protect');
	}

	async passagesToEmbed(embedderId: string, limit: number): Promise<Passage[]> {
		return await this.ask('passagesToEmbed', embedderId, limit);
	}

	async stageVectors(embedder: EmbedderIdentity, vectors: readonly PassageVector[]): Promise<void> {
		await this.ask('stageVectors', embedder, vectors);
	}

	async adoptVectors(embedder: EmbedderIdentity): Promise<boolean> {
		return await this.ask('adoptVectors', embedder);
	}

	async verify(watch?: Watch): Promise<VerifyReport> {
		const problems = await inSteps('Verifying', VERIFY_STEPS, async (at) => await this.ask('verifyStep', at), watch);
		return { ok: problems.length === 0, problems };
	}

	async compact(watch?: Watch): Promise<void> {
		await inSteps('Compacting', COMPACT_STEPS, async (at) => await this.ask('compactStep', at), watch);
	}

	async describe(): Promise<ThemeSummary> {
		return await this.ask('describe');
	}

	async close(): Promise<void> {
		if (this.opening && this.generation === this.thread.generation && this.thread.isRunning) await this.thread.call('close', [this.handle]);
		this.opening = undefined;
	}

	private async open(): Promise<void> {
		if (!this.opening || !this.thread.isRunning || this.generation !== this.thread.generation) {
			this.handle = ++lastHandle;
			this.opening = this.thread.call(this.create ? 'create' : 'open', [this.handle, this.place, ...(this.create ? [this.create] : [])]);
			this.generation = this.thread.generation;
		}
		try {
			await this.opening;
		} catch (error) {
			this.opening = undefined;
			raise(error);
		}
	}

	private async ask<Result>(method: keyof ThemeStore | 'verifyStep' | 'compactStep', ...args: readonly unknown[]): Promise<Result> {
		await this.open();
		return (await this.thread.call(method, [this.handle, ...args])) as Result;
	}
}
