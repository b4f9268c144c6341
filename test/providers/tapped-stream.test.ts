import { deferredStream, tappedStream } from '../../lib/providers/tapped-stream';

/** A source that tells whether it was ended before its time. */
function source(values: readonly number[]): { stream: () => AsyncIterable<number>; log: string[] } {
	const log: string[] = [];
	async function* stream(): AsyncGenerator<number> {
		let isWhole = false;
		try {
			yield* values;
			isWhole = true;
		} finally {
			log.push(isWhole ? 'whole' : 'left');
		}
	}
	return { stream, log };
}

async function read(stream: AsyncIterable<number>, most = Infinity): Promise<number[]> {
	const seen: number[] = [];
	for await (const value of stream) {
		seen.push(value);
		if (seen.length === most) break;
	}
	return seen;
}

describe('tappedStream', () => {
	it('gives each event as the tap leaves it, in order', async () => {
		const { stream, log } = source([1, 2, 3]);
		expect(await read(tappedStream(stream, () => (value) => value * 10))).toEqual([10, 20, 30]);
		expect(log).toEqual(['whole']);
	});

	it('begins anew for each reading, and not before it', async () => {
		const { stream } = source([1, 1]);
		let began = 0;
		const counted = tappedStream(stream, () => {
			began += 1;
			let sum = 0;
			return (value) => (sum += value);
		});
		expect(began).toBe(0);
		expect([await read(counted), await read(counted), began]).toEqual([[1, 2], [1, 2], 2]);
	});

	it('ends the source when the reader leaves, and when the tap throws', async () => {
		const { stream, log } = source([1, 2, 3]);
		expect(await read(tappedStream(stream, () => (value) => value), 1)).toEqual([1]);
		const refusing = tappedStream(stream, () => (value) => {
			if (value === 2) throw new Error('too long');
			return value;
		});
		await expect(read(refusing)).rejects.toThrow('too long');
		expect(log).toEqual(['left', 'left']);
	});

	it('passes a failure of the source, and of the beginning, on', async () => {
		async function* failing(): AsyncGenerator<number> {
			yield 1;
			throw new Error('lost');
		}
		await expect(read(tappedStream(failing, () => (value) => value))).rejects.toThrow('lost');
		const refused = tappedStream(failing, () => {
			throw new Error('refused');
		});
		await expect(read(refused)).rejects.toThrow('refused');
	});
});

describe('deferredStream', () => {
	it('opens once, at the first read', async () => {
		const { stream } = source([1, 2]);
		let opened = 0;
		const deferred = deferredStream(async () => {
			opened += 1;
			return stream();
		});
		expect(opened).toBe(0);
		expect(await read(deferred)).toEqual([1, 2]);
		expect(opened).toBe(1);
	});

	it('ends what it opened when the reader leaves', async () => {
		const { stream, log } = source([1, 2]);
		await read(deferredStream(async () => stream()), 1);
		expect(log).toEqual(['left']);
	});

	it('tells a failure to open at each read, and does not try again', async () => {
		let tries = 0;
		const events = deferredStream<number>(async () => {
			tries += 1;
			throw new Error('refused');
		})[Symbol.asyncIterator]();
		await expect(events.next()).rejects.toThrow('refused');
		await expect(events.next()).rejects.toThrow('refused');
		expect(tries).toBe(1);
	});

	it('has nothing to end before it was read', async () => {
		const deferred = deferredStream<number>(async () => {
			throw new Error('never');
		});
		expect(await deferred[Symbol.asyncIterator]().return?.()).toEqual({ done: true, value: undefined });
	});
});
