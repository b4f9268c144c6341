import { openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync, closeSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { withMemory } from '../../lib/chat/open-memory';
import { textMessage } from '../../lib/core/message';
import { openInbox } from '../../lib/events/inbox';
import { openOrCreateStore, openStore } from '../../lib/rag/sqlite-store';
import { areaFolder, themesFolder } from '../../lib/storage/paths';
import { EngineAdmin } from '../../nodes/EngineAdmin/EngineAdmin.node';
import { add } from '../rag/make-store';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';

const STORAGE = { reactEngineStorageApi: { id: 's', name: 's' } };

async function admin(parameters: IDataObject, { input = [{ json: { kept: 1 } }], storage }: { input?: INodeExecutionData[]; storage?: string } = {}): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.admin': new EngineAdmin() },
		nodes: [start(), node('Admin', 'p.admin', parameters, storage === undefined ? {} : { credentials: STORAGE })],
		connections: connect(['Start', 'main', 'Admin']),
		input,
		...(storage !== undefined && { credentials: { s: { kind: 'folder', storage } } }),
	});
}

async function fill(theme: string, texts: readonly string[]): Promise<void> {
	const store = openOrCreateStore({ folder: themesFolder(), theme }, { createdBy: 'test' });
	await add(store, texts.map((text, at) => ({ id: `d${at}`, text })));
	await store.close();
}

async function say(session: string, text: string, storage?: string): Promise<void> {
	const place = { folder: areaFolder('memory', storage) };
	await withMemory(place, async (store) => await store.append({ memory: 'm', user: 'anna', session }, { at: 7, messages: [textMessage('user', text)] }));
}

const sessions = async (storage?: string): Promise<string[]> => await withMemory({ folder: areaFolder('memory', storage) }, async (store) => (await store.list()).map(({ session }) => session));
const results = (run: WorkflowRun, field: string): unknown[] => {
	if (run.error) throw run.error;
	return run.items('Admin').map(({ json }) => json[field]);
};

let saved: INodeExecutionData[];

beforeAll(async () => {
	await fill('procédures', ['Purger la pompe.', 'Fermer la vanne.']);
	await fill('stock', ['36 joints N-92c.']);
	await say('s1', 'Bonjour');
	saved = (await admin({ operation: 'backup' })).items('Admin');
});

describe('a backup of everything', () => {
	it('gives one item with a file for each knowledge base and for the conversations', () => {
		expect(saved.map(({ json }) => json)).toEqual([
			{ kept: 1, backup: { what: 'knowledge base', knowledgeBase: 'procédures', file: expect.stringMatching(/^procedures-.*\.jsonl\.gz$/), at: expect.any(String) } },
			{ kept: 1, backup: { what: 'knowledge base', knowledgeBase: 'stock', file: 'stock.jsonl.gz', at: expect.any(String) } },
			{ kept: 1, backup: { what: 'memory', conversations: 1, file: 'conversation-memory.jsonl.gz', at: expect.any(String) } },
		]);
		expect(saved.map(({ binary }) => binary?.data?.mimeType)).toEqual(['application/gzip', 'application/gzip', 'application/gzip']);
	});

	it('is not restored over what is there, unless told so, and then is what the backup has', async () => {
		const [theme, , memory] = saved;
		expect((await admin({ operation: 'restore' }, { input: [theme!] })).error?.message).toBe('The knowledge base "procédures" holds 2 documents');
		await say('s2', 'Later');
		const refused = await admin({ operation: 'restore' }, { input: [memory!] });
		expect(refused.error).toMatchObject({ message: 'The memory holds 2 conversations', description: expect.stringContaining('Replace What Is There') });
		expect(await sessions()).toEqual(['s1', 's2']);
		expect(results(await admin({ operation: 'restore', replace: true }, { input: [theme!, memory!] }), 'restored')).toEqual([
			{ what: 'knowledge base', knowledgeBase: 'procédures', from: 'procédures', documents: 2, chunks: 2, removed: 0 },
			{ what: 'memory', conversations: 1, turns: 1, removed: 1 },
		]);
		expect(await sessions()).toEqual(['s1']);
	});

	it('is restored whole into another storage, or under another name', async () => {
		expect(results(await admin({ operation: 'restore' }, { input: saved, storage: 'copy' }), 'restored')).toMatchObject([{ documents: 2 }, { documents: 1 }, { conversations: 1 }]);
		expect(await sessions('copy')).toEqual(['s1']);
		expect(results(await admin({ operation: 'restore', into: 'other' }, { input: [saved[1]!] }), 'restored')).toMatchObject([{ knowledgeBase: 'other', from: 'stock', documents: 1 }]);
		expect(results(await admin({ operation: 'backup', what: 'knowledgeBase', knowledgeBase: 'other' }), 'backup')).toMatchObject([{ knowledgeBase: 'other' }]);
		expect(results(await admin({ operation: 'backup', what: 'memory' }), 'backup')).toMatchObject([{ what: 'memory' }]);
	});

	it('is refused when the file is another one, and nothing is removed', async () => {
		const text = (content: string): INodeExecutionData[] => [{ json: {}, binary: { data: { data: Buffer.from(content).toString('base64'), mimeType: 'text/plain', fileName: 'x' } } }];
		for (const [content, message] of [['hello', 'a knowledge base'], ['{"kind":"reactengine-memory","version":1}\n{"memory":1}', 'a memory'], ['{"kind":"reactengine-memory","version":7}', 'version 7'], ['null', 'a knowledge base']]) {
			expect((await admin({ operation: 'restore', replace: true }, { input: text(content!) })).error?.message).toContain(message);
		}
		expect(await sessions()).toEqual(['s1']);
	});
});

