/** Text as HTML shows it, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;');
}

type Markdown = InstanceType<typeof import('markdown-it')>;
let loaded: Markdown | undefined;

/**
 * Markdown of a model as HTML: its own HTML is shown as text, pictures are shown as links, links open outside and cannot run code.
 * So a report asks no other server for anything.
 */
export async function markdownToHtml(markdown: string): Promise<string> {
	if (!loaded) {
		const { default: MarkdownIt } = await import('markdown-it');
		loaded = new MarkdownIt({ html: false, linkify: false, breaks: true });
		loaded.disable('image');
	}
	const html = loaded.render(markdown).replaceAll('<a href=', '<a rel="noopener noreferrer" href=');
	// Its own HTML is escaped, so these tags are tables of Markdown.
	return html.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>');
}

/**
 * A table; every cell is escaped, columns of numbers stand to the right. No rows give ''.
 *
 * @param link  where the first cell of a row leads; absent: nowhere
 */
export function htmlTable(columns: readonly string[], rows: ReadonlyArray<readonly string[]>, link?: (row: number) => string | undefined): string {
	if (rows.length === 0) return '';
	const toRight = columns.map((_name, at) => rows.every((row) => isNumeric(row[at] ?? '')));
	const cells = (tag: string, texts: readonly string[], target?: string): string => {
		const inner = (text: string, at: number): string => (target !== undefined && at === 0 ? `<a href="${escapeHtml(target)}">${escapeHtml(text)}</a>` : escapeHtml(text));
		return `<tr>${texts.map((text, at) => `<${tag}${toRight[at] ? ' class="n"' : ''}>${inner(text, at)}</${tag}>`).join('')}</tr>`;
	};
	return `<div class="wide">${tableStart(columns, rows)}<thead>${cells('th', columns)}</thead><tbody>${rows.map((row, at) => cells('td', row, link?.(at))).join('')}</tbody></table></div>`;
}

/** Characters of a line, with room between the cells, that fit on paper and into a mail as they are. */
const LINE = 80;
const WIDEST = 26;
const FITTING_COLUMNS = 8;
const LEAST_PIXELS = 80;

/**
 * A table whose cells fit, or are all short, is laid out by the browser. Another one gets fixed columns by the length of their texts, so that a long
 * text takes no room from the short ones; with very many columns it is wider than the page and scrolls.
 */
function tableStart(columns: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const longest = columns.map((name, at) => rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), name.length));
	if (longest.every((length) => length <= WIDEST) || sumOf(longest) + 3 * columns.length <= LINE) return '<table>';
	const weights = longest.map((length) => Math.min(Math.max(length, 6), WIDEST) * 1.2 + 3);
	const widths = weights.map((weight) => `<col width="${((100 * weight) / sumOf(weights)).toFixed(1)}%">`);
	const least = columns.length > FITTING_COLUMNS ? ` style="min-width:${columns.length * LEAST_PIXELS}px"` : '';
	return `<table class="fixed"${least}><colgroup>${widths.join('')}</colgroup>`;
}

function sumOf(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0);
}

function isNumeric(text: string): boolean {
	return /^-?\d[\d\s.,]*$/.test(text);
}

/** Style rules written into the elements, since e-mail programs read no style sheet. `rules` by tag, or by `tag.class`. */
export function inlineStyles(html: string, rules: Readonly<Record<string, string>>): string {
	return html.replace(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"]*")*)\s*>/g, (all, tag: string, attributes: string) => {
		const [, name] = /\sclass="([^" ]*)/.exec(attributes) ?? [];
		const [, own] = /\sstyle="([^"]*)"/.exec(attributes) ?? [];
		const style = [rules[tag], name && (rules[`${tag}.${name}`] ?? rules[`.${name}`]), own].filter(Boolean).join(';');
		const others = attributes.replace(/\s(?:class|style)="[^"]*"/g, '');
		return style === '' ? all.replace(/\sclass="[^"]*"/, '') : `<${tag}${others} style="${style}">`;
	});
}
