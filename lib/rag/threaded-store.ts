/**
 * The embedded store, worked by one worker thread of this process: a search of 100,000 passages takes some 16 ms and the first one
 * reads them all, too long for n8n's main loop. Where threads cannot be had, the same store works in line.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { raise } from '../core/errors';
import { ThreadClient } from '../storage/thread-client';
import { type CreateOptions, deleteTheme, openOrCreateStore, openStore, type StorePlace } from './sqlite-store';
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

/** The rows in memory are given back after so long without a call. */
const IDLE_MS = 10 * 60_000;
/** Searches make much that lives for a moment: 48 MB of it would stand beside the 43 MB of 100,000 passages, and nothing be faster. */
const YOUNG_MB = 6;

/** Beside this file when built; in dist when this file runs from source. */
const files = [path.join(__dirname, 'store-thread.js'), path.resolve(__dirname, '../../dist/lib/rag/store-thread.js')];
const thread = new ThreadClient({
	file: files.find((file) => existsSync(file)) ?? (files[0] as string),
	what: 'knowledge bases',
	idleMs: IDLE_MS,
	youngMb: YOUNG_MB,
});
let lastHandle = 0;

/** The thread of this process; for tests and for a process that ends. */
export function storeThread(): ThreadClient {
	return thread;
}

/** As `openStore`, in the thread. */
export async function openThreadedStore(place: StorePlace): Promise<ThemeStore> {
	return (await thread.start()) ? await new ThreadedStore(place).ready() : openStore(place);
}

/** As `openOrCreateStore`, in the thread; `options.now` is read once. */
export async function openOrCreateThreadedStore(place: StorePlace, options: CreateOptions): Promise<ThemeStore> {
	if (!(await thread.start())) return openOrCreateStore(place, options);
	return await new ThreadedStore(place, { createdBy: options.createdBy, ...(options.now && { at: options.now() }) }).ready();
}

/** As `deleteTheme`, in the thread, which also forgets what it kept of it. */
export async function deleteThreadedTheme(place: StorePlace): Promise<void> {
	if (await thread.start()) await thread.call('deleteTheme', [place]);
	else deleteTheme(place);
}

/** An open store of the thread; after a crash of the thread the next call opens it again. */
class ThreadedStore implements ThemeStore {
	private handle = 0;
	private generation = -1;
	private opening: Promise<unknown> | undefined;

	constructor(
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

	async verify(): Promise<VerifyReport> {
		return await this.ask('verify');
	}

	async compact(): Promise<void> {
		await this.ask('compact');
	}

	async describe(): Promise<ThemeSummary> {
		return await this.ask('describe');
	}

	async close(): Promise<void> {
		if (this.opening && this.generation === thread.generation && thread.isRunning) await thread.call('close', [this.handle]);
		this.opening = undefined;
	}

	private async open(): Promise<void> {
		if (!this.opening || !thread.isRunning || this.generation !== thread.generation) {
			this.handle = ++lastHandle;
			this.opening = thread.call(this.create ? 'create' : 'open', [this.handle, this.place, ...(this.create ? [this.create] : [])]);
			this.generation = thread.generation;
		}
		try {
			await this.opening;
		} catch (error) {
			this.opening = undefined;
			raise(error);
		}
	}

	private async ask<Result>(method: keyof ThemeStore, ...args: readonly unknown[]): Promise<Result> {
		await this.open();
		return (await thread.call(method, [this.handle, ...args])) as Result;
	}
}
