import type { Embedder, EmbedOptions } from '../../lib/core/document';
import { keptFor, QueryVectors, rememberQueries } from '../../lib/inference/query-vectors';

const QUERY: EmbedOptions = { kind: 'query' };

describe('queries that were asked before', () => {
	let sent: string[][];
	let now: number;
	const counting: Embedder = {
		id: 'test/length',
		embed: async (texts) => {
			sent.push([...texts]);
			return texts.map((text) => Float32Array.of(text.trim().length, 1));
		},
	};
	beforeEach(() => {
		sent = [];
		now = 0;
	});
	const remembering = (vectors = new QueryVectors(1000)): Embedder => rememberQueries(counting, vectors, () => now);

	it('are not sent again, in any mixture with new ones, and keep their places', async () => {
		const embedder = remembering();
		await embedder.embed(['pump', 'leak'], QUERY);
		const vectors = await embedder.embed(['oil', 'pump', '', 'oil', 'leak'], QUERY);
		expect(sent).toEqual([['pump', 'leak'], ['oil']]);
		expect(vectors.map((vector) => [...vector])).toEqual([[3, 1], [4, 1], [0, 0], [3, 1], [4, 1]]);
		expect(await embedder.embed(['leak'], QUERY)).toEqual([Float32Array.of(4, 1)]);
		expect(sent).toHaveLength(2);
	});

	it('are shared between embedders of the same settings', async () => {
		const all = new Map<string, QueryVectors>();
		for (const key of ['a', 'a', 'b']) await remembering(keptFor(all, key, () => new QueryVectors())).embed(['pump'], QUERY);
		expect(sent).toEqual([['pump'], ['pump']]);
	});

	it('are sent again when they are too old, or 256 others came', async () => {
		const embedder = remembering();
		await embedder.embed(['pump'], QUERY);
		now = 1001;
		await embedder.embed(['pump'], QUERY);
		await embedder.embed(Array.from({ length: 256 }, (_, at) => `other ${at}`), QUERY);
		await embedder.embed(['pump'], QUERY);
		expect(sent.filter((texts) => texts.includes('pump'))).toHaveLength(3);
	});

	it('are copies: what a caller does to a vector stays with the caller', async () => {
		const embedder = remembering();
		const [first] = await embedder.embed(['pump'], QUERY);
		first![0] = 99;
		const [second, third] = await embedder.embed(['pump', 'pump'], QUERY);
		second![0] = 98;
		expect([third![0], (await embedder.embed(['pump'], QUERY))[0]![0]]).toEqual([4, 4]);
	});

	it('leave passages alone, and stop at once when the signal aborted', async () => {
		const embedder = remembering();
		await embedder.embed(['pump'], { kind: 'passage' });
		await embedder.embed(['pump'], { kind: 'passage' });
		expect(sent).toHaveLength(2);
		await embedder.embed(['pump'], QUERY);
		await expect(embedder.embed(['pump'], { ...QUERY, signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
	});
});
