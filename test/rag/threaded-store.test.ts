import { execFile } from 'node:child_process';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { analyse } from '../../lib/text/analyse';
import { openOrCreateTheme, openTheme, removeTheme } from '../../lib/rag/open-theme';
import { stopStoreThreads, storeThread } from '../../lib/rag/threaded-store';
import { openDatabase } from '../../lib/storage/sqlite';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, find, storeBench } from './make-store';

describe('the embedded store in its thread', () => {
	const bench = storeBench();
	const made = async (theme: string) => await openOrCreateTheme({ folder: bench.folder, theme }, { createdBy: 'test' });
	afterAll(async () => {
		await stopStoreThreads();
		await bench.clean();
	});

	it('goes on after a crash of the thread: the call under way fails with a named error, the next one works', async () => {
		const store = await made('crash');
		await add(store, ['pompe', 'vanne'], fakeEmbedder());
		const { generation } = storeThread('upkeep');
		const underWay = store.search({ tokens: analyse('pompe'), candidates: 5 });
		await storeThread('upkeep').stop();
		await expect(underWay).rejects.toMatchObject({ code: 'INTERNAL', retryable: true });
		expect(await find(store, 'pompe')).toEqual(['d0']);
		expect(storeThread('upkeep').generation).toBe(generation + 1);
		await storeThread('upkeep').stop();
		await store.close();
		await removeTheme({ folder: bench.folder, theme: 'crash' });
		await expect(openTheme({ folder: bench.folder, theme: 'crash' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
	});

	it('gives the errors of the store as they are', async () => {
		const store = await made('errors');
		await add(store, ['pompe'], fakeEmbedder());
		const search = store.search({ tokens: [], vector: new Float32Array(3), candidates: 5 });
		await expect(search).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('was built with'), remedy: expect.any(String) });
		await store.close();
	});

	it('sees at once what another connection of this process wrote in line', async () => {
		const inLine = bench.store('both');
		await add(inLine, [{ id: 'a', text: 'pompe', acl: ['u:a'] }]);
		const threaded = await openTheme({ folder: bench.folder, theme: 'both' });
		expect(await find(threaded, 'pompe', { acl: ['u:a'] })).toEqual(['a']);
		await inLine.change([{ id: 'a', acl: ['u:b'] }]);
		expect(await find(threaded, 'pompe', { acl: ['u:a'] })).toEqual([]);
		expect(await find(threaded, 'pompe', { acl: ['u:b'] })).toEqual(['a']);
		await threaded.close();
	});

	it('keeps a process alive for its work, and no longer', async () => {
		const script = `
			const { openOrCreateTheme } = require(${JSON.stringify(path.join(__dirname, '../../dist/lib/rag/open-theme.js'))});
			void openOrCreateTheme({ folder: ${JSON.stringify(bench.folder)}, theme: 'child' }, { createdBy: 'test' })
				.then(async (store) => console.log((await store.describe()).documents));`;
		const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script], { timeout: 20_000 });
		expect(stdout.trim()).toBe('0');
	});

	it('answers searches while a compaction, a verification, a backup and a new document wait or work', async () => {
		const store = await made('upkeep');
		await add(store, ['pompe rouge', 'vanne bleue'], fakeEmbedder());
		// Another writer holds the lock: the thread for upkeep stands still in its first step, whatever else it is asked.
		const writer = openDatabase(path.join(bench.folder, 'upkeep.sqlite'), { create: false });
		writer.exec('BEGIN IMMEDIATE');
		const done: string[] = [];
		const work = [
			store.compact().then(() => done.push('compact')),
			store.verify().then(({ ok }) => done.push(`verify ${ok}`)),
			store.whole('d0').then((whole) => done.push(`backup ${whole?.chunks.length}`)),
			add(store, [{ id: 'new', text: 'pompe neuve' }], fakeEmbedder()).then(() => done.push('put')),
		];
		const searching = await openTheme({ folder: bench.folder, theme: 'upkeep' }, 'search');
		for (let n = 0; n < 5; n++) expect((await find(searching, 'pompe', { embedder: fakeEmbedder() }))[0]).toBe('d0');
		expect(done).toEqual([]);
		writer.exec('ROLLBACK');
		writer.close();
		await Promise.all(work);
		expect(done.sort()).toEqual(['backup 1', 'compact', 'put', 'verify true']);
		expect((await find(searching, 'pompe neuve'))[0]).toBe('new');
		await searching.close();
		await store.close();
	});

	it('leaves the main loop free while it works', async () => {
		const store = await made('stall');
		await add(store, Array.from({ length: 400 }, (_, n) => `pompe ${n} ${'vanne moteur joint '.repeat(40)}`));
		const delay = monitorEventLoopDelay({ resolution: 1 });
		delay.enable();
		await Promise.all(Array.from({ length: 40 }, () => store.search({ tokens: analyse('pompe moteur joint'), candidates: 50 })));
		await store.verify();
		delay.disable();
		expect(delay.percentile(50) / 1e6).toBeLessThan(20);
		await store.close();
	});
});
