import type { IExecuteFunctions } from 'n8n-workflow';

import { CodedError } from '../../lib/core/errors';
import type { DocumentToIndex } from '../../lib/rag/index-documents';
import { readMetadata } from '../../lib/rag/read-meta';
import { readText } from '../../lib/rag/read-text';

interface TextAndName {
	readonly text: string;
	/** Of the file; '' for text from a field. */
	readonly fileName: string;
}

async function readSource(ctx: IExecuteFunctions, itemIndex: number): Promise<TextAndName> {
	if (ctx.getNodeParameter('from', itemIndex) === 'field') {
		const text = ctx.getNodeParameter('text', itemIndex) as unknown;
		if (typeof text === 'string') return { text, fileName: '' };
		throw new CodedError('BAD_INPUT', `The text of the document is ${text === undefined || text === null ? 'missing' : `a ${typeof text}`}`, {
			remedy: 'Let the field Text give the text of the document, for example {{ $json.body }}.',
		});
	}
	const property = ctx.getNodeParameter('binaryPropertyName', itemIndex) as string;
	const file = ctx.helpers.assertBinaryData(itemIndex, property);
	const bytes = await ctx.helpers.getBinaryDataBuffer(itemIndex, property);
	const fileName = file.fileName ?? '';
	return { text: readText({ bytes, mediaType: file.mimeType, name: fileName }), fileName };
}

/** The document id as the parameter gives it; numbers become text. */
export function readDocumentId(ctx: IExecuteFunctions, itemIndex: number, fallback = ''): string {
	const given = ctx.getNodeParameter('documentId', itemIndex, '') as unknown;
	const id = given === undefined || given === null ? '' : String(given).trim();
	if (id !== '' || fallback !== '') return id || fallback;
	throw new CodedError('BAD_INPUT', 'The document has no ID', {
		remedy: 'Let the field Document ID give something that stays the same for this document, for example {{ $json.path }}.',
	});
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim());

/**
 * Reads the document of an item. The file's name stands in for an id or a title that is not given.
 *
 * @throws CodedError BAD_INPUT for a text that is missing, a file that is no text, an absent id or metadata of a wrong kind
 */
export async function readDocument(ctx: IExecuteFunctions, itemIndex: number): Promise<DocumentToIndex> {
	const { text, fileName } = await readSource(ctx, itemIndex);
	const option = (name: string): unknown => ctx.getNodeParameter(`options.${name}`, itemIndex, '');
	const title = textOf(ctx.getNodeParameter('title', itemIndex, '')) || fileName.replace(/\.[^.]+$/, '');
	const source = textOf(option('source')) || fileName;
	return {
		id: readDocumentId(ctx, itemIndex, fileName),
		text,
		...(title !== '' && { title }),
		...(source !== '' && { source }),
		meta: readMetadata(option('metadata')),
	};
}
