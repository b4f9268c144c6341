import { shorten } from './markdown';

const MAX_QUOTE = 320;

/** A document with the passages of it that were given. */
export interface SourceDocument {
	readonly title: string;
	/** '' where the title says it. */
	readonly file: string;
	readonly texts: string[];
}

/** Passages by document, each document once. */
export function passagesOf(documents: readonly unknown[]): SourceDocument[] {
	const found = new Map<string, SourceDocument>();
	for (const document of documents) {
		const { title, source, documentId, text } = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>;
		const [first, second] = [title, source, documentId].filter((part): part is string => typeof part === 'string' && part !== '');
		if (first === undefined) continue;
		const file = second === undefined || second === first ? '' : second;
		const known = found.get(`${first}\n${file}`) ?? { title: first, file, texts: [] };
		if (typeof text === 'string' && text !== '') known.texts.push(shorten(text, MAX_QUOTE));
		found.set(`${first}\n${file}`, known);
	}
	return [...found.values()];
}
