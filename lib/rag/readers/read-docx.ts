import { htmlText } from './html-text';
import type { FileText, TextFile } from './read-text';

/** The text of a DOCX: headings, paragraphs, lists and tables; no images, no headers of pages. */
export async function readDocx(file: TextFile): Promise<FileText> {
	const { default: mammoth } = await import('mammoth');
	const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(file.bytes) });
	const { parseHTML } = await import('linkedom');
	return { text: htmlText(parseHTML(`<html><body>${value}</body></html>`).document.body) };
}
