import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { memoryLines, restoreMemory } from '../../lib/chat/backup-memory';
import { withMemory, type MemoryPlace } from '../../lib/chat/open-memory';
import { turnOf } from '../contracts/memory.contract';

const folder = mkdtempSync(path.join(tmpdir(), 'memory-backup-'));
afterAll(() => rmSync(folder, { recursive: true }));
const place = (name: string): MemoryPlace => ({ folder: path.join(folder, name) });
const key = (session: string) => ({ memory: 'm', user: 'anne', session });

async function say(to: MemoryPlace, session: string, ...questions: string[]): Promise<void> {
	await withMemory(to, async (store) => {
		for (const question of questions) await store.append(key(session), { at: 5, messages: turnOf(question) });
	});
}

async function linesOf(from: MemoryPlace): Promise<string[]> {
	return await withMemory(from, async (store) => {
		const lines: string[] = [];
		for await (const line of memoryLines(store, '2026-01-01T00:00:00.000Z')) lines.push(line);
		return lines;
	});
}

const restore = async (to: MemoryPlace, lines: readonly string[]) =>
	await withMemory(to, async (store) => await restoreMemory(store, (async function* () { yield* lines; })()));
const sessions = async (of: MemoryPlace): Promise<string[]> => await withMemory(of, async (store) => (await store.list()).map(({ session }) => session));

it('a memory that was backed up and restored is the same, and what the backup does not have is removed', async () => {
	await say(place('a'), 's1', 'one', 'two');
	await say(place('a'), 's2', 'L\'arrêt "N-92c"\n🚜');
	await say(place('b'), 's1', 'other');
	await say(place('b'), 's3', 'gone');
	const lines = await linesOf(place('a'));
	expect(await restore(place('b'), lines)).toEqual({ conversations: 2, turns: 3, removed: 1 });
	expect(await linesOf(place('b'))).toEqual(lines);
	expect(await restore(place('b'), lines)).toEqual({ conversations: 2, turns: 3, removed: 0 });
});

it('a file that was cut off, is another one or is newer is refused, and removes nothing', async () => {
	await say(place('c'), 's1', 'one');
	await say(place('c'), 's2', 'two');
	await say(place('d'), 'mine', 'mine');
	const lines = await linesOf(place('c'));
	for (const broken of [lines.slice(0, 2), [lines[0]!, lines[1]!.slice(0, 20)], [lines[0]!, '{"memory": 3}'], ['{"kind":"reactengine-knowledge-base","version":1}'], [lines[0]!.replace('"version":1', '"version":2')], []]) {
		await expect(restore(place('d'), broken)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('not a whole backup of a memory') });
	}
	expect(await sessions(place('d'))).toContain('mine');
	expect(await restore(place('e'), await linesOf(place('none')))).toEqual({ conversations: 0, turns: 0, removed: 0 });
});
