import { readMetadata } from '../../lib/rag/read-meta';
import { readText } from '../../lib/rag/readers/read-text';

const file = (bytes: Buffer, name = 'a.txt', mediaType = 'text/plain') => readText({ bytes, name, mediaType });

describe('readText', () => {
	it('reads UTF-8 with and without its mark, UTF-16 with its mark, and Windows-1252', () => {
		expect(file(Buffer.from('é ’'))).toBe('é ’');
		expect(file(Buffer.from('\ufeffé'))).toBe('é');
		expect(file(Buffer.from('\ufeffé', 'utf16le'))).toBe('é');
		expect(file(Buffer.from('\ufeffé', 'utf16le').swap16())).toBe('é');
		expect(file(Buffer.from([0xe9, 0x20, 0x92]))).toBe('é ’');
	});

	it('knows text by its type or by its name', () => {
		expect(file(Buffer.from('{}'), 'x', 'application/json; charset=utf-8')).toBe('{}');
		expect(file(Buffer.from('# a'), 'notes.md', 'application/octet-stream')).toBe('# a');
	});

	it('names a file that is no text, also when it says that it is', () => {
		expect(() => file(Buffer.from('x'), 'a.docx', 'application/msword')).toThrow('"a.docx" (application/msword) is not a text file');
		expect(() => file(Buffer.from('a\0b'), 'a.txt')).toThrow('"a.txt" (text/plain) is not a text file');
		expect(() => file(Buffer.from('x'), '', '')).toThrow('"The file" (unknown type) is not a text file');
	});
});

describe('readMetadata', () => {
	it('reads objects, JSON texts and nothing', () => {
		const meta = { site: 'Lyon', year: 2026, open: true, none: null, tags: ['a'] };
		expect(readMetadata(meta)).toEqual(meta);
		expect(readMetadata(JSON.stringify(meta))).toEqual(meta);
		for (const nothing of [undefined, null, '', '{}']) expect(readMetadata(nothing)).toEqual({});
	});

	it.each(['{site}', '[1]', '3', [1], 4])('refuses %j, showing it', (given) => {
		expect(() => readMetadata(given)).toThrow(/^The metadata is not an object: /);
	});

	it('names the field whose value cannot be compared', () => {
		expect(() => readMetadata({ tags: ['a', 1] })).toThrow('The metadata field "tags" holds ["a",1]');
	});
});
