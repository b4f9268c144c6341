import { type HtmlNode, htmlText } from './html-text';
import type { FileText } from './read-text';

/** Share of the page's text that the main part must hold to be believed. */
const LEAST_SHARE = 0.3;

/** The main text of a page without menus and footers; the whole page where no main part stands out. */
export async function readHtml(html: string): Promise<FileText> {
	const { parseHTML } = await import('linkedom');
	const { Readability } = await import('@mozilla/readability');
	const asPage = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
	const { document } = parseHTML(asPage);
	const title = document.title?.trim();
	const whole = htmlText(document.body as unknown as HtmlNode);
	const article = new Readability(parseHTML(asPage).document as never).parse();
	const main = article?.content ? htmlText(parseHTML(`<html><body>${article.content}</body></html>`).document.body as unknown as HtmlNode) : '';
	return { text: main.length >= LEAST_SHARE * whole.length ? main : whole, ...(title && { title }) };
}
