import type { Hit } from '../../lib/core/document';
import type { ChatModel, ModelRequest } from '../../lib/core/model';
import { checkWeight, judgedReranker, scoredReranker } from '../../lib/rag/rerank';

const hit = (id: string, score: number, text = id): Hit => ({ id, documentId: id, text, meta: {}, score });
const HITS = [hit('a', 0.9), hit('b', 0.5), hit('c', 0.1)];
const order = (hits: readonly Hit[]): string => hits.map(({ id }) => id).join('');

describe('scored reranker', () => {
	const reranker = (weight: number) => scoredReranker(async () => [0.1, 0.2, 0.6], weight);

	it.each([
		[1, 'cba'],
		[0, 'abc'],
		[0.4, 'acb'],
		[0.8, 'cba'],
	])('blends with the first score by weight %p', async (weight, expected) => {
		expect(order(await reranker(weight)({ query: 'q', hits: HITS }))).toBe(expected);
	});

	it('keeps both scores, gives scores of 0..1, and at most as many as wanted', async () => {
		const [first, ...rest] = await reranker(1)({ query: 'q', hits: HITS, topK: 2 });
		expect(first).toEqual({ ...HITS[2], score: 1, scores: { first: 0.1, rerank: 0.6 } });
		expect(rest).toHaveLength(1);
		expect(await reranker(1)({ query: 'q', hits: [] })).toEqual([]);
	});

	it('reads the headings above a passage too', async () => {
		const asked: string[] = [];
		const spy = scoredReranker(async (query, texts) => (asked.push(query, ...texts), [1]), 1);
		await spy({ query: 'q', hits: [{ ...hit('a', 1, 'text'), section: 'Pump › Seals' }] });
		expect(asked).toEqual(['q', 'Pump › Seals\ntext']);
	});

	it.each([-0.1, 1.1, Number.NaN])('refuses the weight %p', (weight) => expect(() => checkWeight(weight)).toThrow('weight of the reranker'));
});

describe('model as judge', () => {
	const logged: string[] = [];
	const requests: ModelRequest[] = [];
	beforeEach(() => {
		logged.length = 0;
		requests.length = 0;
	});

	function judge(reply: string, responseSchema: 'yes' | 'no' = 'no'): ChatModel {
		return {
			id: 'test/judge',
			capabilities: { tools: 'no', responseSchema, images: 'no' },
			async *stream(request) {
				requests.push(request);
				yield { type: 'text-delta', text: reply };
				yield { type: 'finish', reason: 'stop', usage: { inputTokens: null, outputTokens: null } };
			},
		};
	}
	const rerank = async (reply: string, hits = HITS, responseSchema?: 'yes' | 'no') =>
		await judgedReranker(judge(reply, responseSchema), (_level, message) => void logged.push(message))({ query: 'leak?', hits });

	it.each([
		['{"grades": [2, 10, 5]}'],
		['Here you are:\n```json\n{"grades":[2,10,5],}\n```'],
		['[2, "10", 5]'],
	])('orders by the grades of %j', async (reply) => {
		const ranked = await rerank(reply);
		expect(ranked.map(({ id, score }) => [id, score])).toEqual([['b', 1], ['c', 0.5], ['a', 0.2]]);
		expect(ranked[0]?.scores).toEqual({ first: 0.5, rerank: 1 });
	});

	it.each([['I cannot judge.'], ['{"grades":[1,2]}'], ['{"grades":["good","bad","x"]}']])('keeps the order, with a warning, for %j', async (reply) => {
		expect(order(await rerank(reply))).toBe('abc');
		expect(logged).toEqual([expect.stringContaining('could not be read')]);
	});

	it('asks once, at temperature 0, with passages cut and held to a schema where the model can', async () => {
		await rerank('{"grades":[1]}', [hit('a', 1, 'x'.repeat(5000))], 'yes');
		await rerank('{"grades":[1]}', [hit('a', 1)]);
		expect(requests).toHaveLength(2);
		expect(requests[0]).toMatchObject({ temperature: 0, responseSchema: expect.objectContaining({ required: ['grades'] }) });
		expect(JSON.stringify(requests[0]).length).toBeLessThan(2500);
		expect(requests[1]?.responseSchema).toBeUndefined();
	});

	it('leaves what is behind the first 30 behind', async () => {
		const many = Array.from({ length: 32 }, (_, i) => hit(`h${i}`, 1 - i / 100));
		const ranked = await rerank(`{"grades":[${Array.from({ length: 30 }, (_, i) => i % 10).join(',')}]}`, many);
		expect(ranked).toHaveLength(32);
		expect(ranked.slice(-2).map(({ id }) => id)).toEqual(['h30', 'h31']);
	});

	it('asks nothing for no passages', async () => {
		expect(await rerank('', [])).toEqual([]);
		expect(requests).toEqual([]);
	});
});
