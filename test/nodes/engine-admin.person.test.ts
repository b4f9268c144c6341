import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { withMemory } from '../../lib/chat/open-memory';
import { textMessage } from '../../lib/core/message';
import { openInbox } from '../../lib/events/inbox';
import { areaFolder } from '../../lib/storage/paths';
import { openPendingRuns } from '../../lib/storage/pending-runs';
import { EngineAdmin } from '../../nodes/EngineAdmin/EngineAdmin.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';

async function admin(parameters: IDataObject): Promise<IDataObject> {
	const run = await runWorkflow({ nodeTypes: { 'p.admin': new EngineAdmin() }, nodes: [start(), node('Admin', 'p.admin', parameters)], connections: connect(['Start', 'main', 'Admin']) });
	if (run.error) throw run.error;
	return run.items('Admin')[0]!.json;
}

const log = (): string => path.join(areaFolder('logs'), 'mistral.jsonl');
const recording = (): string => path.join(areaFolder('recordings'), 'demo.jsonl');
const lines = (values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const linesIn = (file: string): unknown[] => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as unknown);

const aboutAnna = [
	{ id: 'r1', event: 'request', messages: [{ role: 'user', text: 'Who?' }] },
	{ id: 'r1', event: 'delta', text: 'anna@exam' },
	{ id: 'r1', event: 'delta', text: 'ple.com' },
];
const aboutBen = [{ id: 'r2', event: 'request', messages: [{ role: 'user', text: 'ben@example.com' }] }, { event: 'timing', ms: 3 }];
const exchange = (text: string) => ({ format: 1, messages: [], events: [{ type: 'text-delta', text: text.slice(0, 3) }, { type: 'text-delta', text: text.slice(3) }] });

beforeAll(async () => {
	for (const folder of ['logs', 'recordings']) mkdirSync(areaFolder(folder), { recursive: true });
	writeFileSync(log(), lines([...aboutAnna, ...aboutBen]));
	writeFileSync(recording(), lines([exchange('Anna@Example.com')]));
	for (const user of ['anna', 'ben']) {
		await withMemory({ folder: areaFolder('memory') }, async (store) => await store.append({ memory: 'm', user, session: 's' }, { at: 1, messages: [textMessage('user', `I am ${user}`)] }));
	}
	const inbox = await openInbox({ folder: areaFolder('events') }, 'erp');
	for (const [id, from] of [['1', 'ANNA@example.com'], ['2', 'ben@example.com'], ['3', 'anna@example.com']]) await inbox.put({ id: id!, key: '', payload: { from } }, 1);
	await inbox.failed(['3'], { error: 'HTTP 500', retryAt: null });
	inbox.close();
	const pending = await openPendingRuns({ folder: areaFolder('pending') }, Date.now);
	await pending.keep({ query: 'mail to Anna@example.com' }, Date.now() + 1e6);
	pending.close();
});

const anna = { user: 'anna', texts: 'anna@example.com' };

describe('everything about a person', () => {
	it('is exported: conversations, events and dead letters, waiting runs, logs and recordings, and what n8n may hold', async () => {
		const { person, heldByN8n } = await admin({ operation: 'export', ...anna });
		expect(person).toEqual({
			user: 'anna',
			texts: ['anna@example.com'],
			conversations: [expect.objectContaining({ user: 'anna', turns: [expect.objectContaining({ messages: [textMessage('user', 'I am anna')] })] })],
			events: [expect.objectContaining({ list: 'erp', id: '1', state: 'open' }), expect.objectContaining({ id: '3', state: 'dead', error: 'HTTP 500', payload: { from: 'anna@example.com' } })],
			waitingRuns: [{ expiresAt: expect.any(Number), payload: { query: 'mail to Anna@example.com' } }],
			logs: [{ file: 'mistral.jsonl', lines: aboutAnna }, { file: 'demo.jsonl', lines: [exchange('Anna@Example.com')] }],
		});
		expect((heldByN8n as IDataObject[]).map(({ what }) => what)).toEqual(expect.arrayContaining([expect.stringMatching(/^Execution data/), expect.stringMatching(/^Executions that wait/)]));
	});

	it('is erased, and nothing of others', async () => {
		const { erased } = await admin({ operation: 'erase', ...anna });
		expect(erased).toEqual({ conversations: 1, turns: 1, events: 2, waitingRuns: 1, logLines: 4 });
		expect(linesIn(log())).toEqual(aboutBen);
		expect(() => readFileSync(recording())).toThrow('ENOENT');
		const { person } = await admin({ operation: 'export', ...anna });
		expect(person).toMatchObject({ conversations: [], events: [], waitingRuns: [], logs: [] });
		expect((await admin({ operation: 'export', user: 'ben', texts: 'ben@example.com' })).person).toMatchObject({ conversations: [{}], events: [{ id: '2' }], logs: [{ lines: [{ id: 'r2' }] }] });
	});

	it('is asked for by name: nobody is refused', async () => {
		await expect(admin({ operation: 'export', user: '', texts: '' })).rejects.toMatchObject({ message: 'Neither a user nor a text is given' });
	});
});
