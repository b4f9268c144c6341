import type { JsonSchema } from '../core/model';
import type { Tool } from '../core/tool';
import { validateInput } from '../shape/validate-input';
import type { Language } from '../text/language';
import { findJson, isCutOff, parseTolerant } from '../text/tolerant-json';
import { blockedCallIn } from './corrections';

/** A call that may run, or the observation that tells the model why it may not. */
export type PreparedCall =
	| { readonly ok: true; readonly name: string; readonly input: Record<string, unknown> }
	| { readonly ok: false; readonly message: string };

/** A call as the model wrote it. */
export interface WrittenCall {
	readonly name: string;
	readonly argumentsText: string;
}

type Words = ReturnType<typeof blockedCallIn>;

const SHOWN_CHARACTERS = 200;

/**
 * Finds the tool and checks the arguments that the model wrote.
 *
 * The message of a blocked call names the closest tools, or the path that failed with the tool's full description: until
 * then the model has seen only its intent.
 */
export function prepareCall(
	tools: readonly Tool[],
	{ name, argumentsText }: WrittenCall,
	language: Language,
): PreparedCall {
	const words = blockedCallIn(language);
	const tool = toolFor(tools, name);
	if (!tool) return { ok: false, message: unknownTool(name, tools, words) };
	const read = readArguments(argumentsText, tool.inputSchema, words);
	if (!read.ok) return { ok: false, message: words.notMade(read.message, tool) };
	const checked = validateInput(tool.inputSchema, read.value);
	return checked.ok ? { ok: true, name: tool.name, input: checked.value } : { ok: false, message: words.notMade(checked.message, tool) };
}

/** By exact name, else by the only name that differs in case and separators (`Stock-Lookup` for `stock_lookup`). */
function toolFor(tools: readonly Tool[], name: string): Tool | undefined {
	const exact = tools.find((candidate) => candidate.name === name);
	if (exact) return exact;
	const plain = plainName(name);
	const alike = plain === '' ? [] : tools.filter((candidate) => plainName(candidate.name) === plain);
	return alike.length === 1 ? alike[0] : undefined;
}

function plainName(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

type ReadArguments = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** JSON in any form the model wrote; plain text only where the tool takes exactly one text argument; nothing as {}. */
function readArguments(argumentsText: string, schema: JsonSchema, words: Words): ReadArguments {
	const text = argumentsText.trim();
	if (text === '') return { ok: true, value: {} };
	if (!/[{[]/.test(text.charAt(0)) && !text.startsWith('```')) return readPlainText(text, schema, words);
	const value = parseTolerant(text);
	const begin = text.slice(0, SHOWN_CHARACTERS);
	if (isGlued(text)) return { ok: false, message: words.oneObject(begin) };
	if (value !== undefined) return { ok: true, value };
	return { ok: false, message: isCutOff(text) ? words.argumentsCut(begin) : words.argumentsUnreadable(begin) };
}

/** Two calls that a model or a server wrote into one: taking the first would drop the second without a word. */
function isGlued(text: string): boolean {
	const first = findJson(text);
	const rest = first ? text.slice(first.end) : '';
	return /^[\s,;]*[{[]/.test(rest) && findJson(rest) !== undefined;
}

function readPlainText(text: string, schema: JsonSchema, words: Words): ReadArguments {
	const properties = Object.entries((schema.properties ?? {}) as Record<string, { type?: unknown }>);
	const [only] = properties;
	const oneText = properties.length === 1 && only?.[1].type === 'string';
	const looksNamed = only !== undefined && new RegExp(`^\\W*${escaped(only[0])}\\W*[=:]`, 'i').test(text);
	if (oneText && !looksNamed) return { ok: true, value: { [only[0]]: text } };
	return { ok: false, message: words.oneObject(text.slice(0, SHOWN_CHARACTERS)) };
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const LISTED = 12;
const LONGEST_NAME = 100;

function unknownTool(name: string, tools: readonly Tool[], words: Words): string {
	if (tools.length === 0) return words.noTools(name.slice(0, LONGEST_NAME));
	const said = name.slice(0, LONGEST_NAME);
	const byDistance = tools.map((tool) => ({ name: tool.name, far: distance(said, tool.name) })).sort((a, b) => a.far - b.far);
	const names = byDistance.map((one) => one.name);
	return words.unknownTool(said, names.slice(0, LISTED));
}

/** Share of letter pairs that two names do not have in common (Dice), 0 for equal names. */
function distance(a: string, b: string): number {
	const [pairsA, pairsB] = [pairsOf(a), pairsOf(b)];
	const common = [...pairsA].filter((pair) => pairsB.has(pair)).length;
	return 1 - (2 * common) / Math.max(1, pairsA.size + pairsB.size);
}

function pairsOf(name: string): Set<string> {
	const letters = ` ${name.toLowerCase()} `;
	return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)));
}
