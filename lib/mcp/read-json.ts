/** The value of a JSON text, or undefined when it is none (JSON has no undefined). Never throws, never quotes the text. */
export function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The parser's own message would quote the text, which may hold a secret.
		return undefined;
	}
}
