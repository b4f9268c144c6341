/** A Markdown table; every cell is made safe. No rows give ''. */
export function markdownTable(columns: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	if (rows.length === 0) return '';
	const line = (cells: readonly string[]): string => `| ${cells.map(safeCell).join(' | ')} |`;
	return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Text for one table cell or one line: no line breaks, no table borders, no HTML, no pictures. */
export function safeCell(text: string): string {
	return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').replace(/</g, '&lt;').replace(/!\[/g, '!\\[').trim();
}

/**
 * A value as it stands in a cell. Numbers keep every digit they have: a report never rounds a figure. Lists and objects become
 * JSON; null and undefined become ''.
 */
export function cellText(value: unknown): string {
	if (value === null || value === undefined) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Cuts at `maxCharacters`, ending in …; shorter text is unchanged. */
export function shorten(text: string, maxCharacters: number): string {
	return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).trimEnd()}…`;
}

/**
 * Moves the headings of a text below a level, so that text from a model cannot pass for a section of the report.
 *
 * @param level  that of the report's own sections
 */
export function demoteHeadings(text: string, level = 2): string {
	return text
		.replace(/^( {0,3})(#{1,6})(?=\s)/gm, (_all, indent: string, marks: string) => indent + '#'.repeat(Math.min(6, marks.length + level)))
		.replace(/^( {0,3})(=+|-+)[ \t]*$/gm, (_all, indent: string, marks: string) => `${indent}\\${marks}`);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Markdown of a model that cannot do more than text does: HTML outside of code is shown as text, pictures are links (a viewer would
 * fetch them), and a block of code that is never closed is closed, so that it swallows nothing of what follows.
 */
export function tamedMarkdown(text: string): string {
	let fence = '';
	const lines = text.split('\n').map((line) => {
		const [, marks = '', after = ''] = FENCE.exec(line) ?? [];
		if (fence === '' && marks !== '' && !(marks.startsWith('`') && after.includes('`'))) fence = marks;
		else if (fence !== '' && marks.startsWith(fence) && after.trim() === '') fence = '';
		else if (fence === '') return tamedLine(line);
		return line;
	});
	return fence === '' ? lines.join('\n') : [...lines, fence].join('\n');
}

/** Code within the line stays as it is. */
function tamedLine(line: string): string {
	return line.replace(/(?<!`)(`{1,20})[^`]+\1(?!`)|<(?=[a-z/!?])(?!https?:\/\/|mailto:)|!\[/gi, (found) => (found === '<' ? '&lt;' : found === '![' ? '!\\[' : found));
}
