/** A piece of a code as written, without accents. */
export interface CodePiece {
	readonly text: string;
	/** False for a word that may only continue a run: `à 5 h` is no code. */
	readonly startsRun: boolean;
}

/** Letters, or digits with their decimal mark. */
const ATOM = /\p{L}+|\p{N}+(?:[.,]\p{N}+)*/gu;
/** Longer things (serial numbers with many groups) would give too many parts. */
const MOST_ATOMS = 5;

function atomsOf(text: string): string[] {
	return (text.toLowerCase().match(ATOM) ?? []).map((atom) => atom.replaceAll(',', '.'));
}

function joinedRuns(atoms: readonly string[], crosses: (from: number, to: number) => boolean): string[] {
	const found = new Set<string>();
	for (let from = 0; from < atoms.length; from++) {
		for (let to = from + 1; to <= atoms.length; to++) {
			const joined = atoms.slice(from, to).join('');
			if (joined.length >= 2 && /\p{N}/u.test(joined) && crosses(from, to)) found.add(joined);
		}
	}
	return [...found];
}

/**
 * A code without separators, and its parts that hold a digit: `P101/A` → `p101`, `p101a`, `101`, `101a`.
 *
 * A code of more than 5 groups gives itself and its single groups only; one digit alone gives itself. Each once.
 */
export function codeTokens(pieces: readonly CodePiece[]): string[] {
	const atoms = pieces.flatMap((piece) => atomsOf(piece.text));
	if (atoms.length === 1) return atoms;
	const few = atoms.length <= MOST_ATOMS;
	return joinedRuns(atoms, (from, to) => few || to - from === 1 || to - from === atoms.length);
}

/**
 * What pieces of a code written with blanks give together: `N 92 c` → `n92`, `n92c`, `92c`. Parts inside one piece are left to
 * `codeTokens`. Fewer than two pieces, or no digit, give [].
 */
export function spacedCodeTokens(pieces: readonly CodePiece[]): string[] {
	if (pieces.length < 2) return [];
	const owners = pieces.flatMap((piece, owner) => atomsOf(piece.text).map(() => owner));
	const atoms = pieces.flatMap((piece) => atomsOf(piece.text));
	if (atoms.length > MOST_ATOMS) return joinedRuns(atoms, (from, to) => to - from === atoms.length);
	return joinedRuns(atoms, (from, to) => owners[from] !== owners[to - 1]);
}
