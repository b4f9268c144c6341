import fc from 'fast-check';
import { blendScores, normaliseScores } from '../../lib/text/blend-scores';

describe('blendScores', () => {
	it('weighs both sides after bringing them to 0..1', () => {
		const blended = blendScores(new Map([['a', 10], ['b', 5], ['c', 0]]), new Map([['b', 0.9], ['c', 0.8]]), 0.5);
		expect(blended.map(({ id, score }) => [id, score])).toEqual([['b', 0.75], ['a', 0.5], ['c', 0]]);
		expect(blended[1]).toMatchObject({ first: 1, second: undefined });
	});

	it('lets one side count alone when the other is empty', () => {
		expect(blendScores(new Map(), new Map([['a', 2], ['b', 1]]), 0.9).map((hit) => hit.score)).toEqual([1, 0]);
		expect(blendScores(new Map([['a', 2]]), new Map(), 0)).toEqual([{ id: 'a', score: 1, first: 1, second: undefined }]);
		expect(blendScores(new Map(), new Map(), 0.5)).toEqual([]);
	});

	it('keeps the order of the first side on ties', () => {
		expect(blendScores(new Map([['b', 3], ['a', 3]]), new Map(), 1).map((hit) => hit.id)).toEqual(['b', 'a']);
	});

	it('gives equal scores 1 when they mean something, 0 when they do not', () => {
		expect([...normaliseScores([3, 3])]).toEqual([1, 1]);
		expect([...normaliseScores([0, 0])]).toEqual([0, 0]);
		expect([...normaliseScores([])]).toEqual([]);
		expect([...normaliseScores([1, NaN, 3])]).toEqual([0, 0, 1]);
	});

	it('stays in 0..1 and names each id once, whatever the scores', () => {
		const side = fc.dictionary(fc.string({ maxLength: 2 }), fc.double()).map((entries) => new Map(Object.entries(entries)));
		fc.assert(
			fc.property(side, side, fc.double(), (first, second, alpha) => {
				const blended = blendScores(first, second, Number.isNaN(alpha) ? 0.5 : alpha);
				expect(new Set(blended.map((hit) => hit.id)).size).toBe(blended.length);
				expect(blended).toHaveLength(new Set([...first.keys(), ...second.keys()]).size);
				for (const { score } of blended) expect(score >= 0 && score <= 1).toBe(true);
			}),
		);
	});
});
