import type { Hit, Meta } from '../core/document';
import { parseTolerant } from '../text/tolerant-json';

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (json: Json, ...keys: readonly string[]): string | undefined =>
	keys.map((key) => json[key]).find((value): value is string => typeof value === 'string' && value !== '');
const numberIn = (json: Json, key: string): number | undefined => (typeof json[key] === 'number' ? json[key] : undefined);

/** Only what is there, since `undefined` is not a value of these fields. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function readOne(value: unknown, position: number): Hit[] {
	if (typeof value === 'string') return readOne({ text: value }, position);
	if (!isRecord(value)) return [];
	// n8n's vector stores give `{document: {pageContent, metadata}, score}`.
	if (isRecord(value.document)) return readOne({ score: value.score, ...value.document }, position);
	const text = textIn(value, 'text', 'pageContent', 'content');
	if (text === undefined) return [];
	const meta = isRecord(value.meta) ? value.meta : isRecord(value.metadata) ? value.metadata : {};
	const id = textIn(value, 'id') ?? textIn(meta, 'id') ?? `${position + 1}`;
	return [
		{
			id,
			documentId: textIn(value, 'documentId') ?? textIn(meta, 'documentId') ?? id,
			text,
			...present({
				title: textIn(value, 'title') ?? textIn(meta, 'title'),
				source: textIn(value, 'source') ?? textIn(meta, 'source'),
				section: textIn(value, 'section'),
				page: numberIn(value, 'page'),
				start: numberIn(value, 'start'),
				end: numberIn(value, 'end'),
				scores: isRecord(value.scores) ? (value.scores as Record<string, number>) : undefined,
			}),
			meta: meta as Meta,
			score: numberIn(value, 'score') ?? 0,
		},
	];
}

/**
 * Reads passages as flows give them: ours, LangChain's `{pageContent, metadata}`, n8n's `{document, score}`, plain texts, or such a list
 * as JSON text; other text is one passage.
 *
 * Metadata is kept as it is. Entries without text are left out; anything else gives []. A passage without an id is named by its
 * place, from 1. `context` (the passages around) is not taken over: it would carry back what is left out.
 */
export function readPassages(value: unknown): Hit[] {
	if (typeof value === 'string') {
		const read = /^\s*\[\s*[{"\]]/.test(value) ? parseTolerant(value) : undefined;
		return Array.isArray(read) ? read.flatMap(readOne) : readOne(value, 0);
	}
	return Array.isArray(value) ? value.flatMap(readOne) : [];
}

/** Reads a conversation: a list of texts or of messages with `content` or `text` (also as JSON text), or one text. Oldest first; else []. */
export function readHistory(value: unknown): string[] {
	if (typeof value === 'string') {
		const read = /^\s*\[\s*[{"\]]/.test(value) ? parseTolerant(value) : undefined;
		if (Array.isArray(read)) return readHistory(read);
		return value.trim() === '' ? [] : [value];
	}
	if (!Array.isArray(value)) return [];
	return value.flatMap((turn) => {
		if (typeof turn === 'string') return [turn];
		return isRecord(turn) ? (textIn(turn, 'content', 'text', 'message') ?? []) : [];
	});
}
