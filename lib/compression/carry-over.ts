import type { Unit } from './units';

/** Beginnings that mean little without the sentence before. */
const LEANS_BACK =
	/^(?:["«“(]\s*)?(?:il|elle|ils|elles|ce|cela|ceci|ça|cette|ces|celui-ci|celle-ci|ceux-ci|celles-ci|son|sa|ses|leur|leurs|or|donc|ainsi|puis|ensuite|enfin|mais|it|he|she|they|this|that|these|those|his|her|its|their|then|but|so|also|however|therefore|such)(?![\p{L}\p{M}])|^c['’]/iu;
const HEADING = /^#{1,6}\s/;
const LIST_ITEM = /^(?:[-*+•–—]\s|\d{1,3}[.)]\s|[a-z][.)]\s)/;
const TABLE_ROW = /^\||\t|\s\|\s|;[^;]*;[^;]*;/;
/** The line under a Markdown table's head. */
const TABLE_RULE = /^\|?[\s:|-]+\|[\s:|-]*$/;

/** True for a heading, which is kept with what stands below it only. */
export function isHeading(unit: Unit): boolean {
	return HEADING.test(unit.text);
}

/** Of each unit the position of the heading above it in its passage; -1 for none, and for headings. */
export function headingsAbove(units: readonly Unit[]): number[] {
	let heading = -1;
	return units.map((unit, position) => {
		if (unit.place === 0) heading = -1;
		if (!isHeading(unit)) return heading;
		heading = position;
		return -1;
	});
}

/** True when the unit begins with a word that stands for something in the sentence before. */
export function leansBack(unit: Unit): boolean {
	return unit.place > 0 && LEANS_BACK.test(unit.text);
}

/** The first of the lines of this kind that stand above without a break. */
function topOf(position: number, first: number, units: readonly Unit[], kind: RegExp): number {
	let top = position;
	while (top > first && kind.test(units[top - 1]?.text ?? '')) top -= 1;
	return top;
}

function bodySupport(position: number, first: number, units: readonly Unit[]): number[] {
	const text = units[position]?.text ?? '';
	if (TABLE_ROW.test(text)) {
		const top = topOf(position, first, units, TABLE_ROW);
		return [top, top + 1].filter((at) => at < position && (at === top || TABLE_RULE.test(units[at]?.text ?? '')));
	}
	if (LIST_ITEM.test(text)) return [topOf(position, first, units, LIST_ITEM) - 1].filter((at) => at >= first);
	return LEANS_BACK.test(text) && position > first ? [position - 1] : [];
}

/**
 * The units without which this one is hard to read, as positions: the head of its table, what its list is of, the sentence that its
 * pronoun stands for, and the heading above; the nearest first, [] for none.
 */
export function supportOf(position: number, units: readonly Unit[]): number[] {
	const unit = units[position];
	if (!unit) return [];
	const first = position - unit.place;
	const support = bodySupport(position, first, units);
	let above = position - 1;
	while (above >= first && !isHeading(units[above]!)) above -= 1;
	if (above >= first && !support.includes(above)) support.push(above);
	return support;
}
