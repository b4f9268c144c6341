import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openStore } from '../../lib/rag/sqlite-store';

const WORKER = path.join(__dirname, '../support/store-worker.mjs');

interface Worker {
	readonly child: ChildProcess;
	readonly lines: string[];
	readonly ended: Promise<unknown>;
}

function startWorker(folder: string, role: 'writer' | 'reader', number: number, milliseconds: number): Worker {
	const running = promisify(execFile)(process.execPath, [WORKER, folder, role, String(number), String(milliseconds)], { maxBuffer: 1e9 });
	const { child } = running;
	const lines: string[] = [];
	let rest = '';
	child.stdout!.on('data', (data: string) => {
		const parts = (rest + data).split('\n');
		rest = parts.pop()!;
		lines.push(...parts);
	});
	child.stderr!.on('data', (data: string) => lines.push(`error: ${data}`));
	return { child, lines, ended: running.catch(() => undefined) };
}

/** The newest version of each document that its writer was told is committed. */
function acknowledged(workers: readonly Worker[], into = new Map<string, number>()): Map<string, number> {
	for (const line of workers.flatMap(({ lines }) => lines)) {
		const [id, version] = line.split(' ');
		if (id!.startsWith('w')) into.set(id!, Number(version));
	}
	return into;
}

const errorsOf = (workers: readonly Worker[]): string[] => workers.flatMap(({ lines }) => lines.filter((line) => /^(?:error|bad)/.test(line) && !/ExperimentalWarning/.test(line)));

describe('the embedded store under several processes', () => {
	const folders: string[] = [];
	const folder = (): string => {
		folders.push(mkdtempSync(path.join(tmpdir(), 'crash-')));
		return folders.at(-1)!;
	};
	afterAll(() => folders.forEach((one) => rmSync(one, { recursive: true })));

	it('loses no committed document and leaves no half one when its writers are killed 100 times', async () => {
		const place = folder();
		let kills = 0;
		for (let round = 0; round < 10; round++) {
			const workers = Array.from({ length: 10 }, (_, number) => startWorker(place, 'writer', number, 60_000));
			while (workers.some(({ lines, child }) => lines.length === 0 && child.exitCode === null)) await new Promise((done) => setTimeout(done, 5));
			await new Promise((done) => setTimeout(done, (round * 37) % 90));
			for (const { child } of workers) if (child.kill('SIGKILL')) kills += 1;
			await Promise.all(workers.map(({ ended }) => ended));
			expect(errorsOf(workers)).toEqual([]);
			const store = openStore({ folder: place, theme: 'shared' });
			expect(await store.verify()).toEqual({ ok: true, problems: [] });
			// A killed writer may have committed more than it could tell; a document's versions are 20 apart.
			for (const [id, version] of acknowledged(workers)) {
				const [stored] = await store.documents({ ids: [id] });
				const ahead = Number(stored?.hash) - version;
				expect({ id, chunks: stored?.chunks, isOlder: ahead < 0, isHalf: ahead % 20 !== 0 }).toEqual({ id, chunks: 3, isOlder: false, isHalf: false });
			}
			await store.close();
		}
		expect(kills).toBe(100);
	}, 120_000);

	it('serves 4 writers and 2 readers at once for 10 s without an error or a half document', async () => {
		const place = folder();
		const first = startWorker(place, 'writer', 9, 200);
		await first.ended;
		const writers = [0, 1, 2, 3].map((number) => startWorker(place, 'writer', number, 10_000));
		const readers = [4, 5].map((number) => startWorker(place, 'reader', number, 10_000));
		await Promise.all([...writers, ...readers].map(({ ended }) => ended));
		expect(errorsOf([...writers, ...readers])).toEqual([]);
		const reads = readers.map(({ lines }) => Number(/^reads (\d+)$/.exec(lines.at(-1) ?? '')?.[1]));
		expect(Math.min(...reads)).toBeGreaterThan(20);
		const store = openStore({ folder: place, theme: 'shared' });
		expect(await store.verify()).toEqual({ ok: true, problems: [] });
		for (const [id, version] of acknowledged(writers)) expect((await store.documents({ ids: [id] }))[0]?.hash).toBe(String(version));
		await store.close();
	}, 60_000);
});
