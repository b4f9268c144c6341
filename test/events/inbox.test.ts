import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventPlace } from '../../lib/events/event-sql';
import { openInbox, type Inbox, type InboxBatch, type TakeOptions } from '../../lib/events/inbox';
import { startPostgres, type TestPostgres } from '../support/postgres';

const now = Date.UTC(2026, 5, 1);
const each: TakeOptions = { now, most: 100, leaseMs: 60_000, gather: 'each', quietMs: 0 };
const ids = (batches: readonly InboxBatch[]): string[] => batches.map(({ events }) => events.map(({ id }) => id).join('+'));

describe.each(['folder', 'postgres'] as const)('the inbox in a %s', (kind) => {
	let postgres: TestPostgres | undefined;
	let folder = '';
	let place: EventPlace;
	let inbox: Inbox;
	let number = 0;

	beforeAll(async () => {
		folder = mkdtempSync(path.join(tmpdir(), 'inbox-'));
		if (kind === 'postgres') postgres = await startPostgres();
		place = postgres ? { postgres: postgres.connection } : { folder };
	}, 60_000);
	afterAll(async () => {
		await postgres?.stop();
		rmSync(folder, { recursive: true });
	});
	beforeEach(async () => {
		inbox = await openInbox(place, `list ${++number}`);
	});
	afterEach(() => inbox.close());

	const put = async (id: string, key = '', at = now) => await inbox.put({ id, key, payload: { id } }, at);

	it('holds an event once, whatever became of it', async () => {
		expect([await put('1'), await put('1'), await put('2')]).toEqual([true, false, true]);
		const [first] = await inbox.take(each);
		await inbox.done(first!.events.map(({ id }) => id));
		expect(await put('1')).toBe(false);
		expect(first?.events[0]).toEqual({ id: '1', key: '', payload: { id: '1' }, receivedAt: now, attempts: 0, error: '' });
	});

	it('gives events of one key in order, one at a time, and other keys beside it', async () => {
		for (const [id, key] of [['a1', 'a'], ['b1', 'b'], ['a2', 'a'], ['x', ''], ['y', '']] as const) await put(id, key);
		expect(ids(await inbox.take(each))).toEqual(['a1', 'b1', 'x', 'y']);
		expect(await inbox.take(each)).toEqual([]);
		await inbox.done(['a1']);
		expect(ids(await inbox.take(each))).toEqual(['a2']);
	});

	it('gathers the events of a key once it was quiet: the last one, or all', async () => {
		await put('a1', 'a', now - 9_000);
		await put('a2', 'a', now - 1_000);
		expect(await inbox.take({ ...each, gather: 'last', quietMs: 5_000 })).toEqual([]);
		const [last] = await inbox.take({ ...each, gather: 'last', quietMs: 5_000, now: now + 4_000 });
		expect([last?.events.map(({ id }) => id), last?.superseded]).toEqual([['a2'], ['a1']]);
		await put('b1', 'b');
		await put('b2', 'b');
		expect(ids(await inbox.take({ ...each, gather: 'all' }))).toEqual(['b1+b2']);
	});

	it('tries a failed event again at its time, before the next of its key, then sets it aside until it is replayed', async () => {
		await put('a1', 'a');
		await put('a2', 'a');
		await inbox.take(each);
		await inbox.failed(['a1'], { error: '503', retryAt: now + 10_000 });
		expect(await inbox.take(each)).toEqual([]);
		const [again] = await inbox.take({ ...each, now: now + 10_000 });
		expect(again?.events[0]).toMatchObject({ id: 'a1', attempts: 1, error: '503' });
		await inbox.failed(['a1'], { error: '503 again', retryAt: null });
		expect(ids(await inbox.take({ ...each, now: now + 10_000 }))).toEqual(['a2']);
		expect(await inbox.list('dead', 10)).toMatchObject([{ id: 'a1', error: '503 again' }]);
		expect([await inbox.replay(['a1', 'a2', 'nothing']), await inbox.counts()]).toEqual([1, { open: 1, taken: 1, done: 0, dead: 0 }]);
	});

	it('gives an event again when its taker did not come back', async () => {
		await put('1');
		await inbox.take(each);
		expect(await inbox.take({ ...each, now: now + 59_999 })).toEqual([]);
		expect(ids(await inbox.take({ ...each, now: now + 60_000 }))).toEqual(['1']);
	});

	it('takes no more than asked for, and forgets only what was handled', async () => {
		for (let i = 0; i < 5; i++) await put(String(i));
		expect(ids(await inbox.take({ ...each, most: 2 }))).toEqual(['0', '1']);
		await inbox.done(['0']);
		expect([await inbox.forget(now + 1), await inbox.counts()]).toEqual([1, { open: 3, taken: 1, done: 0, dead: 0 }]);
	});

	it('keeps lists apart, and large payloads with accents whole', async () => {
		const payload = { texte: 'é'.repeat(200_000) };
		await inbox.put({ id: '1', key: '', payload }, now);
		const [batch] = await inbox.take(each);
		expect(batch?.events[0]?.payload).toEqual(payload);
		const other = await openInbox(place, 'other');
		expect(await other.put({ id: '1', key: '', payload: 1 }, now)).toBe(true);
		other.close();
	});
});

it('takes a few of many waiting events without reading them all', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'inbox-many-'));
	const inbox = await openInbox({ folder }, 'many');
	const text = 'x'.repeat(20_000);
	for (let i = 0; i < 2_000; i++) await inbox.put({ id: String(i), key: 'one machine', payload: { text } }, now);
	const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
	const [batch] = await inbox.take(each);
	expect(batch?.events.map(({ id }) => id)).toEqual(['0']);
	expect(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
	inbox.close();
	rmSync(folder, { recursive: true });
});
