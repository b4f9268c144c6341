import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openPendingRuns } from '../../lib/storage/pending-runs';
import { openDatabase } from '../../lib/storage/sqlite';

const now = () => 1_000;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'pending-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('gives a run back once, to any process that shares the folder, and again when nothing came of it', async () => {
	const [one, other] = [await openPendingRuns({ folder }, now), await openPendingRuns({ folder }, now)];
	const token = await one.keep({ n: 1 }, 2_000);
	expect(await other.take(token)).toEqual({ n: 1 });
	await expect(one.take(token)).rejects.toThrow('already answered');
	await one.giveBack(token, { n: 1 });
	expect(await other.take(token)).toEqual({ n: 1 });
	one.close();
	other.close();
});

it('tells a token that was never given out from one that is too old', async () => {
	const runs = await openPendingRuns({ folder }, now);
	const late = await runs.keep({}, 999);
	await expect(runs.take(late)).rejects.toThrow('is over');
	await expect(runs.take(`${late}x`)).rejects.toThrow('not given out here');
	runs.close();
});

it('removes the runs that hold a text, as it stands in JSON, and no others', async () => {
	const runs = await openPendingRuns({ folder }, now);
	await runs.keep({ to: 'say "anna_1"' }, 2_000);
	const kept = await runs.keep({ to: 'say "annaX1" or ANNA_1' }, 2_000);
	expect(await runs.erase(['"anna_1"', ''])).toBe(1);
	expect(await runs.take(kept)).toEqual({ to: 'say "annaX1" or ANNA_1' });
	runs.close();
});

it('takes the tokens of a file whose key is kept as bytes', async () => {
	const before = openDatabase(path.join(folder, 'runs.sqlite'), { create: true });
	before.exec('CREATE TABLE keys (id INTEGER PRIMARY KEY CHECK (id = 1), key BLOB NOT NULL)');
	before.run('INSERT INTO keys VALUES (1, ?)', new Uint8Array(32).fill(7));
	before.close();
	const [one, other] = [await openPendingRuns({ folder }, now), await openPendingRuns({ folder }, now)];
	expect(await other.take(await one.keep({ n: 2 }, 2_000))).toEqual({ n: 2 });
	one.close();
	other.close();
});
