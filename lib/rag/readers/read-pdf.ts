import type { FileText, TextFile } from './read-text';

const PAGE_BORDER = '\n\n';

/** The text of a PDF, page after page; pages without text are named in the notes. */
export async function readPdf(file: TextFile): Promise<FileText> {
	const { extractText, getDocumentProxy, getMeta } = await import('unpdf');
	// The library takes the memory of what it is given.
	const document = await getDocumentProxy(new Uint8Array(file.bytes), { verbosity: 0 });
	const { text: pages } = await extractText(document, { mergePages: false });
	const pageStarts: number[] = [];
	let text = '';
	for (const page of pages) {
		pageStarts.push(text.length);
		text += page.trim() + PAGE_BORDER;
	}
	const empty = pages.flatMap((page, number) => (page.trim() === '' ? [number + 1] : []));
	const { info } = await getMeta(document);
	const title: unknown = (info as Record<string, unknown> | undefined)?.Title;
	await document.loadingTask.destroy();
	return {
		text,
		pageStarts,
		...(typeof title === 'string' && title.trim() !== '' && { title: title.trim() }),
		...(empty.length > 0 && { notes: [`No text on page ${empty.join(', ')}`] }),
	};
}
