import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { parseTolerant } from '../text/tolerant-json';

/** What a builder says of one tool. */
export interface IntentEntry {
	/** One line: what the tool is for in the business. '' keeps the tool's own. */
	readonly intent: string;
	readonly tags: readonly string[];
	/** Questions as users would ask them. */
	readonly examples: readonly string[];
}

/** Tool name → what it is for. Names are those that the model sees, or the tools' original ones. */
export type IntentMap = ReadonlyMap<string, IntentEntry>;

/** A tool with the questions it should answer. */
export interface RoutableTool extends Tool {
	readonly examples?: readonly string[];
}

/**
 * Reads an IntentMap: rows of a table `[{tool, intent, tags, examples}]`, or an object `{tool: "intent"}` or
 * `{tool: {intent, tags, examples}}`, or either as JSON text. Tags and examples may be lists, or text: tags with commas between,
 * one example a line. Nothing or a blank text gives an empty map; a later row of the same tool wins.
 *
 * @throws CodedError BAD_INPUT when it has another form
 */
export function readIntentMap(value: unknown): IntentMap {
	if (value === undefined || value === null) return new Map();
	if (typeof value === 'string') {
		if (value.trim() === '') return new Map();
		const parsed = parseTolerant(value);
		if (parsed === undefined) throw notAnIntentMap(value.slice(0, 80));
		return readIntentMap(parsed);
	}
	if (Array.isArray(value)) return new Map(value.flatMap(rowEntry));
	if (typeof value !== 'object') throw notAnIntentMap(String(value));
	return new Map(Object.entries(value).map(([name, entry]) => [name.trim(), entryOf(entry)]));
}

/**
 * The tools with the map's intents, tags and examples; tools that it does not name stay as they are. An intent also opens the
 * description, for agents that read nothing else.
 */
export function applyIntentMap(tools: readonly RoutableTool[], map: IntentMap): RoutableTool[] {
	return tools.map((tool) => {
		const entry = map.get(tool.name);
		if (!entry) return tool;
		return {
			...tool,
			...(entry.intent !== '' && { intent: entry.intent, description: intentFirst(entry.intent, tool.description) }),
			tags: [...new Set([...tool.tags, ...entry.tags])],
			...(entry.examples.length > 0 && { examples: entry.examples }),
		};
	});
}

function intentFirst(intent: string, description: string): string {
	return description.startsWith(intent) ? description : `${intent} ${description}`.trim();
}

/** Names in the map that no tool has, in their order. */
export function unknownIntents(tools: readonly Tool[], map: IntentMap): string[] {
	const names = new Set(tools.map(({ name }) => name));
	return [...map.keys()].filter((name) => !names.has(name));
}

function rowEntry(row: unknown): [string, IntentEntry][] {
	if (typeof row !== 'object' || row === null) throw notAnIntentMap(JSON.stringify(row) ?? 'nothing');
	const { tool, name } = row as { tool?: unknown; name?: unknown };
	const key = String(tool ?? name ?? '').trim();
	return key === '' ? [] : [[key, entryOf(row)]];
}

function entryOf(entry: unknown): IntentEntry {
	if (typeof entry === 'string') return { intent: oneLine(entry), tags: [], examples: [] };
	if (typeof entry !== 'object' || entry === null) throw notAnIntentMap(JSON.stringify(entry) ?? 'nothing');
	const { intent, tags, examples } = entry as { intent?: unknown; tags?: unknown; examples?: unknown };
	return {
		intent: oneLine(typeof intent === 'string' ? intent : ''),
		tags: listOf(tags, /[,;\n]/),
		examples: listOf(examples, /\n/),
	};
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

function listOf(value: unknown, separator: RegExp): string[] {
	const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(separator) : [];
	return list.map(oneLine).filter((entry) => entry !== '');
}

function notAnIntentMap(shown: string): CodedError {
	return new CodedError('BAD_INPUT', `The intents are not a table of tools: ${shown}`, {
		remedy: 'Give {"tool_name": "what it is for"}, or rows [{"tool": "…", "intent": "…", "tags": "…", "examples": "…"}].',
	});
}
