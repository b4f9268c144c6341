import type { Address } from 'postal-mime';
import { readHtml } from './read-html';
import type { FileText, TextFile } from './read-text';

const nameOf = ({ name, address, group }: Address): string =>
	group ? group.map(nameOf).join(', ') : name && address ? `${name} <${address}>` : (name || address || '');

/**
 * The text of an e-mail (.eml): sender, receivers and date in front of its body; the subject is its title. Of a message in text and
 * HTML the text is read. Attachments are named in the notes, not read: give them to the index as files of their own.
 */
export async function readEmail(file: TextFile): Promise<FileText> {
	const { default: PostalMime } = await import('postal-mime');
	const { subject, from, to = [], cc = [], date, text = '', html = '', attachments } = await PostalMime.parse(new Uint8Array(file.bytes));
	const body = text.trim() !== '' ? text : html === '' ? '' : (await readHtml(html)).text;
	if (body.trim() === '' && !subject?.trim()) return { text: '' };
	const facts: [name: string, value: string][] = [
		['From', from ? nameOf(from) : ''],
		['To', [...to, ...cc].map(nameOf).join(', ')],
		['Date', date ?? ''],
	];
	const head = facts.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])).join('\n');
	const files = attachments.map(({ filename }) => filename ?? 'without a name');
	return {
		text: [head, body.replace(/\r\n?/g, '\n').trim()].filter(Boolean).join('\n\n'),
		...(subject?.trim() && { title: subject.trim() }),
		...(files.length > 0 && { notes: [`Attachments are not read: ${files.join(', ')}`] }),
	};
}