/** Overwrites pages in the middle of a file, as a broken disk would. */
function damage(file: string): void {
	for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	const handle = openSync(file, 'r+');
	const { size } = statSync(file);
	writeSync(handle, Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
	closeSync(handle);
}

describe('verify', () => {
	it('says of each store of the storage that it is sound', async () => {
		const inbox = await openInbox({ folder: areaFolder('events') }, 'l');
		await inbox.put({ id: '1', key: '', payload: {} }, 1);
		inbox.close();
		const [item] = (await admin({ operation: 'verify' })).items('Admin');
		expect((item?.json.stores as IDataObject[]).filter(({ ok }) => !ok)).toEqual([]);
		expect(item?.json.ok).toBe(true);
		expect((item?.json.stores as IDataObject[]).map(({ store, name }) => [store, name])).toEqual(expect.arrayContaining([['knowledge base', 'procédures'], ['knowledge base', 'stock'], ['memory', undefined], ['events', undefined]]));
		expect(results(await admin({ operation: 'verify' }, { storage: 'nothing-there' }), 'stores')).toEqual([[]]);
	});

	it('says which file is damaged and what to do, and looks at the others', async () => {
		await say('s9', 'x'.repeat(9_000), 'copy');
		damage(path.join(themesFolder('copy'), readdirSync(themesFolder('copy')).find((name) => name.startsWith('procedures') && name.endsWith('.sqlite'))!));
		damage(path.join(areaFolder('memory', 'copy'), 'conversations.sqlite'));
		writeFileSync(path.join(themesFolder('copy'), 'junk.sqlite'), 'this is no database at all, but long enough to look like one'.repeat(20));
		const [item] = (await admin({ operation: 'verify' }, { storage: 'copy' })).items('Admin');
		expect(item?.json.ok).toBe(false);
		const stores = item?.json.stores as Array<{ store: string; name?: string; file: string; ok: boolean; problems: string[]; remedy?: string }>;
		expect(stores.map(({ store, file, ok }) => [store, path.basename(file).replace(/-[0-9a-f]{12}/, ''), ok])).toEqual([
			['knowledge base', 'junk.sqlite', false],
			['knowledge base', 'procedures.sqlite', false],
			['knowledge base', 'stock.sqlite', true],
			['memory', 'conversations.sqlite', false],
		]);
		for (const { ok, problems, remedy } of stores.filter((one) => !one.ok)) {
			expect([ok, problems.length > 0, remedy]).toEqual([false, true, expect.stringMatching(/backup/)]);
		}
		expect(stores[3]?.remedy).toMatch(/^Stop n8n, move the file away/);
	});

	it('does not disturb the stores that it looks at', async () => {
		const store = openStore({ folder: themesFolder(), theme: 'stock' });
		expect((await store.documents({})).length).toBe(1);
		await store.close();
	});
});
