const CHARACTERS_PER_TOKEN = 3.5;

/**
 * An estimate of the tokens that a text costs: characters ÷ 3.5, rounded up; '' costs 0.
 *
 * Measured on French and English prose with o200k, cl100k and Mistral's tokenizer it lies within about 25 % of the real count.
 * Budgets that must not be passed use the usage that the provider reports.
 */
export function estimateTokens(text: string): number {
	return tokensFor(text.length);
}

/** The same of a number of characters. */
export function tokensFor(characters: number): number {
	return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
