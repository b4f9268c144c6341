import { CodedError } from '../core/errors';
import { readJson } from './read-json';

/**
 * Reads environment variables from one field: a JSON object, or `NAME=value` pairs on one or several lines.
 *
 * Quotes keep spaces (`PW="a b=c"`), a backslash keeps a quote inside double quotes; a value runs to the next space outside
 * of quotes. Lines that begin with # and the word `export` are skipped. '' gives {}.
 *
 * @throws CodedError BAD_INPUT that names the variable at fault, never its value
 */
export function parseEnv(text: string): Record<string, string> {
	if (text.trim().startsWith('{')) return parseEnvJson(text);
	const lines = text.split('\n').filter((line) => !line.trim().startsWith('#'));
	const words = splitWords(lines.join('\n')).filter((word) => word !== 'export');
	return Object.fromEntries(words.map(pairOf));
}

/**
 * Splits a command line into words like a shell does, without running one: quotes and backslashes only; no variables, no
 * patterns. '' gives [].
 *
 * @throws CodedError BAD_INPUT when a quote is not closed
 */
export function splitWords(text: string): string[] {
	const words: string[] = [];
	let word: string | undefined;
	let quote = '';
	for (let position = 0; position < text.length; position++) {
		const sign = text[position] ?? '';
		const next = text[position + 1] ?? '';
		if (quote !== '') {
			if (sign === quote) quote = '';
			else if (sign === '\\' && quote === '"' && (next === '"' || next === '\\')) word += text[++position] ?? '';
			else word += sign;
		} else if (sign === '"' || sign === "'") {
			quote = sign;
			word ??= '';
		} else if (/\s/.test(sign)) {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else if (sign === '\\' && /[\s"'\\]/.test(next)) {
			word = (word ?? '') + next;
			position += 1;
		} else word = (word ?? '') + sign;
	}
	if (quote !== '') throw new CodedError('BAD_INPUT', `A ${quote} is opened and never closed.`, { remedy: 'Close the quote.' });
	return word === undefined ? words : [...words, word];
}

function parseEnvJson(text: string): Record<string, string> {
	const value = readJson(text);
	if (value === undefined) {
		throw new CodedError('BAD_INPUT', 'The environment variables begin with { but are not JSON.', {
			remedy: 'Write {"NAME": "value"} or NAME=value.',
		});
	}
	return Object.fromEntries(Object.entries(value as object).map(([name, entry]) => [checkedName(name), textOf(name, entry)]));
}

function textOf(name: string, value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw new CodedError('BAD_INPUT', `The environment variable ${name} is not text.`, { remedy: 'Put its value in quotes.' });
}

function pairOf(word: string): [string, string] {
	const split = word.indexOf('=');
	if (split > 0) return [checkedName(word.slice(0, split)), word.slice(split + 1)];
	throw new CodedError('BAD_INPUT', 'An environment variable has no "=".', {
		remedy: 'Write NAME=value, with quotes around a value that has spaces: NAME="a b".',
	});
}

function checkedName(name: string): string {
	if (/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)) return name;
	throw new CodedError('BAD_INPUT', `"${name.slice(0, 40)}" is not the name of an environment variable.`);
}
