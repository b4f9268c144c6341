import type { IDataObject } from 'n8n-workflow';
import { withMemory } from '../../lib/chat/open-memory';
import { openInbox } from '../../lib/events/inbox';
import { areaFolder } from '../../lib/storage/paths';
import { openPendingRuns } from '../../lib/storage/pending-runs';
import { EngineAdmin } from '../../nodes/EngineAdmin/EngineAdmin.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';

async function admin(parameters: IDataObject, json: IDataObject = {}) {
	return await runWorkflow({ nodeTypes: { 'p.admin': new EngineAdmin() }, nodes: [start(), node('Admin', 'p.admin', parameters)], connections: connect(['Start', 'main', 'Admin']), input: [{ json }] });
}

const day = 86_400_000;
const memory = (): { folder: string } => ({ folder: areaFolder('memory') });
const events = (): { folder: string } => ({ folder: areaFolder('events') });
const said = (text: string) => [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }];

async function remember(user: string, at: number): Promise<void> {
	await withMemory(memory(), async (store) => await store.append({ memory: 'm', user, session: 's' }, { at, messages: said('Bonjour') }));
}

async function put(id: string, payload: unknown, at = Date.now()): Promise<void> {
	const inbox = await openInbox(events(), 'l');
	await inbox.put({ id, key: '', payload }, at);
	inbox.close();
}

async function counts() {
	const inbox = await openInbox(events(), 'l');
	const counted = await inbox.counts();
	inbox.close();
	return counted;
}

describe('Engine Admin', () => {
	it('says what of this n8n is fit for the engine', async () => {
		const [item] = (await admin({})).items('Admin');
		const checks = item?.json.checks as Array<{ check: string; status: string; detail: string }>;
		expect(checks.map(({ check }) => check)).toEqual(['Node.js', 'Files of the engine', 'Disk', 'Engine Storage', 'Local models', 'Queue mode', 'Restart while waiting']);
		expect(checks.filter(({ status }) => status === 'error')).toEqual([]);
		expect(checks[0]?.detail).toBe(process.version);
		expect([item?.json.ok, checks.at(-1)]).toEqual([true, expect.objectContaining({ status: 'warning', remedy: expect.stringContaining('N8N_EVENTBUS_RECOVERY_MODE=simple') })]);
	});

	it('says what to do where something is not fit', async () => {
		process.env.EXECUTIONS_MODE = 'queue';
		try {
			const [item] = (await admin({})).items('Admin');
			expect(item?.json.ok).toBe(false);
			expect((item?.json.checks as Array<{ check: string }>).find(({ check }) => check === 'Engine Storage')).toMatchObject({ status: 'error', remedy: expect.stringContaining('Postgres') });
		} finally {
			delete process.env.EXECUTIONS_MODE;
		}
	});

	it('erases a person from conversations, events and waiting runs, leaves others, and says what is left', async () => {
		await remember('anna', Date.now());
		await remember('ben', Date.now());
		await put('1', { from: 'anna@example.com', note: '100 % "sûr"' });
		await put('2', { from: 'ben@example.com' });
		const place = { folder: areaFolder('pending') };
		const pending = await openPendingRuns(place, Date.now);
		const token = await pending.keep({ query: 'mail to anna@example.com' }, Date.now() + day);
		pending.close();
		const [item] = (await admin({ operation: 'erase', texts: 'anna@example.com' }, { user: { sub: 'anna' } })).items('Admin');
		expect(item?.json.erased).toEqual({ conversations: 1, turns: 1, events: 1, waitingRuns: 1, logLines: 0 });
		expect(item?.json.heldByN8n).toEqual(expect.arrayContaining([{ what: expect.stringContaining('Execution data'), remedy: expect.stringContaining('14 days') }]));
		expect((await withMemory(memory(), async (store) => await store.export({ memory: 'm' }))).map(({ user }) => user)).toEqual(['ben']);
		expect((await counts()).open).toBe(1);
		const after = await openPendingRuns(place, Date.now);
		await expect(after.take(token)).rejects.toThrow('is over');
		after.close();
	});

	it('finds texts with the letters of JSON and of searches, and refuses those that name nobody', async () => {
		await put('3', { note: 'C:\\anna_1 "100 %"' });
		const erase = async (texts: string) => (await admin({ operation: 'erase', user: '', texts })).items('Admin')[0]?.json.erased as IDataObject | undefined;
		expect((await erase('anna_2'))?.events).toBe(0);
		expect((await erase('annaX1'))?.events).toBe(0);
		expect((await erase('"100 %"'))?.events).toBe(1);
		expect((await admin({ operation: 'erase', user: '', texts: 'ann' })).error?.message).toBe('The text "ann" is too short');
		expect((await admin({ operation: 'erase', user: '', texts: '' })).error?.message).toBe('Neither a user nor a text is given');
	});

	it('removes what is old, never what waits', async () => {
		await remember('old', Date.now() - 91 * day);
		await put('4', {}, Date.now() - 91 * day);
		const inbox = await openInbox(events(), 'l');
		await inbox.put({ id: '5', key: '', payload: {} }, Date.now() - 91 * day);
		await inbox.done(['5']);
		inbox.close();
		const [item] = (await admin({ operation: 'retention' })).items('Admin');
		expect(item?.json.removed).toEqual({ conversations: 1, turns: 1, events: 1 });
		expect((await counts()).open).toBeGreaterThanOrEqual(1);
	});
});
