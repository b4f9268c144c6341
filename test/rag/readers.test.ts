import { readFile } from '../../lib/rag/readers/read-file';
import { zip } from '../support/zip';

const file = (data: string | Buffer, name: string, mediaType = '') => readFile({ bytes: Buffer.from(data as string), name, mediaType });

/** A PDF with a line of text on each page; '' gives a page without text. */
function pdf(...pages: string[]): Buffer {
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')}] >>`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
	];
	for (const [n, text] of pages.entries()) {
		const stream = text === '' ? '' : `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`;
		objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * n} 0 R >>`);
		objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
	}
	let body = '%PDF-1.4\n';
	const places = objects.map((object, n) => {
		const place = body.length;
		body += `${n + 1} 0 obj\n${object}\nendobj\n`;
		return place;
	});
	const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
	const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`;
	return Buffer.from(body + end, 'latin1');
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (text: string, style = ''): string => `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const docx = zip({
	'[Content_Types].xml':
		'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
	'_rels/.rels':
		'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
	'word/styles.xml': `<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
	'word/_rels/document.xml.rels':
		'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
	'word/document.xml': `<w:document ${WORD}><w:body>${paragraph('Arrêt d’urgence', 'Heading1')}${paragraph('Couper le courant.')}<w:tbl><w:tr><w:tc>${paragraph('Pièce')}</w:tc><w:tc>${paragraph('N-92c')}</w:tc></w:tr></w:tbl></w:body></w:document>`,
});

const menu = '<nav><a href="/">Accueil</a> <a href="/x">Boutique</a></nav>';
const long = 'La pompe doit être purgée avant le démarrage, sinon elle se détruit en quelques minutes. '.repeat(8);

describe('readers', () => {
	it('read a PDF page by page and name pages without text', async () => {
		const found = await file(pdf('Purger la pompe.', '', 'Fermer la vanne.'), 'a.pdf');
		expect(found.text).toContain('Purger la pompe.');
		expect(found.pageStarts).toHaveLength(3);
		expect(found.text.slice(found.pageStarts![2]).trim()).toBe('Fermer la vanne.');
		expect(found.notes).toEqual(['No text on page 2']);
	});

	it('call a PDF without text unreadable, and a broken one too', async () => {
		await expect(file(pdf('', ''), 'scan.pdf')).rejects.toMatchObject({ code: 'BAD_INPUT', message: '"scan.pdf" has no text on its 2 pages', remedy: expect.stringContaining('OCR') });
		await expect(file('%PDF-1.7 nothing', 'x', 'application/pdf')).rejects.toThrow('"x" cannot be read');
	});

	it('read headings, paragraphs and tables of a DOCX', async () => {
		expect((await file(docx, 'a.docx')).text).toBe('# Arrêt d’urgence\n\nCouper le courant.\n\n| Pièce | N-92c |');
		await expect(file('PK nothing', 'a.docx')).rejects.toThrow('"a.docx" cannot be read');
	});

	it('read the main text of a page, without menus, and whole fragments', async () => {
		const page = `<html><head><title>Pompes</title></head><body>${menu}<article><h2>Purge</h2><p>${long}</p><p>${long}</p></article><footer>Mentions</footer></body></html>`;
		const found = await file(page, 'a.html');
		expect(found.title).toBe('Pompes');
		expect(found.text).toContain('## Purge');
		expect(found.text).not.toContain('Boutique');
		expect((await file('<ul><li>un</li><li>deux<script>x()</script></li></ul>', 'b.htm')).text).toBe('- un\n- deux');
	});

	it('read tables and lists as one paragraph for each row', async () => {
		expect((await file('code;nom\nN-92c;Pompe\n"P;1";\n', 'a.csv')).text).toBe('code: N-92c\nnom: Pompe\n\ncode: P;1');
		expect((await file('[{"a":1,"b":null},{"a":{"c":2}}]', 'a.json')).text).toBe('a: 1\n\na: {"c":2}');
		expect((await file('{"a":1}\n{"a":2}\n', 'a.jsonl')).text).toBe('a: 1\n\na: 2');
		expect((await file('{"a": 1}', 'a.json')).text).toBe('{"a": 1}');
	});

	it('say that a kind is not known or that there is no text', async () => {
		await expect(file('x\0y', 'a.bin', 'application/octet-stream')).rejects.toThrow('"a.bin" (application/octet-stream) is not a text file');
		await expect(file(' \n', 'a.md')).rejects.toThrow('"a.md" has no text');
	});
});
