import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { storedId } from '../../lib/events/event-id';
import { eraseEvents, findEvents } from '../../lib/events/held-events';
import { openInbox, type Inbox, type TakeOptions } from '../../lib/events/inbox';
import { QueueRunner, type QueueRules } from '../../lib/events/queue-runner';
import { openPendingRuns } from '../../lib/storage/pending-runs';
import { fakePorts } from '../support/fake-ports';
import { startPostgres } from '../support/postgres';

const now = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;
const each: TakeOptions = { now, most: 100, leaseMs: 60_000, gather: 'each', quietMs: 0 };
let folder = '';
let inbox: Inbox;
beforeEach(async () => {
	folder = mkdtempSync(path.join(tmpdir(), 'inbox-'));
	inbox = await openInbox({ folder }, 'erp');
});
afterEach(() => {
	inbox.close();
	rmSync(folder, { recursive: true });
});
const put = async (id: string, at = now, payload: unknown = {}) => await inbox.put({ id, key: '', payload }, at);

describe('a taker that comes too late', () => {
	it('does not open an event again that another has handled or holds', async () => {
		await put('1');
		await put('2');
		const late = await inbox.take(each);
		const others = await inbox.take({ ...each, now: now + 60_000 });
		expect(others).toHaveLength(2);
		await inbox.done(['1']);
		for (const { events, until } of late) await inbox.failed(events.map(({ id }) => id), { error: 'too late', retryAt: now, until });
		expect(await inbox.counts()).toEqual({ open: 0, taken: 1, done: 1, dead: 0 });
	});

	it('that dies each time sets the event aside after as many tries as a run has', async () => {
		await put('1');
		for (let tries = 0; tries < 3; tries++) expect(await inbox.take({ ...each, maxAttempts: 3, now: now + tries * 60_000 })).toHaveLength(1);
		expect(await inbox.take({ ...each, maxAttempts: 3, now: now + 180_000 })).toEqual([]);
		expect(await inbox.list('dead', 1)).toMatchObject([{ id: '1', error: expect.stringContaining('without a word') }]);
		expect([await inbox.replay(['1']), (await inbox.take({ ...each, maxAttempts: 3, now: now + DAY })).length]).toEqual([1, 1]);
	});
});

describe('a clock that was wrong', () => {
	it('ahead does not hold events back once it is right again', async () => {
		await put('in the future', now + 365 * DAY);
		await put('taken in the future');
		await put('waits for the future');
		expect(await inbox.take({ ...each, now: now + 365 * DAY })).toHaveLength(3);
		await inbox.failed(['waits for the future'], { error: 'x', retryAt: now + 365 * DAY });
		expect(await inbox.take(each)).toHaveLength(3);
	});

	it('a little ahead at the receiver holds nothing back where nothing is gathered', async () => {
		await put('1', now + 2_000);
		expect(await inbox.take(each)).toHaveLength(1);
	});
});

describe('two at once in one process', () => {
	it('do not wait for each other with the whole process', async () => {
		const other = await openInbox({ folder }, 'erp');
		await put('1');
		const [first, isNew, second] = await Promise.all([inbox.take(each), other.put({ id: '2', key: '', payload: {} }, now), other.take(each)]);
		expect([first.length, isNew, second.length]).toEqual([1, true, 1]);
		other.close();
		const tokens = await Promise.all(Array.from({ length: 5 }, async () => {
			const pending = await openPendingRuns({ folder }, () => now);
			const token = await pending.keep({ n: 1 }, now + DAY);
			await pending.take(token);
			pending.close();
			return token;
		}));
		expect(new Set(tokens).size).toBe(5);
	});

	it('looks at a slow store begin no more than may run at once', async () => {
		const ports = fakePorts();
		for (let i = 0; i < 6; i++) await put(`e${i}`);
		let free: () => void = () => undefined;
		const slow = new Promise<void>((resolve) => (free = resolve));
		const open = async (): Promise<Inbox> => {
			await slow;
			return await openInbox({ folder }, 'erp');
		};
		let begun = 0;
		const rules: QueueRules = { gather: 'each', quietMs: 0, leaseMs: 60_000, atOnce: 2, perMinute: 0, maxAttempts: 3, retryMs: 1, keepMs: DAY };
		const runner = new QueueRunner(open, async () => await new Promise<void>(() => void (begun += 1)), rules, ports);
		const looks = [runner.tick(), runner.tick(), runner.tick()];
		free();
		await Promise.all(looks);
		expect(begun).toBe(2);
	});
});

