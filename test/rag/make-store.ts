import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Embedder } from '../../lib/core/document';
import { type DocumentToIndex, indexDocuments } from '../../lib/rag/index-documents';
import { retrieve, type RetrieveOptions } from '../../lib/rag/retrieve';
import { openOrCreateStore } from '../../lib/rag/sqlite-store';
import type { ThemeStore } from '../../lib/rag/store';

/** Temporary knowledge bases of one test file; `clean` closes and removes them. */
export function storeBench() {
	const folder = mkdtempSync(path.join(tmpdir(), 'rag-test-'));
	const open: ThemeStore[] = [];
	return {
		folder,
		store(theme = 'test'): ThemeStore {
			const store = openOrCreateStore({ folder, theme }, { createdBy: 'test', now: () => 1_700_000_000_000 });
			open.push(store);
			return store;
		},
		async clean(): Promise<void> {
			for (const store of open) await store.close();
			rmSync(folder, { recursive: true });
		},
	};
}

/** Indexes texts under the ids `d0`, `d1`… or whole documents. */
export function add(store: ThemeStore, documents: readonly (string | DocumentToIndex)[], embedder?: Embedder) {
	const asDocuments = documents.map((document, n) => (typeof document === 'string' ? { id: `d${n}`, text: document } : document));
	return indexDocuments(asDocuments, { store, ...(embedder && { embedder }) });
}

/** Document ids found for a query, best first. */
export async function find(
	store: ThemeStore,
	query: string,
	options: Partial<RetrieveOptions> & { embedder?: Embedder } = {},
): Promise<string[]> {
	const { embedder, ...rest } = options;
	const { hits } = await retrieve({ query, topK: 10, ...rest }, { store, ...(embedder && { embedder }) });
	return hits.map((hit) => hit.documentId);
}
