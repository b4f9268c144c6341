/**
 * Synchronising a source with a knowledge base: what came is added or updated, what is gone is removed, and no accident may wipe it.
 *
 * Something is removed only when the caller says that the list is complete, never for an empty list, and never more than a share of
 * the source. Only documents of the same source (scope) are ever removed.
 */
import { CodedError } from '../core/errors';
import { changeOf, contentHash, type DocumentList, type DocumentReport, type DocumentToIndex, indexDocuments, type IndexTools } from './index-documents';

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

/** What a source holds: its ids, known before its documents are read, and the documents that can be read, one after the other. */
export interface SourceList {
	readonly ids: readonly string[];
	readonly documents: DocumentList;
}

async function goneIds(ids: readonly string[], tools: IndexTools, options: SyncOptions): Promise<string[]> {
	const listed = new Set([...ids, ...(options.unreadableIds ?? [])]);
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

async function foretell(documents: DocumentList, tools: IndexTools): Promise<DocumentReport[]> {
	const reports: DocumentReport[] = [];
	for await (const document of documents) {
		const { id } = document;
		const [before] = await tools.store.documents({ ids: [id] });
		if (!before) reports.push({ id, outcome: 'added', chunks: 0 });
		else if (before.hash !== contentHash(document, tools.split)) reports.push({ id, outcome: 'updated', chunks: 0 });
		else reports.push({ id, outcome: changeOf(before, document) ? 'changed' : 'unchanged', chunks: before.chunks });
	}
	return reports;
}

async function* inScope(documents: DocumentList, scope: string): AsyncGenerator<DocumentToIndex> {
	for await (const document of documents) yield { ...document, scope };
}

/**
 * Brings the documents of one source up to date. Removing comes last: a run that is cancelled has removed nothing.
 *
 * @throws CodedError BAD_INPUT when too much would be removed (nothing is changed then), for a blank scope, and what indexing throws
 */
export async function syncDocuments(given: readonly DocumentToIndex[] | SourceList, tools: IndexTools, options: SyncOptions): Promise<SyncReport> {
	const scope = options.scope.trim();
	if (scope === '') {
		throw new CodedError('BAD_INPUT', 'The source to synchronise has no name', { remedy: 'Give it one, for example "sharepoint/procedures".' });
	}
	const list: SourceList = 'ids' in given ? given : { ids: given.map(({ id }) => id), documents: given };
	const gone = await goneIds(list.ids, tools, { ...options, scope });
	const documents = inScope(list.documents, scope);
	const reports = options.dryRun ? await foretell(documents, tools) : await indexDocuments(documents, tools);
	const isEmpty = list.ids.length === 0 && (options.unreadableIds ?? []).length === 0;
	if (gone.length === 0 || !options.isComplete || isEmpty) {
		const why = isEmpty ? 'the list is empty' : 'the list is not said to be complete';
		return { reports, removed: [], ...(gone.length > 0 && { note: `${gone.length} documents are not in the list; none was removed, because ${why}.` }) };
	}
	if (!options.dryRun) await tools.store.remove(gone);
	return { reports, removed: gone };
}
