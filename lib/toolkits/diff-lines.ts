import { CodedError } from '../core/errors';

/** Lines on each side, after what is equal at both ends: the table of common lines has the product of both. */
const MOST_CHANGED_LINES = 3_000;
const LINES_AROUND = 2;

export interface LineDiff {
	readonly added: number;
	readonly removed: number;
	/** Lines with `+ `, `- ` or two blanks before them; `…` for unchanged ones left out; '' when nothing changed. */
	readonly diff: string;
}

/**
 * The least changes from one text to another, by whole lines (longest common subsequence).
 *
 * @throws CodedError RESOURCE_LIMIT when more than 3,000 lines differ on both sides
 */
export function diffLines(before: string, after: string): LineDiff {
	const [old, fresh] = [linesOf(before), linesOf(after)];
	let start = 0;
	while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
	let end = 0;
	while (end < old.length - start && end < fresh.length - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
	const changes = changesOf(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
	const all = [...old.slice(0, start).map(same), ...changes, ...old.slice(old.length - end).map(same)];
	const added = all.filter((line) => line.startsWith('+')).length;
	const removed = all.filter((line) => line.startsWith('-')).length;
	return { added, removed, diff: added + removed === 0 ? '' : shortened(all) };
}

function linesOf(text: string): string[] {
	return text === '' ? [] : text.split(/\r\n|\r|\n/);
}

function same(line: string): string {
	return `  ${line}`;
}

function changesOf(old: readonly string[], fresh: readonly string[]): string[] {
	if (old.length > MOST_CHANGED_LINES && fresh.length > MOST_CHANGED_LINES) {
		throw new CodedError('RESOURCE_LIMIT', `More than ${MOST_CHANGED_LINES} lines differ.`, { remedy: 'Compare smaller parts.' });
	}
	const width = fresh.length + 1;
	const common = new Uint32Array((old.length + 1) * width);
	for (let a = old.length - 1; a >= 0; a--) {
		for (let b = fresh.length - 1; b >= 0; b--) {
			const skip = Math.max(common[(a + 1) * width + b] ?? 0, common[a * width + b + 1] ?? 0);
			common[a * width + b] = old[a] === fresh[b] ? (common[(a + 1) * width + b + 1] ?? 0) + 1 : skip;
		}
	}
	return walk(old, fresh, common);
}

function walk(old: readonly string[], fresh: readonly string[], common: Uint32Array): string[] {
	const width = fresh.length + 1;
	const lines: string[] = [];
	let [a, b] = [0, 0];
	while (a < old.length || b < fresh.length) {
		if (a < old.length && b < fresh.length && old[a] === fresh[b]) {
			lines.push(same(old[a] ?? ''));
			a++;
			b++;
		} else if (b >= fresh.length || (a < old.length && (common[(a + 1) * width + b] ?? 0) >= (common[a * width + b + 1] ?? 0))) {
			lines.push(`- ${old[a++] ?? ''}`);
		} else {
			lines.push(`+ ${fresh[b++] ?? ''}`);
		}
	}
	return lines;
}

function shortened(lines: readonly string[]): string {
	const isNear = (at: number): boolean =>
		lines.slice(Math.max(0, at - LINES_AROUND), at + LINES_AROUND + 1).some((line) => !line.startsWith('  '));
	const kept: string[] = [];
	lines.forEach((line, at) => {
		if (isNear(at)) kept.push(line);
		else if (kept.at(-1) !== '…') kept.push('…');
	});
	return kept.join('\n');
}
