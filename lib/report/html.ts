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
	return loaded.render(markdown).replaceAll('<a href=', '<a rel="noopener noreferrer" href=');
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
	return `<div class="wide"><table><thead>${cells('th', columns)}</thead><tbody>${rows.map((row, at) => cells('td', row, link?.(at))).join('')}</tbody></table></div>`;
}

function isNumeric(text: string): boolean {
	return /^-?\d[\d\s.,]*$/.test(text);
}

/** Style rules written into the elements, since e-mail programs read no style sheet. `rules` by tag, or by `tag.class`. */
export function inlineStyles(html: string, rules: Readonly<Record<string, string>>): string {
	return html.replace(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"]*")*)\s*>/g, (all, tag: string, attributes: string) => {
		const [, name] = /\sclass="([^" ]*)/.exec(attributes) ?? [];
		const style = [rules[tag], name && (rules[`${tag}.${name}`] ?? rules[`.${name}`])].filter(Boolean).join(';');
		const others = attributes.replace(/\sclass="[^"]*"/, '');
		return style === '' ? all.replace(/\sclass="[^"]*"/, '') : `<${tag}${others} style="${style}">`;
	});
}
