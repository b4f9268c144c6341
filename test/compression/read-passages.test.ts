import { readHistory, readPassages } from '../../lib/compression/read-passages';

describe('readPassages', () => {
	it('reads our hits, LangChain documents, vector store results and plain texts', () => {
		const ours = { id: 'a#0', documentId: 'a', text: 'one', title: 'T', source: 's', section: 'S', meta: { page: 1 }, score: 0.5 };
		expect(readPassages([ours])).toEqual([ours]);
		expect(readPassages([{ pageContent: 'two', metadata: { source: 'x.pdf', page: 2 } }])).toEqual([
			{ id: '1', documentId: '1', text: 'two', source: 'x.pdf', meta: { source: 'x.pdf', page: 2 }, score: 0 },
		]);
		expect(readPassages([{ document: { pageContent: 'three', metadata: {} }, score: 0.7 }])).toMatchObject([{ text: 'three', score: 0.7 }]);
		expect(readPassages(['four'])).toMatchObject([{ id: '1', text: 'four' }]);
	});

	it('leaves out what has no text', () => {
		expect(readPassages([null, 3, {}, { text: '' }, []])).toEqual([]);
		expect(readPassages({ text: 'not a list' })).toEqual([]);
	});
});

describe('readHistory', () => {
	it('reads texts and messages, oldest first', () => {
		expect(readHistory(['a', { role: 'user', content: 'b' }, { text: 'c' }, 4, null])).toEqual(['a', 'b', 'c']);
		expect(readHistory('only')).toEqual(['only']);
		expect(readHistory(undefined)).toEqual([]);
		expect(readHistory('')).toEqual([]);
	});
});
