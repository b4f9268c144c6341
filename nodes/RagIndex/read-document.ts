import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CodedError, isCodedError, messageOf, raise } from '../../lib/core/errors';
import { listFolder } from '../../lib/n8n/read-folder';
import type { DocumentToIndex } from '../../lib/rag/index-documents';
import { readMetadata } from '../../lib/rag/read-meta';
import { readFile } from '../../lib/rag/readers/read-file';
import type { FileText, TextFile } from '../../lib/rag/readers/read-text';
import { readNames, rightsTokens } from '../../lib/rag/rights';

/** A document that was read, or why it could not be. */
export type Found =
	| { readonly document: DocumentToIndex; readonly notes: readonly string[] }
	| { readonly documentId: string; readonly reason: string };

/** A document that is known to be there and not read yet. */
export interface Listed {
	readonly documentId: string;
	read(): Promise<Found>;
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim());

/** The document id as the parameter gives it; numbers become text. */
export function readDocumentId(ctx: IExecuteFunctions, itemIndex: number, fallback = ''): string {
	const id = textOf(ctx.getNodeParameter('documentId', itemIndex, ''));
	if (id !== '' || fallback !== '') return id || fallback;
	throw new CodedError('BAD_INPUT', 'The document has no ID', {
		remedy: 'Let the field Document ID give something that stays the same for this document, for example {{ $json.path }}.',
	});
}

function optionsOf(ctx: IExecuteFunctions, itemIndex: number): IDataObject {
	return ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
}

/**
 * The access tokens that the item gives its document; undefined when the node has no field for rights, so that rights which the
 * document has are kept. A field that gives nothing is an answer: nobody.
 */
export function readRights(options: IDataObject): string[] | undefined {
	if (!('users' in options) && !('groups' in options) && !('everyone' in options)) return undefined;
	const { users, groups, everyone } = options;
	return rightsTokens({ users: readNames(users, 'users'), groups: readNames(groups, 'groups'), everyone: everyone === true || everyone === 'true' });
}

/** A file of a folder is known by its path in it. */
function idOf(ctx: IExecuteFunctions, itemIndex: number, fileName: string): string {
	return ctx.getNodeParameter('from', itemIndex) === 'folder' ? fileName : readDocumentId(ctx, itemIndex, fileName);
}

function documentOf(ctx: IExecuteFunctions, itemIndex: number, found: FileText, fileName: string): DocumentToIndex {
	const options = optionsOf(ctx, itemIndex);
	const isFolder = ctx.getNodeParameter('from', itemIndex) === 'folder';
	const given = (name: string): string => (isFolder ? '' : textOf(ctx.getNodeParameter(name, itemIndex, '')));
	const shortName = fileName.split('/').at(-1) ?? '';
	const title = given('title') || found.title || shortName.replace(/\.[^.]+$/, '');
	const source = (isFolder ? '' : textOf(options.source)) || fileName;
	const acl = readRights(options);
	return {
		id: idOf(ctx, itemIndex, fileName),
		text: found.text,
		...(title !== '' && { title }),
		...(source !== '' && { source }),
		meta: readMetadata(options.metadata),
		...(acl && { acl }),
		...(found.pageStarts && { pageStarts: found.pageStarts }),
	};
}

async function fromFile(ctx: IExecuteFunctions, itemIndex: number, name: string, load: () => Promise<TextFile>): Promise<Found> {
	let found: FileText;
	ctx.getExecutionCancelSignal()?.throwIfAborted();
	try {
		found = await readFile(await load());
	} catch (error) {
		if (!isCodedError(error) || error.code !== 'BAD_INPUT') raise(error);
		return { documentId: idOf(ctx, itemIndex, name), reason: messageOf(error) };
	}
	return { document: documentOf(ctx, itemIndex, found, name), notes: found.notes ?? [] };
}

function fromField(ctx: IExecuteFunctions, itemIndex: number): Found {
	const text = ctx.getNodeParameter('text', itemIndex) as unknown;
	if (typeof text === 'string') return { document: documentOf(ctx, itemIndex, { text }, ''), notes: [] };
	throw new CodedError('BAD_INPUT', `The text of the document is ${text === undefined || text === null ? 'missing' : `a ${typeof text}`}`, {
		remedy: 'Let the field Text give the text of the document, for example {{ $json.body }}.',
	});
}

async function fromFolder(ctx: IExecuteFunctions, itemIndex: number): Promise<Listed[]> {
	return (await listFolder(ctx, String(ctx.getNodeParameter('folder', itemIndex)))).map(({ name, read }) => ({
		documentId: name,
		read: async () => await fromFile(ctx, itemIndex, name, async () => ({ bytes: await read(), mediaType: '', name })),
	}));
}

/**
 * Lists the documents of an item: one from a field or a file, all of a folder; files are read when their turn comes. A file's name
 * stands in for an id or a title that is not given. Files without readable text are told, not thrown.
 *
 * @throws CodedError BAD_INPUT for a text that is missing, an absent id, metadata or rights of a wrong kind, a folder that is forbidden
 */
export async function listDocumentsOf(ctx: IExecuteFunctions, itemIndex: number): Promise<Listed[]> {
	const from = ctx.getNodeParameter('from', itemIndex);
	if (from === 'field') {
		const found = fromField(ctx, itemIndex);
		return [{ documentId: 'document' in found ? found.document.id : found.documentId, read: async () => found }];
	}
	if (from === 'folder') return await fromFolder(ctx, itemIndex);
	const property = ctx.getNodeParameter('binaryPropertyName', itemIndex) as string;
	const { fileName = '', mimeType } = ctx.helpers.assertBinaryData(itemIndex, property);
	const load = async () => ({ bytes: await ctx.helpers.getBinaryDataBuffer(itemIndex, property), mediaType: mimeType, name: fileName });
	return [{ documentId: idOf(ctx, itemIndex, fileName), read: async () => await fromFile(ctx, itemIndex, fileName, load) }];
}
