/**
 * Readers: the text of a file, by its kind: text, Markdown, HTML, PDF, DOCX, e-mail, CSV and JSON.
 *
 * Comes in: bytes with a name and a media type. Goes out: text whose headings are Markdown headings, and where its pages begin. The
 * libraries are loaded when a file of their kind comes. A file without text is an error, never an empty document.
 */
import { CodedError, isCodedError, messageOf, raise } from '../../core/errors';
import { readDocx } from './read-docx';
import { readEmail } from './read-email';
import { readHtml } from './read-html';
import { readPdf } from './read-pdf';
import { readCsv, readJson } from './read-rows';
import { type FileText, readText, type TextFile } from './read-text';

type Reader = (file: TextFile) => FileText | Promise<FileText>;

const READERS: ReadonlyArray<readonly [mediaType: RegExp, name: RegExp, read: Reader]> = [
	[/^application\/pdf\b/i, /\.pdf$/i, readPdf],
	[/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml/i, /\.docx$/i, readDocx],
	[/^message\/rfc822\b/i, /\.eml$/i, readEmail],
	[/^(?:text\/html|application\/xhtml)\b/i, /\.x?html?$/i, (file) => readHtml(readText(file))],
	[/^text\/(?:csv|tab-separated-values)\b/i, /\.(?:csv|tsv)$/i, (file) => readCsv(readText(file))],
	[/^application\/(?:json|x-ndjson)\b/i, /\.(?:json|jsonl|ndjson)$/i, (file) => readJson(readText(file))],
];

/**
 * The text of a file.
 *
 * @throws CodedError BAD_INPUT for a kind that is not known, a file that is broken, and one without any text
 */
export async function readFile(file: TextFile): Promise<FileText> {
	const known = READERS.find(([, name]) => name.test(file.name)) ?? READERS.find(([type]) => type.test(file.mediaType));
	const read = known?.[2] ?? ((plain: TextFile): FileText => ({ text: readText(plain) }));
	let found: FileText;
	try {
		found = await read(file);
	} catch (error) {
		raise(isCodedError(error) ? error : brokenFile(file, error));
	}
	if (found.text.trim() !== '') return found;
	throw new CodedError('BAD_INPUT', `"${file.name || 'The file'}" has no text${found.pageStarts ? ` on its ${found.pageStarts.length} pages` : ''}`, {
		remedy: 'If it is scanned, let a node recognise its characters (OCR) and give that text to RAG Index.',
	});
}

function brokenFile(file: TextFile, error: unknown): CodedError {
	return new CodedError('BAD_INPUT', `"${file.name || 'The file'}" cannot be read: ${messageOf(error).slice(0, 200)}`, {
		remedy: 'Open the file to see whether it is whole and not locked by a password.',
		cause: error,
	});
}
