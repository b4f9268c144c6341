/** Encoders that were made for English alone, by their names on the hubs. */
const ENGLISH_ONLY =
	/all-minilm|all-mpnet|all-distilroberta|multi-qa-|msmarco-|bge-(?:small|base|large)-en|\/(?:gte|e5)-(?:small|base|large)|nomic-embed-text(?!-v2)|mxbai-embed-large|arctic-embed-(?:xs|s|m|l)(?:@|$)/i;

/** True when an encoder is known, by its id, to read English only: of a text in another language its vectors say less than the words do. */
export function readsEnglishOnly(embedderId: string): boolean {
	return ENGLISH_ONLY.test(embedderId);
}
