import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openInbox, type Inbox, type InboxBatch } from '../../lib/events/inbox';
import { QueueRunner, type QueueRules } from '../../lib/events/queue-runner';
import { fakePorts } from '../support/fake-ports';

let folder = '';
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'queue-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const rules: QueueRules = { gather: 'each', quietMs: 0, leaseMs: 60_000, atOnce: 5, perMinute: 0, maxAttempts: 3, retryMs: 10_000, keepMs: 86_400_000 };
const settle = async (): Promise<void> => {
	for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

async function begin(over: Partial<QueueRules> = {}, handle: (batch: InboxBatch) => Promise<void> = async () => undefined) {
	const ports = fakePorts({ realSleepFromMs: Infinity });
	const handled: string[] = [];
	const open = async (): Promise<Inbox> => await openInbox({ folder }, 'l');
	const runner = new QueueRunner(open, async (batch) => {
		handled.push(batch.events.map(({ id }) => id).join('+'));
		await handle(batch);
	}, { ...rules, ...over }, ports);
	const inbox = await open();
	const put = async (...ids: string[]): Promise<void> => {
		for (const id of ids) await inbox.put({ id, key: id.slice(0, 1) === '-' ? '' : id.slice(0, 1), payload: {} }, ports.clock.now());
	};
	const tick = async (): Promise<number> => {
		const begun = await runner.tick();
		await settle();
		return begun;
	};
	return { ports, handled, runner, inbox, put, tick };
}

describe('the queue', () => {
	it('has each event handled once, those of one key one after the other', async () => {
		const { handled, inbox, put, tick } = await begin();
		await put('a1', 'a2', 'b1');
		await tick();
		expect(handled).toEqual(['a1', 'b1']);
		await tick();
		await tick();
		expect(handled).toEqual(['a1', 'b1', 'a2']);
		expect(await inbox.counts()).toEqual({ open: 0, taken: 0, done: 3, dead: 0 });
		inbox.close();
	});

	it('begins no more runs at once, and within a minute, than it may', async () => {
		let release: Array<() => void> = [];
		const { handled, inbox, ports, put, tick } = await begin({ atOnce: 2, perMinute: 3 }, async () => await new Promise<void>((resolve) => release.push(resolve)));
		await put('a1', 'b1', 'c1', 'd1', 'e1');
		await tick();
		expect(await tick()).toBe(0);
		expect(handled).toHaveLength(2);
		release.forEach((free) => free());
		release = [];
		await settle();
		await tick();
		expect(handled).toHaveLength(3);
		release.forEach((free) => free());
		await settle();
		expect(await tick()).toBe(0);
		await ports.clock.sleep(60_000);
		await tick();
		expect(handled).toHaveLength(5);
		release.forEach((free) => free());
		await settle();
		inbox.close();
	});

	it('tries a failed event again after 10 s, 20 s, then sets it aside with the reason', async () => {
		const { handled, inbox, ports, put, tick } = await begin({}, async () => await Promise.reject(new Error('the ERP is down')));
		await put('a1');
		await tick();
		await ports.clock.sleep(9_999);
		expect(await tick()).toBe(0);
		await ports.clock.sleep(1);
		await tick();
		await ports.clock.sleep(19_999);
		expect(await tick()).toBe(0);
		await ports.clock.sleep(1);
		await tick();
		expect(handled).toEqual(['a1', 'a1', 'a1']);
		expect(await inbox.list('dead', 9)).toMatchObject([{ id: 'a1', error: 'the ERP is down', attempts: 3 }]);
		inbox.close();
	});

	it('goes on when the store is gone for a while', async () => {
		const { ports } = await begin();
		const runner = new QueueRunner(async () => await Promise.reject(new Error('connection refused')), async () => undefined, rules, ports);
		expect(await runner.tick()).toBe(0);
		expect(ports.logged.at(-1)?.message).toContain('connection refused');
	});

	it('forgets what was handled long ago, and nothing else', async () => {
		const { inbox, ports, put, runner, tick } = await begin();
		await put('a1', 'b1');
		await tick();
		await ports.clock.sleep(86_400_001);
		await put('c1');
		expect([await runner.tidy(), (await inbox.counts()).open]).toEqual([2, 1]);
		inbox.close();
	});
});
