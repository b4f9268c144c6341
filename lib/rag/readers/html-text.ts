/** The part of a DOM node that is read here: the DOM comes from a library without its types. */
export interface HtmlNode {
	readonly nodeType: number;
	readonly nodeName: string;
	readonly textContent: string | null;
	readonly childNodes: Iterable<HtmlNode>;
}

const TEXT_NODE = 3;
const LEFT_OUT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'BUTTON']);
const BLOCKS = new Set(
	'ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER FORM HEADER HR MAIN NAV OL P SECTION SUMMARY TABLE UL'.split(' '),
);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function tableRow(row: HtmlNode): string {
	const cells = [...row.childNodes].filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');
	return `| ${cells.map((cell) => oneLine(htmlText(cell))).join(' | ')} |\n`;
}

function write(node: HtmlNode): string {
	if (node.nodeType === TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ');
	const name = node.nodeName.toUpperCase();
	if (LEFT_OUT.has(name)) return '';
	if (name === 'BR') return '\n';
	if (name === 'PRE') return `\n\n${node.textContent ?? ''}\n\n`;
	if (name === 'TR') return tableRow(node);
	const inner = [...node.childNodes].map(write).join('');
	const level = /^H([1-6])$/.exec(name)?.[1];
	if (level) return oneLine(inner) === '' ? '' : `\n\n${'#'.repeat(Number(level))} ${oneLine(inner)}\n\n`;
	if (name === 'LI') return `\n- ${inner.trim()}`;
	return BLOCKS.has(name) ? `\n\n${inner}\n\n` : inner;
}

/** The text of a node as people see it: headings as Markdown headings, paragraphs apart, a line for each row of a table. */
export function htmlText(node: HtmlNode): string {
	return [...node.childNodes]
		.map(write)
		.join('')
		.replace(/[ \t]+\n/g, '\n')
		.replace(/\n[ \t]+(?=\S)/g, '\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
