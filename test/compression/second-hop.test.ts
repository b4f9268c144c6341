import type { Hit } from '../../lib/core/document';
import { compress, type CompressRequest } from '../../lib/compression/compress';
import { pointedAt } from '../../lib/compression/second-hop';

const words = (text: string): string[] => text.toLowerCase().split(' ').filter(Boolean);
const pointing = (titles: string[], question: string, sentences: [number, string, number][]) => ({
	titles: titles.map(words),
	question: words(question),
	sentences: sentences.map(([hit, text]) => ({ hit, tokens: words(text) })),
	relevance: Float64Array.from(sentences, ([, , relevance]) => relevance),
});
const evenly = (): number => 1;

describe('pointedAt', () => {
	it('gives a passage the relevance of the best sentence elsewhere that names its title, by the share that is named', () => {
		const given = pointing(['pump', 'gear box'], 'none', [[0, 'it drives the gear box', 0.8], [0, 'a box', 0.6], [1, 'gear box here', 0.9]]);
		expect([...pointedAt(given, evenly)]).toEqual([0, 0.8]);
	});

	it('counts less than half of a title as nothing', () => {
		const given = pointing(['pump', 'old gear box'], 'none', [[0, 'a box', 1]]);
		expect([...pointedAt(given, evenly)]).toEqual([0, 0]);
	});

	it('lets the question point too, as a sentence of middle relevance', () => {
		expect([...pointedAt(pointing(['pump', 'valve', ''], 'which valve', []), evenly)]).toEqual([0, 0.5, 0]);
	});

	it('points nowhere where all passages bear one title: naming it chooses nothing', () => {
		expect([...pointedAt(pointing(['pump', 'pump'], 'pump', [[0, 'the pump', 1]]), evenly)]).toEqual([0, 0]);
	});
});

describe('a passage that a relevant sentence names', () => {
	const hit = (id: string, title: string, text: string, more: Partial<Hit> = {}): Hit => ({ id, documentId: id, title, text, meta: {}, score: 1, ...more });
	const station = 'Baltic house stands near the port. It was painted in 1990. A gate was added later. The paint is grey today.';
	const other = 'Nothing of this is about ships. The weather is mild there. A road leads to the hill. People like to walk there.';
	const kept = async (more: Partial<Hit> = {}) => {
		const documents = [
			hit('1', 'Anna Lind', 'Anna Lind drew the plans of Karlsson Shipyard. She was born in Lund.'),
			hit('2', 'Karlsson Shipyard', station, more),
			hit('3', 'Hill Road', other),
		];
		const request: CompressRequest = {
			...{ query: 'In which town is what Anna Lind drew the plans of?', history: [], documents, method: 'extract' },
			...{ keepShare: 0.35, maxTokens: 1000, minRelevance: 0 },
		};
		return (await compress(request, {})).documents.map(({ id, text }) => [id, text]);
	};

	it('is drawn in by its opening sentence, which says what the name stands for', async () => {
		expect(await kept()).toContainEqual(['2', expect.stringContaining('Baltic house stands near the port.')]);
	});

	it('has no opening sentence when it begins in the middle of its document', async () => {
		const [, second] = (await kept({ start: 4000 })).find(([id]) => id === '2') ?? [];
		expect(second ?? '').not.toContain('Baltic house');
	});
});
