import { figuresOf } from '../../lib/report/figures';
import { makeCall } from '../support/make-run';

it('makes no table of passages that a search of documents gave', () => {
	const passage = { id: 'a.md#0', documentId: 'a.md', title: 'A', score: 0.6, meta: {}, text: 'Change both brakes together.' };
	const stock = { reference: 'HH-1', inStock: 2 };
	const figures = figuresOf([makeCall('search_procedures', { query: 'brakes' }, [passage]), makeCall('parts_stock', {}, [stock])], 10);
	expect(figures.map(({ title, columns }) => [title, columns])).toEqual([['parts_stock', ['reference', 'inStock']]]);
});
