/**
 * Synchronising a source with a knowledge base: what came is added or updated, what is gone is removed, and no accident may wipe it.
 *
 * Something is removed only when the caller says that the list is complete, never for an empty list, and never more than a share of
 * the source. Only documents of the same source (scope) are ever removed.
 */
import { CodedError } from '../core/errors';
import { changeOf, contentHash, type DocumentReport, type DocumentToIndex, indexDocuments, type IndexTools } from './index-documents';

export interface SyncOptions {
	/** Name of the source, not blank. */
	readonly scope: string;
	/** True when `documents` and `unreadableIds` are all that the source holds: only then anything is removed. */
	readonly isComplete: boolean;
	/** Only tells what would be done. */
	readonly dryRun?: boolean;
	/** Share of the source's documents that may be removed at once, 0..1; default 0.2. */
	readonly mostRemoved?: number;
	/** Documents that are there but could not be read: their older version stays. */
	readonly unreadableIds?: readonly string[];
}

export interface SyncReport {
	readonly reports: readonly DocumentReport[];
	readonly removed: readonly string[];
	/** Why nothing was removed, when it could have been. */
	readonly note?: string;
}

const USUAL_SHARE = 0.2;

async function goneIds(documents: readonly DocumentToIndex[], tools: IndexTools, options: SyncOptions): Promise<string[]> {
	const listed = new Set([...documents.map(({ id }) => id), ...(options.unreadableIds ?? [])]);
	const stored = await tools.store.documents({ scope: options.scope });
	const gone = stored.map(({ id }) => id).filter((id) => !listed.has(id));
	const most = options.mostRemoved ?? USUAL_SHARE;
	if (!options.isComplete || listed.size === 0 || gone.length <= most * stored.length) return gone;
	throw new CodedError(
		'BAD_INPUT',
		`Synchronising "${options.scope}" would remove ${gone.length} of its ${stored.length} documents, more than ${Math.round(most * 100)} %`,
		{ remedy: 'Check that the source was listed completely; if it is right, raise Remove at Most for this run. Nothing was changed.' },
	);
}

async function foretell(documents: readonly DocumentToIndex[], tools: IndexTools): Promise<DocumentReport[]> {
	const stored = new Map((await tools.store.documents({ ids: documents.map(({ id }) => id) })).map((one) => [one.id, one]));
	return documents.map((document): DocumentReport => {
		const { id } = document;
		const before = stored.get(id);
		if (!before) return { id, outcome: 'added', chunks: 0 };
		if (before.hash !== contentHash(document, tools.split, tools.embedder)) return { id, outcome: 'updated', chunks: 0 };
		return { id, outcome: changeOf(before, document) ? 'changed' : 'unchanged', chunks: before.chunks };
	});
}

/**
 * Brings the documents of one source up to date. Removing comes last: a run that is cancelled has removed nothing.
 *
 * @throws CodedError BAD_INPUT when too much would be removed (nothing is changed then), for a blank scope, and what indexing throws
 */
export async function syncDocuments(given: readonly DocumentToIndex[], tools: IndexTools, options: SyncOptions): Promise<SyncReport> {
	const scope = options.scope.trim();
	if (scope === '') {
		throw new CodedError('BAD_INPUT', 'The source to synchronise has no name', { remedy: 'Give it one, for example "sharepoint/procedures".' });
	}
	const documents = given.map((document) => ({ ...document, scope }));
	const gone = await goneIds(documents, tools, { ...options, scope });
	const reports = options.dryRun ? await foretell(documents, tools) : await indexDocuments(documents, tools);
	const isEmpty = documents.length === 0 && (options.unreadableIds ?? []).length === 0;
	if (gone.length === 0 || !options.isComplete || isEmpty) {
		const why = isEmpty ? 'the list is empty' : 'the list is not said to be complete';
		return { reports, removed: [], ...(gone.length > 0 && { note: `${gone.length} documents are not in the list; none was removed, because ${why}.` }) };
	}
	if (!options.dryRun) await tools.store.remove(gone);
	return { reports, removed: gone };
}
