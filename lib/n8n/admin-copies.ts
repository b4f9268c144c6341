import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { MEMORY_BACKUP, memoryLines, restoreMemory } from '../chat/backup-memory';
import { withMemory } from '../chat/open-memory';
import { CodedError } from '../core/errors';
import { readHeader, THEME_BACKUP } from '../rag/backup';
import { listThemes } from '../rag/list-themes';
import { linesInFile, packedFile } from './backup-file';
import { memoryPlace, themePlace, themesPlace } from './storage';
import { backUpTheme, restoreTheme } from './theme-copies';

const FIELD = 'binaryPropertyName';

/** One item for each store that is backed up, with its file. Others may write meanwhile. */
export async function backUp(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const what = ctx.getNodeParameter('what', itemIndex, 'everything') as string;
	const items: INodeExecutionData[] = [];
	for (const name of await themesOf(ctx, itemIndex, what)) {
		const file = await backUpTheme(ctx, await themePlace(ctx, itemIndex, name));
		items.push(backupItem(ctx, itemIndex, { file, backup: { what: 'knowledge base', knowledgeBase: name } }));
	}
	if (what !== 'knowledgeBase') items.push(await memoryItem(ctx, itemIndex));
	return items;
}

async function themesOf(ctx: IExecuteFunctions, itemIndex: number, what: string): Promise<string[]> {
	if (what === 'memory') return [];
	if (what === 'everything') return await listThemes(await themesPlace(ctx, itemIndex));
	return [ctx.getNodeParameter('knowledgeBase', itemIndex) as string];
}

async function memoryItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	return await withMemory(await memoryPlace(ctx, itemIndex), async (store) => {
		const conversations = (await store.list()).length;
		const file = await packedFile(ctx, 'conversation-memory', memoryLines(store, new Date().toISOString()));
		return backupItem(ctx, itemIndex, { file, backup: { what: 'memory', conversations } });
	});
}

function backupItem(ctx: IExecuteFunctions, itemIndex: number, { file, backup }: { file: IBinaryData; backup: IDataObject }): INodeExecutionData {
	const item = ctx.getInputData()[itemIndex];
	const property = ctx.getNodeParameter(FIELD, itemIndex, 'data') as string;
	return {
		json: { ...item?.json, backup: { ...backup, file: file.fileName ?? '', at: new Date().toISOString() } },
		binary: { ...item?.binary, [property]: file },
		pairedItem: { item: itemIndex },
	};
}

/** Restores what the file of an item is a backup of. @throws BAD_INPUT when something is there and may not be replaced */
export async function restore(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const lines = await linesInFile(ctx, itemIndex, ctx.getNodeParameter(FIELD, itemIndex, 'data') as string);
	const first = (await lines.next()).value as string | undefined;
	const replace = ctx.getNodeParameter('replace', itemIndex, false) === true;
	if (kindOf(first) === MEMORY_BACKUP.kind) return { restored: { what: 'memory', ...(await restoreConversations(ctx, itemIndex, { lines: withFirst(first, lines), replace })) } };
	const header = readHeader(first);
	const knowledgeBase = String(ctx.getNodeParameter('into', itemIndex, '') ?? '').trim() || header.theme;
	const report = await restoreTheme(ctx, await themePlace(ctx, itemIndex, knowledgeBase), { header, lines, replace });
	return { restored: { what: 'knowledge base', knowledgeBase, from: header.theme, ...report } };
}

interface Conversations {
	/** The header first. */
	readonly lines: AsyncGenerator<string>;
	readonly replace: boolean;
}

async function restoreConversations(ctx: IExecuteFunctions, itemIndex: number, { lines, replace }: Conversations): Promise<IDataObject> {
	return await withMemory(await memoryPlace(ctx, itemIndex), async (store) => {
		const { length } = await store.list();
		if (length > 0 && !replace) {
			throw new CodedError('BAD_INPUT', `The memory holds ${length} conversations`, { remedy: 'Restore into another storage, or turn on Replace What Is There.' });
		}
		return { ...(await restoreMemory(store, lines)) };
	});
}

async function* withFirst(first: string | undefined, lines: AsyncIterable<string>): AsyncGenerator<string> {
	if (first !== undefined) yield first;
	yield* lines;
}

/** What a first line says the file is; a file of neither kind is refused as one of a knowledge base. */
function kindOf(line: string | undefined): unknown {
	try {
		return (JSON.parse(line ?? '') as { kind?: unknown } | null)?.kind;
	} catch {
		return THEME_BACKUP.kind;
	}
}
