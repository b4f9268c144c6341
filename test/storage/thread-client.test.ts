import path from 'node:path';
import { ThreadClient } from '../../lib/storage/thread-client';

const file = path.join(__dirname, '../support/answering-thread.mjs');

describe('a thread that answers calls', () => {
	const clients: ThreadClient[] = [];
	const client = (options: { file?: string; idleMs?: number; youngMb?: number } = {}): ThreadClient => {
		const made = new ThreadClient({ file, what: 'tests', idleMs: 60_000, ...options });
		clients.push(made);
		return made;
	};
	afterAll(async () => {
		for (const one of clients) await one.stop();
	});

	it('answers many calls at once from one thread, and gives its errors with their codes', async () => {
		const thread = client();
		const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => thread.call('double', [n])));
		expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => 2 * n));
		await expect(thread.call('double', ['five'])).rejects.toMatchObject({ code: 'BAD_INPUT', message: 'five is no number', remedy: 'Give one.' });
		await expect(thread.call('double', [() => 1])).rejects.toThrow('could not be cloned');
		expect(await thread.call('double', [4])).toBe(8);
		expect(thread.generation).toBe(1);
	});

	it.each([['crash', 'exit code 3'], ['throw', 'broken inside']])('fails the calls under way when it ends by %s, and starts anew', async (how, why) => {
		const thread = client();
		const waiting = thread.call('wait', [60_000]);
		const crash = thread.call(how, [60_000]);
		for (const call of [waiting, crash]) {
			await expect(call).rejects.toMatchObject({ code: 'INTERNAL', retryable: true, message: `The thread of the tests ended (${why})` });
		}
		expect(await thread.call('double', [2])).toBe(4);
		expect(thread.generation).toBe(2);
	});

	it('says that it cannot start, and does not try again', async () => {
		const absent = client({ file: `${file}.absent` });
		expect(await absent.start()).toBe(false);
		expect(await absent.start()).toBe(false);
		expect(absent.generation).toBe(1);
		const relative = client({ file: 'no/absolute/path' });
		expect(await relative.start()).toBe(false);
		expect(await client().start()).toBe(true);
	});

	it('keeps the garbage of the thread small where it is told to', async () => {
		expect(await client({ youngMb: 6 }).call('limits', [])).toMatchObject({ maxYoungGenerationSizeMb: 6 });
	});

	it('ends when it is idle, not while a call is under way', async () => {
		const thread = client({ idleMs: 30 });
		expect(await thread.start()).toBe(true);
		await thread.call('wait', [120]);
		expect(thread.isRunning).toBe(true);
		for (let i = 0; i < 400 && thread.isRunning; i++) await new Promise((done) => setTimeout(done, 10));
		expect(thread.isRunning).toBe(false);
		expect(await thread.call('double', [1])).toBe(2);
	});
});
