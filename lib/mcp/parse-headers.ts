import { CodedError } from '../core/errors';
import { readJson } from './read-json';

/**
 * Reads HTTP headers from one field: a JSON object, or `Name: value` on a line each. Blank lines are skipped; '' gives {}.
 *
 * @throws CodedError BAD_INPUT that never shows a value, since it may be a secret
 */
export function parseHeaders(text: string): Record<string, string> {
	const pairs = text.trim().startsWith('{') ? jsonPairs(text) : linePairs(text);
	for (const [name, value] of pairs) {
		if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !/[\r\n\0]/.test(value)) continue;
		throw new CodedError('BAD_INPUT', `The header "${name.slice(0, 40)}" is not an HTTP header.`, { remedy: 'Write "Name: value".' });
	}
	return Object.fromEntries(pairs);
}

function linePairs(text: string): [string, string][] {
	return text
		.split('\n')
		.filter((line) => line.trim() !== '')
		.map((line, index) => {
			const colon = line.indexOf(':');
			if (colon > 0) return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
			throw new CodedError('BAD_INPUT', `Line ${index + 1} of the headers has no colon.`, { remedy: 'Write "Name: value" on each line.' });
		});
}

function jsonPairs(text: string): [string, string][] {
	const value = readJson(text);
	if (value !== undefined) return Object.entries(value as object).map(([name, entry]) => [name, String(entry)]);
	throw new CodedError('BAD_INPUT', 'The headers begin with { but are not JSON.', { remedy: 'Write "Name: value" on each line.' });
}
