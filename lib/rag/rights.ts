/**
 * Who may see a document, as access tokens: `u:<user>`, `g:<group>`, and `*` for everyone. A store compares tokens and knows no more.
 *
 * Names are compared as written, apart from blanks around them: two names that differ in case are two names.
 */
import { CodedError } from '../core/errors';

export interface Rights {
	readonly users: readonly string[];
	readonly groups: readonly string[];
	/** True lets everybody see it, also who has no name. */
	readonly everyone: boolean;
}

/** Who asks. */
export interface Asker {
	/** '' for nobody known. */
	readonly user: string;
	readonly groups: readonly string[];
}

/** Opens what everyone may see, and nothing else. */
export const NOBODY: Asker = { user: '', groups: [] };
/** The token of everybody, also of who has no name. */
export const EVERYONE = '*';

const clean = (name: string): string => name.normalize('NFC').trim();
const tokensOf = (kind: 'u' | 'g', names: readonly string[]): string[] =>
	names.map(clean).flatMap((name) => (name === '' ? [] : [`${kind}:${name}`]));

/** The tokens of a document; [] when nobody may see it. */
export function rightsTokens(rights: Rights): string[] {
	const tokens = [...tokensOf('u', rights.users), ...tokensOf('g', rights.groups), ...(rights.everyone ? [EVERYONE] : [])];
	return [...new Set(tokens)].sort();
}

/** The tokens of who asks: a document is seen when it has one of them. */
export function askerTokens(asker: Asker): string[] {
	return [...new Set([...tokensOf('u', [asker.user]), ...tokensOf('g', asker.groups), EVERYONE])].sort();
}

/**
 * Names as a flow gives them: a list, or texts parted by commas; numbers become text; undefined, null and '' give [].
 *
 * @throws CodedError BAD_INPUT for anything else: rights that cannot be read must not be taken for none
 */
export function readNames(given: unknown, what: string): string[] {
	if (given === undefined || given === null || given === '') return [];
	const list: readonly unknown[] = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [given];
	return list.map((name) => {
		if (typeof name === 'string') return clean(name);
		if (typeof name === 'number') return String(name);
		throw new CodedError('BAD_INPUT', `The ${what} hold ${JSON.stringify(name)?.slice(0, 80)}`, {
			remedy: `Give the ${what} as a list of names, or as a text with commas between them.`,
		});
	}).filter((name) => name !== '');
}

/**
 * Who asks, read from what a flow knows about its user: a name, or an object with `sub`, `id`, `name` or `email` and `groups`.
 *
 * The first of these fields that is there counts. Anything that cannot be read is NOBODY: who cannot be named sees only what everyone
 * may see.
 */
export function readAsker(given: unknown): Asker {
	if (typeof given === 'string' || typeof given === 'number') return { user: clean(String(given)), groups: [] };
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return NOBODY;
	const { sub, id, name, email, groups } = given as Record<string, unknown>;
	// A name that somebody chose for himself must not stand in for an identity that cannot be read.
	const named = 'sub' in given ? [sub] : 'id' in given ? [id] : [name, email];
	const user = named.find((value) => typeof value === 'string' || typeof value === 'number');
	const listed = Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
	return { user: clean(String(user ?? '')), groups: listed.map(clean) };
}
