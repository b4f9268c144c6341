import { CodedError } from '../../core/errors';

/** A file as a flow holds it. */
export interface TextFile {
	readonly bytes: Uint8Array;
	readonly mediaType: string;
	readonly name: string;
}

/** What a reader found. */
export interface FileText {
	readonly text: string;
	/** As the file itself says. */
	readonly title?: string;
	/** Positions in `text` where pages begin; absent for files without pages. */
	readonly pageStarts?: readonly number[];
	/** What is missing, for people: pages without text. */
	readonly notes?: readonly string[];
}

const READABLE = /^text\/|[/+](?:json|xml|yaml|csv|markdown|x-ndjson)\b/i;
const READABLE_NAME = /\.(?:txt|md|markdown|csv|tsv|json|jsonl|ndjson|x?html?|log|rst|adoc|xml|ya?ml)$/i;

function decode(bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		// Not UTF-8: older Windows programs write this, and every byte means something in it.
		return new TextDecoder('windows-1252').decode(bytes);
	}
}

/**
 * The text of a text or Markdown file, in UTF-8, UTF-16 with its mark, or Windows-1252.
 *
 * @throws CodedError BAD_INPUT for a file of another kind, naming it
 */
export function readText(file: TextFile): string {
	const text = decode(file.bytes);
	const isText = READABLE.test(file.mediaType) || READABLE_NAME.test(file.name);
	if (isText && !text.includes('\0')) return text;
	throw new CodedError('BAD_INPUT', `"${file.name || 'The file'}" (${file.mediaType || 'unknown type'}) is not a text file`, {
		remedy: 'Turn it into text first, for example with Extract From File or by recognising its characters, and give that text to RAG Index.',
	});
}
