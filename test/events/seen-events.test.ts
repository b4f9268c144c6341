import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EventPlace } from '../../lib/events/event-sql';
import { openSeenEvents } from '../../lib/events/seen-events';
import { startPostgres, type TestPostgres } from '../support/postgres';

const now = Date.UTC(2026, 5, 1);
const day = 86_400_000;

describe.each(['folder', 'postgres'] as const)('events seen, kept in a %s', (kind) => {
	let postgres: TestPostgres | undefined;
	let folder = '';
	let place: EventPlace;

	beforeAll(async () => {
		folder = mkdtempSync(path.join(tmpdir(), 'seen-'));
		if (kind === 'postgres') postgres = await startPostgres();
		place = postgres ? { postgres: postgres.connection } : { folder };
	}, 60_000);
	afterAll(async () => {
		await postgres?.stop();
		rmSync(folder, { recursive: true });
	});

	const open = async (at = now) => await openSeenEvents(place, { now: at, keepMs: 7 * day });

	it('are new once in each scope, also for another process', async () => {
		const seen = await open();
		expect([await seen.claim('a', '1'), await seen.claim('a', '1'), await seen.claim('b', '1'), await seen.claim('a', '2')]).toEqual([true, false, true, true]);
		seen.close();
		const again = await open();
		expect(await again.claim('a', '1')).toBe(false);
		again.close();
	});

	it('are new again once forgotten, or after their time', async () => {
		const seen = await open();
		await seen.claim('c', '1');
		expect([await seen.forget('c', '1'), await seen.forget('c', '1'), await seen.claim('c', '1')]).toEqual([true, false, true]);
		seen.close();
		const later = await open(now + 8 * day);
		expect(await later.claim('c', '1')).toBe(true);
		later.close();
	});

	it('let exactly one of many concurrent deliveries through', async () => {
		const deliver = async (i: number): Promise<boolean> => {
			const seen = await open();
			const isNew = await seen.claim('storm', String(i % 10));
			seen.close();
			return isNew;
		};
		const results: boolean[] = [];
		// The test's Postgres has one session for all: there, one after the other.
		const atOnce = kind === 'postgres' ? 1 : 50;
		for (let start = 0; start < 200; start += atOnce) {
			results.push(...(await Promise.all(Array.from({ length: atOnce }, async (_, i) => await deliver(start + i)))));
		}
		expect(results.filter(Boolean)).toHaveLength(10);
	}, 30_000);

	it('hold ids of any length and kind', async () => {
		const seen = await open();
		const long = 'é'.repeat(100_000);
		expect([await seen.claim('d', long), await seen.claim('d', long), await seen.claim('d', `${long}.`), await seen.claim('d', '')]).toEqual([true, false, true, true]);
		seen.close();
	});
});
