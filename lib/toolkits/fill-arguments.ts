import { CodedError } from '../core/errors';

/** What the arguments of a step may reach. */
export interface Known {
	readonly input: Readonly<Record<string, unknown>>;
	/** Results by the id of their step. */
	readonly steps: Readonly<Record<string, unknown>>;
}

export interface Placeholder {
	readonly root: 'input' | 'steps';
	readonly path: readonly string[];
	/** Name of the argument that it fills as a whole. */
	readonly argument?: string;
}

/** `{input.part}`, `{steps.find_part.items[0].id}`; other braces are text. */
const PLACEHOLDER = /\{(input|steps)((?:\.[\p{L}\p{N}_$-]+|\[\d+\])+)\}/gu;

/**
 * Arguments with their placeholders filled: one that is the whole text gives the value itself, a list or a number; within other
 * text it gives the value's text. Lists and objects are gone through.
 *
 * @throws CodedError BAD_INPUT that names the path and what is there instead
 */
export function fillArguments(value: Readonly<Record<string, unknown>>, known: Known): Record<string, unknown> {
	return fill(value, known) as Record<string, unknown>;
}

function fill(value: unknown, known: Known): unknown {
	if (typeof value === 'string') return fillText(value, known);
	if (Array.isArray(value)) return value.map((entry) => fill(entry, known));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry, known)]));
}

function fillText(text: string, known: Known): unknown {
	const [whole] = text.trim().matchAll(PLACEHOLDER);
	if (whole && whole[0] === text.trim()) return resolve(whole[0], known);
	return text.replace(PLACEHOLDER, (written) => {
		const value = resolve(written, known);
		return typeof value === 'string' ? value : JSON.stringify(value);
	});
}

function resolve(written: string, known: Known): unknown {
	const { root, path } = read(written);
	let value: unknown = known[root];
	for (const [at, key] of path.entries()) {
		const holder = value;
		value = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined;
		if (value === undefined) throw nothingAt(written, { key, holder, at });
	}
	return value;
}

function nothingAt(written: string, { key, holder, at }: { key: string; holder: unknown; at: number }): CodedError {
	const has = typeof holder === 'object' && holder !== null ? `it has: ${Object.keys(holder).slice(0, 12).join(', ') || 'nothing'}` : `it is ${String(JSON.stringify(holder)).slice(0, 60)}`;
	return new CodedError('BAD_INPUT', `${written} has no value: there is no "${key}" at place ${at + 1}; ${has}.`);
}

function read(written: string): { root: 'input' | 'steps'; path: string[] } {
	const [root = '', ...path] = written.slice(1, -1).split(/[.[\]]+/).filter((part) => part !== '');
	return { root: root === 'input' ? 'input' : 'steps', path };
}

/** All placeholders of a step's arguments, in order. */
export function placeholdersIn(value: unknown, argument?: string): Placeholder[] {
	if (typeof value === 'string') {
		return [...value.matchAll(PLACEHOLDER)].map(([written]) => ({ ...read(written), ...(written === value.trim() && argument !== undefined && { argument }) }));
	}
	if (Array.isArray(value)) return value.flatMap((entry) => placeholdersIn(entry));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) => placeholdersIn(entry, argument === undefined ? key : undefined));
}
