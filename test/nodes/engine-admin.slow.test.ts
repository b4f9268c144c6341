import { type ChildProcess, execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { withMemory } from '../../lib/chat/open-memory';
import { textMessage } from '../../lib/core/message';
import { testStorage } from '../../lib/n8n/storage';
import { openOrCreateTheme, openTheme } from '../../lib/rag/open-theme';
import { areaFolder, themesFolder } from '../../lib/storage/paths';
import { closePostgres, type PostgresConnection } from '../../lib/storage/postgres';
import { EngineAdmin } from '../../nodes/EngineAdmin/EngineAdmin.node';
import { add } from '../rag/make-store';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { connect, node, runWorkflow, start } from '../support/run-workflow';

jest.setTimeout(90_000);

async function admin(parameters: IDataObject, input: INodeExecutionData[] = [{ json: {} }], storage?: IDataObject): Promise<INodeExecutionData[]> {
	const run = await runWorkflow({
		nodeTypes: { 'p.admin': new EngineAdmin() },
		nodes: [start(), node('Admin', 'p.admin', parameters, storage ? { credentials: { reactEngineStorageApi: { id: 's', name: 's' } } } : {})],
		connections: connect(['Start', 'main', 'Admin']),
		input,
		...(storage && { credentials: { s: storage } }),
	});
	if (run.error) throw run.error;
	return run.items('Admin');
}

function worker(file: string, ...given: string[]): { child: ChildProcess; lines: () => number } {
	let lines = 0;
	const running = promisify(execFile)(process.execPath, [path.join(__dirname, '../support', file), ...given], { maxBuffer: 1e9 });
	// It is killed in the end.
	running.catch(() => undefined);
	const { child } = running;
	child.stdout?.on('data', (data: string) => (lines += data.split('\n').length - 1));
	return { child, lines: () => lines };
}

describe('a backup while other processes write', () => {
	it('restores into stores that are sound, each document and each turn whole', async () => {
		const place = JSON.stringify({ folder: areaFolder('memory') });
		const writers = [worker('store-worker.mjs', themesFolder(), 'writer', '1', '120000'), worker('store-worker.mjs', themesFolder(), 'writer', '2', '120000')];
		const speakers = [worker('memory-worker.mjs', place, 'a', '5000')];
		try {
			while (writers.some(({ lines }) => lines() < 40)) await new Promise((done) => setTimeout(done, 20));
			const before = writers.map(({ lines }) => lines());
			const saved = await admin({ operation: 'backup' });
			expect(saved.map(({ json }) => (json.backup as IDataObject).what)).toEqual(['knowledge base', 'memory']);
			while (writers.some(({ lines }, at) => lines() <= before[at]!)) await new Promise((done) => setTimeout(done, 20));
			expect(writers.every(({ child }) => child.exitCode === null)).toBe(true);
			const restored = (await admin({ operation: 'restore' }, saved, { kind: 'folder', storage: 'copy' })).map(({ json }) => json.restored as IDataObject);
			expect(restored).toMatchObject([{ documents: 40, chunks: 120, removed: 0 }, { conversations: 1, removed: 0 }]);
		} finally {
			for (const { child } of [...writers, ...speakers]) child.kill('SIGKILL');
		}
		expect(await admin({ operation: 'verify' }, undefined, { kind: 'folder', storage: 'copy' })).toMatchObject([{ json: { ok: true, stores: [{ name: 'shared', ok: true }, { store: 'memory', ok: true }] } }]);
		const copy = await openTheme({ folder: themesFolder('copy'), theme: 'shared' });
		for (const { id } of await copy.documents({})) {
			const whole = await copy.whole(id);
			expect(new Set(whole?.chunks.map(({ text }) => text.replace(/ part \d/, ''))).size).toBe(1);
		}
		await copy.close();
		const turns = await withMemory({ folder: areaFolder('memory', 'copy') }, async (store) => (await store.read({ memory: 'shared', user: 'anne', session: 's' }, 10_000)).turns);
		expect(turns.length).toBeGreaterThan(0);
		expect(turns.map(({ number }) => number)).toEqual(turns.map((_turn, at) => at + 1));
	});
});

describe('over Postgres', () => {
	let postgres: TestPostgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	}, 60_000);
	afterAll(async () => await postgres.stop());
	const credential = (): IDataObject => ({ kind: 'postgres', ...postgres.connection });

	it('backs up, restores into files, and verifies; a knowledge base named events is no list of events', async () => {
		const { connection } = postgres;
		const theme = await openOrCreateTheme({ postgres: connection, theme: 'events' }, { createdBy: 'test' });
		await add(theme, ['Purger la pompe.']);
		await theme.close();
		await withMemory({ postgres: connection }, async (store) => await store.append({ memory: 'm', user: 'u', session: 's' }, { at: 1, messages: [textMessage('user', 'Bonjour')] }));
		const saved = await admin({ operation: 'backup' }, undefined, credential());
		expect(saved.map(({ json }) => json.backup)).toMatchObject([{ knowledgeBase: 'events' }, { conversations: 1 }]);
		const restored = await admin({ operation: 'restore' }, saved, { kind: 'folder', storage: 'from-postgres' });
		expect(restored.map(({ json }) => json.restored)).toMatchObject([{ documents: 1 }, { conversations: 1, turns: 1 }]);
		const [{ json } = { json: {} }] = await admin({ operation: 'verify' }, undefined, credential());
		expect(json).toMatchObject({ ok: true, stores: [{ name: 'events' }, { store: 'memory' }, { store: 'events' }, { store: 'waiting runs' }] });
		const [diagnosed] = await admin({ operation: 'diagnose' }, undefined, credential());
		expect((diagnosed?.json.checks as IDataObject[])[3]).toMatchObject({ status: 'ok', detail: expect.stringContaining('with pgvector') });
	});
});

it('the test of an Engine Storage without pgvector succeeds and says what cannot be kept there', async () => {
	const db = await PGlite.create();
	const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0 });
	await server.start();
	const connection: PostgresConnection = { host: '127.0.0.1', port: Number(server.getServerConn().split(':').at(-1)), database: 'postgres', user: 'postgres', password: 'x', ssl: false };
	try {
		const said = await testStorage.call({} as never, { data: { kind: 'postgres', ...connection } });
		expect(said).toEqual({ status: 'OK', message: 'Memories and events can be kept here. Knowledge bases cannot: the server has no extension pgvector; use a Postgres with pgvector 0.8 or newer for those.' });
		const [diagnosed] = await admin({ operation: 'diagnose' }, undefined, { kind: 'postgres', ...connection });
		expect(diagnosed?.json.ok).toBe(true);
		expect((diagnosed?.json.checks as IDataObject[])[3]).toMatchObject({ status: 'warning', remedy: expect.stringContaining('pgvector 0.8') });
	} finally {
		await closePostgres();
		await server.stop();
		await db.close();
	}
	const gone = await testStorage.call({} as never, { data: { kind: 'postgres', ...connection } });
	expect(gone.status).toBe('Error');
});
