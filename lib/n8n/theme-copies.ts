import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { backupLines, restoreLines, type BackupHeader, type RestoreReport } from '../rag/backup';
import { openOrCreateTheme, openTheme, type ThemePlace } from '../rag/open-theme';
import { packedFile } from './backup-file';
import { watchOf } from './watch';

/** A file of everything in a knowledge base: texts, vectors and rights. Throws BAD_INPUT when there is none of that name. */
export async function backUpTheme(ctx: IExecuteFunctions, place: ThemePlace): Promise<IBinaryData> {
	const store = await openTheme(place);
	try {
		return await packedFile(ctx, place.theme, backupLines(store, watchOf(ctx)));
	} finally {
		await store.close();
	}
}

export interface ThemeBackup {
	readonly header: BackupHeader;
	/** Those behind the header. */
	readonly lines: AsyncIterable<string>;
	/** What the knowledge base holds may be replaced. */
	readonly replace: boolean;
}

/** Restores into a knowledge base that is new or empty, or in place of what one holds. @throws BAD_INPUT when it holds documents */
export async function restoreTheme(ctx: IExecuteFunctions, place: ThemePlace, { header, lines, replace }: ThemeBackup): Promise<RestoreReport> {
	const store = await openOrCreateTheme(place, { createdBy: ctx.getWorkflow().name ?? 'a workflow' });
	try {
		const { documents } = await store.describe();
		if (documents > 0 && !replace) {
			throw new CodedError('BAD_INPUT', `The knowledge base "${place.theme}" holds ${documents} documents`, {
				remedy: 'Restore into another name, or turn on Replace What Is There.',
			});
		}
		return await restoreLines(store, header, lines, watchOf(ctx));
	} finally {
		await store.close();
	}
}
