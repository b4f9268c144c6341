import fc from 'fast-check';
import { embedJob } from '../../lib/inference/embed-job';
import type { Encoder } from '../../lib/inference/encoder';
import { splitToFit } from '../../lib/inference/split-text';

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length + 2;

describe('splitToFit', () => {
	it('gives parts that fit and that joined are the text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 2, max: 20 }), (text, limit) => {
				const parts = splitToFit(text, limit, (part) => part.length);
				expect(parts.join('')).toBe(text);
				expect(parts.every((part) => part.length <= limit)).toBe(true);
			}),
		);
	});

	it('cuts between words where it can', () => {
		expect(splitToFit('one two three four five six', 5, words)).toEqual(['one two three ', 'four five six']);
	});

	it('does not cut a pair of surrogates in two', () => {
		for (const part of splitToFit('😀'.repeat(9), 4, (text) => text.length)) expect(part).toMatch(/^(?:😀)+$/u);
	});
});

describe('embedJob', () => {
	const encoder = (batches: string[][]): Encoder => ({
		count: (text) => text.length,
		split: (text) => splitToFit(text, 1000, (part) => part.length),
		dispose: async () => undefined,
		encodeTokens: async () => [],
		encode: async (texts) => {
			batches.push([...texts]);
			return texts.map((text) => Float32Array.of(text.startsWith('a') ? 1 : 0, text.startsWith('a') ? 0 : 1));
		},
	});

	it('sorts by length, works in batches and gives results in the order of the texts', async () => {
		const batches: string[][] = [];
		const job = embedJob(encoder(batches), ['b'.repeat(900), 'a', 'b'.repeat(800), 'aa']);
		while (!(await job.step()));
		expect(batches.map((batch) => batch.map((text) => text.length))).toEqual([[1, 2], [800, 900]]);
		expect([...job.result().numbers]).toEqual([0, 1, 1, 0, 0, 1, 1, 0]);
	});

	it('averages the parts of a split text by their length', async () => {
		const job = embedJob(encoder([]), [`${'a'.repeat(800)} ${'b'.repeat(600)}`]);
		while (!(await job.step()));
		const { numbers, splitTexts } = job.result();
		expect(splitTexts).toBe(1);
		expect(numbers[0]! / numbers[1]!).toBeCloseTo(801 / 600, 3);
	});
});
