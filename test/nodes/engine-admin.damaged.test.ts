import { gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import { withMemory } from '../../lib/chat/open-memory';
import { textMessage } from '../../lib/core/message';
import { openOrCreateStore } from '../../lib/rag/sqlite-store';
import { areaFolder, themesFolder } from '../../lib/storage/paths';
import { EngineAdmin } from '../../nodes/EngineAdmin/EngineAdmin.node';
import { add } from '../rag/make-store';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';

const HEAD = { kind: 'reactengine-knowledge-base', version: 1, theme: 'good', embedderId: null, dimension: null, protected: false, createdAt: 'x' };
const CHUNK = { text: 'abc', start: 0, end: 3, titlePath: [] };
const DOCUMENT = { id: 'd9', hash: 'h', meta: {}, acl: [], characters: 3, chunks: [CHUNK] };
const END = { end: true, documents: 1 };
const MEMORY = { kind: 'reactengine-memory', version: 1, createdAt: 'x' };
const TURN = { number: 1, at: 1, messages: [textMessage('user', 'x')], startsFresh: false };
const TALK = { memory: 'm', user: 'ben', session: 's9', updatedAt: 1, turns: [TURN] };
const lines = (...values: unknown[]): Buffer => Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));

async function restore(bytes: Buffer, parameters: IDataObject = {}): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.admin': new EngineAdmin() },
		nodes: [start(), node('Admin', 'p.admin', { operation: 'restore', replace: true, ...parameters })],
		connections: connect(['Start', 'main', 'Admin']),
		input: [{ json: {}, binary: { data: { data: bytes.toString('base64'), mimeType: 'application/gzip' } } }],
	});
}

async function documents(theme: string): Promise<string[]> {
	const store = openOrCreateStore({ folder: themesFolder(), theme }, { createdBy: 'test' });
	const ids = (await store.documents({})).map(({ id }) => id);
	await store.close();
	return ids;
}

beforeAll(async () => {
	const store = openOrCreateStore({ folder: themesFolder(), theme: 'good' }, { createdBy: 'test' });
	await add(store, [{ id: 'd1', text: 'Purger la pompe.' }]);
	await store.close();
	await withMemory({ folder: areaFolder('memory') }, async (memory) => await memory.append({ memory: 'm', user: 'anna', session: 's1' }, { at: 7, messages: [textMessage('user', 'Bonjour')] }));
});

describe('a damaged backup of a knowledge base changes nothing and says what is wrong', () => {
	it.each<[string, Buffer]>([
		['empty', Buffer.alloc(0)],
		['of something else', lines('hello')],
		['without a name', lines({ ...HEAD, theme: undefined }, DOCUMENT, END)],
		['with a name that is none', lines({ ...HEAD, theme: { a: 1 } }, DOCUMENT, END)],
		['with an encoder of no dimension', lines({ ...HEAD, embedderId: 'e', dimension: -1 }, DOCUMENT, END)],
		['with a document without rights', lines(HEAD, { ...DOCUMENT, acl: undefined }, END)],
		['with rights that are no list', lines(HEAD, { ...DOCUMENT, acl: 'all' }, END)],
		['with a title that is a number', lines(HEAD, { ...DOCUMENT, title: 5 }, END)],
		['with a passage that is nothing', lines(HEAD, { ...DOCUMENT, chunks: [null] }, END)],
		['with a passage without text', lines(HEAD, { ...DOCUMENT, chunks: [{ ...CHUNK, text: undefined }] }, END)],
		['with a vector of another length', lines({ ...HEAD, embedderId: 'e', dimension: 3 }, { ...DOCUMENT, chunks: [{ ...CHUNK, vector: 'AAA=' }] }, END)],
		['cut off while packed', gzipSync(lines(HEAD, DOCUMENT, END)).subarray(0, 60)],
		['that is not packed as it says', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(50, 7)])],
	])('%s', async (_what, bytes) => {
		const run = await restore(bytes);
		expect(run.error).toMatchObject({ message: expect.stringMatching(/not a whole backup|cannot be unpacked/), description: expect.stringContaining('Give the file') });
		expect(await documents('good')).toEqual(['d1']);
	});

	it('and a right one with a name that leads elsewhere stays in its folder', async () => {
		const run = await restore(lines({ ...HEAD, theme: '../../../evil' }, DOCUMENT, END));
		expect(run.error).toBeUndefined();
		expect(await documents('../../../evil')).toEqual(['d9']);
	});
});

describe('a damaged backup of conversations changes nothing and says what is wrong', () => {
	it.each<[string, object]>([
		['a turn that is nothing', { ...TALK, turns: [null] }],
		['a turn without messages', { ...TALK, turns: [{ ...TURN, messages: null }] }],
		['messages that are none', { ...TALK, turns: [{ ...TURN, messages: ['x'] }] }],
		['a number that is none', { ...TALK, turns: [{ ...TURN, number: 'x' }] }],
		['a turn twice', { ...TALK, turns: [TURN, TURN] }],
		['a summary that is none', { ...TALK, summary: 'x' }],
	])('with %s', async (_what, conversation) => {
		const run = await restore(lines(MEMORY, conversation, { end: true, conversations: 1 }));
		expect(run.error?.message).toContain('not a whole backup of a memory');
		expect(await withMemory({ folder: areaFolder('memory') }, async (memory) => (await memory.list()).map(({ session }) => session))).toEqual(['s1']);
	});
});
