import { inSlices } from '../../lib/inference/slices';

const upper = async (slice: readonly string[]): Promise<string[]> => slice.map((text) => text.toUpperCase());

describe('texts in slices', () => {
	it('give results in their own order', async () => {
		const texts = Array.from({ length: 1000 }, (_, at) => `${'x'.repeat((at * 37) % 90)}${at}`);
		expect(await inSlices(texts, upper)).toEqual(texts.map((text) => text.toUpperCase()));
		expect(await inSlices([], upper)).toEqual([]);
	});

	it('are at most 256 texts and 256 KB, those of like length together', async () => {
		const slices: number[][] = [];
		const texts = [...Array.from({ length: 300 }, (_, at) => 'x'.repeat(at % 2 === 0 ? 10 : 20)), 'y'.repeat(300_000), 'z'.repeat(100_000), 'z'.repeat(200_000)];
		await inSlices(texts, async (slice) => (slices.push(slice.map(({ length }) => length)), slice));
		expect(slices.map(({ length }) => length)).toEqual([256, 45, 1, 1]);
		expect(slices.flat()).toEqual(slices.flat().sort((a, b) => a - b));
	});

	it('go out two at a time', async () => {
		let running = 0;
		let most = 0;
		await inSlices(Array.from({ length: 2000 }, () => 'x'), async (slice) => {
			most = Math.max(most, (running += 1));
			await new Promise((resolve) => setImmediate(resolve));
			running -= 1;
			return slice;
		});
		expect(most).toBe(2);
	});

	it('begin no further slice after a failure', async () => {
		let begun = 0;
		const failing = inSlices(Array.from({ length: 2000 }, () => 'x'), async () => {
			begun += 1;
			return await Promise.reject(new Error('broken'));
		});
		await expect(failing).rejects.toThrow('broken');
		expect(begun).toBe(2);
	});
});