describe('an id or an error that no index or text column takes', () => {
	it('becomes a hash, always the same', () => {
		const long = 'x'.repeat(100_000);
		expect(storedId(long)).toMatch(/^sha256:[\da-f]{64}$/);
		expect([storedId(long), storedId('a\0b'), storedId('R 1')]).toEqual([storedId(long), expect.stringContaining('sha256:'), 'R 1']);
	});

	it('is written down without what Postgres refuses', async () => {
		await put('1');
		await inbox.failed(['1'], { error: 'bad \0 byte', retryAt: null });
		expect((await inbox.list('dead', 1))[0]?.error).toBe('bad   byte');
	});
});

describe('erasing a person', () => {
	const bytes = (): string => readdirSync(folder).map((name) => readFileSync(path.join(folder, name)).toString('latin1')).join('\n');

	it('finds a name in other letters, other accents, escapes, keys and errors', async () => {
		await put('1', now, { from: 'ÉLODIE Durand' });
		await put('2', now, { from: 'E\u0301lodie Durand'.normalize('NFD') });
		await put('3', now, { raw: '{"from": "\\u00c9lodie Durand"}' });
		await put('4');
		await inbox.failed(['4'], { error: 'No mail to élodie durand', retryAt: null });
		await inbox.put({ id: '5', key: 'Élodie Durand', payload: {} }, now);
		await put('6', now, { from: 'Ben' });
		expect((await findEvents({ folder }, ['élodie durand'])).map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
		expect(await eraseEvents({ folder }, ['élodie durand', 'durand'])).toBe(5);
		expect(await inbox.counts()).toMatchObject({ open: 1, dead: 0 });
		const pending = await openPendingRuns({ folder }, () => now);
		await pending.keep({ q: 'Écrire à ÉLODIE' }, now + DAY);
		expect([(await pending.find(['élodie'])).length, await pending.erase(['écrire à élodie'])]).toEqual([1, 1]);
		pending.close();
	});

	it('leaves nothing of the text in the bytes of the files, also where another has them open', async () => {
		const text = 'anna.martin@example.com';
		for (let i = 0; i < 50; i++) await put(`e${i}`, now, { from: text, long: text.repeat(300) });
		const pending = await openPendingRuns({ folder }, () => now);
		await pending.keep({ q: text.repeat(500) }, now + DAY);
		expect(bytes()).toContain(text);
		await eraseEvents({ folder }, [text]);
		await pending.erase([text]);
		expect(bytes()).not.toContain('anna.martin');
		pending.close();
	});
});

it('in a Postgres too: late takers, NUL in an error, what kills its takers, and erasing in any spelling', async () => {
	const postgres = await startPostgres();
	const place = { postgres: postgres.connection };
	const shared = await openInbox(place, 'erp');
	for (const id of ['1', '2']) await shared.put({ id, key: '', payload: { from: 'ÉLODIE' } }, now);
	const [late] = await shared.take({ ...each, most: 1 });
	expect(await shared.take({ ...each, now: now + 60_000 })).toHaveLength(2);
	await shared.failed(['1'], { error: 'late', retryAt: now, until: late!.until });
	expect(await shared.counts()).toMatchObject({ open: 0, taken: 2 });
	expect(await shared.take({ ...each, now: now + 120_000, maxAttempts: 2 })).toHaveLength(1);
	await shared.failed(['2'], { error: 'bad \0 byte', retryAt: null });
	expect((await shared.list('dead', 9)).map(({ id, error }) => [id, error.slice(0, 10)])).toEqual([['1', 'Each run w'], ['2', 'bad   byte']]);
	shared.close();
	expect((await findEvents(place, ['e\u0301lodie'])).map(({ id }) => id)).toEqual(['1', '2']);
	expect(await eraseEvents(place, ['élodie'])).toBe(2);
	const pending = await openPendingRuns(place, () => now);
	await pending.keep({ q: 'ÉLODIE' }, now + DAY);
	expect([(await pending.find(['élodie'])).length, await pending.erase(['élodie']), await pending.erase(['élodie'])]).toEqual([1, 1, 0]);
	pending.close();
	await postgres.stop();
}, 60_000);
