/**
 * The ReActFinalizer: notices that a run goes in circles and says what to do about it. It looks at the turns that the model
 * still sees and derives everything from them; it keeps no counters.
 *
 * Order of measures: an injected thought first, then a way back to before the circle, then a forced end. The same call a third
 * time is forced to the end at once; replies that cannot be used had their corrections already.
 */
import type { AgentSetup } from './agent-setup';
import { liveTurns, type AgentState, type Turn } from './agent-state';
import { callKey } from './call-key';

export type Fault = 'repeated' | 'alternating' | 'errors' | 'empty' | 'unusable';

export type Verdict =
	| { readonly kind: 'go' }
	| { readonly kind: 'inject' | 'force'; readonly fault: Fault }
	/** Back to before turn `from`, counted among all turns. */
	| { readonly kind: 'backtrack'; readonly fault: Fault; readonly from: number };

/** Turns in a row with nothing but errors, or nothing but empty observations, that are too many. */
const STREAK = 3;
/** Ways back in one run. */
const MAX_BACKTRACKS = 2;

interface Found {
	readonly fault: Fault;
	/** The first turn of the circle, among the turns seen. */
	readonly first: number;
}

/** What is to be done before the next turn. */
export function judge({ limits }: Pick<AgentSetup, 'limits'>, state: AgentState): Verdict {
	const seen = ofThisStep(liveTurns(state));
	const found = findFault(seen, limits.maxCorrections);
	if (!found) return { kind: 'go' };
	const { fault, first } = found;
	const warned = seen.slice(first).some(({ injected }) => injected !== undefined);
	if (!warned && fault !== 'unusable') return { kind: 'inject', fault };
	// Nothing was done before the circle: going back would only begin again.
	if (fault === 'repeated' || first === 0 || branchesOf(state) >= MAX_BACKTRACKS) return { kind: 'force', fault };
	return { kind: 'backtrack', fault, from: state.turns.indexOf(seen[first] as Turn) };
}

/** In a run with a plan each step is judged by itself: two steps may need the same call. */
function ofThisStep(seen: readonly Turn[]): readonly Turn[] {
	return seen.slice(seen.findLastIndex(({ next }) => next !== undefined) + 1);
}

/** How many branches were given up so far. */
export function branchesOf({ turns }: AgentState): number {
	return new Set(turns.flatMap(({ abandoned }) => (abandoned ? [abandoned.branch] : []))).size;
}

/** The fault that the last turn completes. */
function findFault(seen: readonly Turn[], maxCorrections: number): Found | undefined {
	const keys = seen.map(keyOf);
	return (
		unusable(seen, maxCorrections) ??
		repeated(seen, keys) ??
		alternating(keys) ??
		streak(seen, 'errors', failedOnly) ??
		streak(seen, 'empty', emptyOnly)
	);
}

/** What a turn called, order left out; '' for a turn without calls. */
function keyOf(turn: Turn): string {
	const key = keyByTurn.get(turn) ?? keyOfCalls(turn.calls);
	keyByTurn.set(turn, key);
	return key;
}

/** Turns never change, and each is looked at again before every later one. */
const keyByTurn = new WeakMap<Turn, string>();

function keyOfCalls(calls: Turn['calls']): string {
	return calls
		.map(({ name, input }) => callKey(name, input))
		.sort()
		.join('\n');
}

function unusable(seen: readonly Turn[], max: number): Found | undefined {
	const first = seen.findLastIndex(({ correction }) => correction === undefined) + 1;
	return seen.length - first >= max ? { fault: 'unusable', first } : undefined;
}

/** The same calls again: warned the second time, a fault for good the third. */
function repeated(seen: readonly Turn[], keys: readonly string[]): Found | undefined {
	const last = keys.at(-1);
	if (!last) return undefined;
	const same = keys.flatMap((key, at) => (key === last ? [at] : []));
	const warned = seen.slice(same[0]).some(({ injected }) => injected !== undefined);
	const tooMany = same.length >= 3 || (same.length === 2 && !warned);
	return tooMany ? { fault: 'repeated', first: same[0] ?? 0 } : undefined;
}

/** A-B-A-B: two calls in turn, over and over, none of them new. */
function alternating(keys: readonly string[]): Found | undefined {
	const [a, b, c, d] = keys.slice(-4);
	const isCircle = keys.length >= 4 && a !== '' && a !== b && a === c && b === d;
	return isCircle ? { fault: 'alternating', first: keys.length - 4 } : undefined;
}

function streak(seen: readonly Turn[], fault: Fault, counts: (turn: Turn) => boolean): Found | undefined {
	const first = seen.findLastIndex((turn) => !counts(turn)) + 1;
	return seen.length - first >= STREAK ? { fault, first } : undefined;
}

function failedOnly({ calls }: Turn): boolean {
	return calls.length > 0 && calls.every(({ result }) => result?.isError === true);
}

function emptyOnly({ calls }: Turn): boolean {
	return calls.length > 0 && calls.every(({ result }) => result?.isEmpty === true);
}
