import type { Hit, Meta } from '../core/document';

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (json: Json, ...keys: readonly string[]): string | undefined =>
	keys.map((key) => json[key]).find((value): value is string => typeof value === 'string' && value !== '');

function readOne(value: unknown, position: number): Hit[] {
	if (typeof value === 'string') return readOne({ text: value }, position);
	if (!isRecord(value)) return [];
	// n8n's vector stores give `{document: {pageContent, metadata}, score}`.
	if (isRecord(value.document)) return readOne({ score: value.score, ...value.document }, position);
	const text = textIn(value, 'text', 'pageContent', 'content');
	if (text === undefined) return [];
	const meta = isRecord(value.meta) ? value.meta : isRecord(value.metadata) ? value.metadata : {};
	const id = textIn(value, 'id') ?? textIn(meta, 'id') ?? `${position + 1}`;
	const title = textIn(value, 'title') ?? textIn(meta, 'title');
	const source = textIn(value, 'source') ?? textIn(meta, 'source');
	const section = textIn(value, 'section');
	return [
		{
			id,
			documentId: textIn(value, 'documentId') ?? textIn(meta, 'documentId') ?? id,
			text,
			...(title !== undefined && { title }),
			...(source !== undefined && { source }),
			...(section !== undefined && { section }),
			meta: meta as Meta,
			score: typeof value.score === 'number' ? value.score : 0,
			...(isRecord(value.scores) && { scores: value.scores as Record<string, number> }),
		},
	];
}

/**
 * Reads passages as flows give them: ours, LangChain's `{pageContent, metadata}`, n8n's `{document, score}`, or plain texts.
 *
 * Metadata is kept as it is. Entries without text are left out; anything but a list gives []. A passage without an id is named by
 * its place, from 1.
 */
export function readPassages(value: unknown): Hit[] {
	return Array.isArray(value) ? value.flatMap(readOne) : [];
}

/** Reads a conversation: a list of texts or of messages with `content` or `text`, or one text. Oldest first; else []. */
export function readHistory(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value];
	if (!Array.isArray(value)) return [];
	return value.flatMap((turn) => {
		if (typeof turn === 'string') return [turn];
		return isRecord(turn) ? (textIn(turn, 'content', 'text', 'message') ?? []) : [];
	});
}
