import { createHmac } from 'node:crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { BusinessEventTrigger } from '../../nodes/BusinessEventTrigger/BusinessEventTrigger.node';
import { EventGate } from '../../nodes/EventGate/EventGate.node';
import { openInbox, type InboxEvent } from '../../lib/events/inbox';
import { areaFolder } from '../../lib/storage/paths';
import { connect, node, runWorkflow, start } from '../support/run-workflow';

const KEY = 'the secret of the sender';
const sign = (body: string, key: string | Buffer = KEY): string => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
let number = 0;
let list = '';
beforeEach(() => {
	list = `attacks ${++number}`;
});

async function gate(items: INodeExecutionData[], parameters: IDataObject = {}, secret = KEY) {
	return await runWorkflow({
		nodeTypes: { 'p.gate': new EventGate() },
		nodes: [start(), node('Gate', 'p.gate', { sender: 'github', list, ...parameters }, { credentials: { reactEngineEventKeyApi: { id: 'k', name: 'Key' } } })],
		connections: connect(['Start', 'main', 'Gate']),
		credentials: { Key: { secret } },
		input: items,
		mode: 'webhook',
	});
}

const binary = (raw: string): INodeExecutionData['binary'] => ({ data: { data: Buffer.from(raw).toString('base64'), mimeType: 'application/json' } });

describe('Event Gate', () => {
	it('refuses a form whose file is a body that was signed once, with other fields as the event', async () => {
		const captured = JSON.stringify({ ticket: 1 });
		const headers = { 'x-hub-signature-256': sign(captured), 'content-type': 'Multipart/Form-Data; boundary=x', 'x-github-delivery': 'new' };
		const run = await gate([{ json: { headers, body: { ticket: 2, order: 'forged' } }, binary: binary(captured) }]);
		expect([run.items('Gate'), run.items('Gate', 1)[0]?.json.refused]).toEqual([[], { reason: 'wrong-signature', message: expect.stringContaining('form') }]);
	});

	it.each(['whsec_', 'whsec_é', 'whsec_!!!!'])('does not take a key (%s) that is read as nothing, with which everybody could sign', async (secret) => {
		const at = String(Math.floor(Date.now() / 1000));
		const forged = createHmac('sha256', '').update(`m1.${at}.{}`).digest('base64');
		const headers = { 'webhook-id': 'm1', 'webhook-timestamp': at, 'webhook-signature': `v1,${forged}` };
		const run = await gate([{ json: { headers, body: {} }, binary: binary('{}') }], { sender: 'standard' }, secret);
		expect(run.error?.message).toContain('no base64 text');
	});

	it.each([['toleranceSeconds', { sender: 'standard' }], ['maxKilobytes', {}]])('does not take %s that is no number for no limit', async (name, parameters) => {
		const run = await gate([{ json: { headers: { 'x-hub-signature-256': sign('{}') }, body: {} }, binary: binary('{}') }], { ...parameters, options: { [name]: '={{ "ten" }}' } });
		expect(run.error?.message).toContain('is no limit');
	});

	it.each([
		['an object', '={{ { "a": 1 } }}'],
		['empty', '={{ "  " }}'],
		['a list', '={{ [1] }}'],
	])('with an event ID that is %s takes the one of the delivery', async (_what, eventId) => {
		const item = { json: { headers: { 'x-hub-signature-256': sign('{}'), 'x-github-delivery': 'd1' }, body: {} }, binary: binary('{}') };
		const run = await gate([item], { eventId });
		expect(run.items('Gate')[0]?.json.event).toMatchObject({ id: 'd1' });
	});

	it('lets one of two through that come at the same moment', async () => {
		const item = (): INodeExecutionData => ({ json: { headers: { 'X-HUB-Signature-256': sign('{"a":1}') }, body: { a: 1 } }, binary: binary('{"a":1}') });
		const runs = await Promise.all(Array.from({ length: 4 }, async () => await gate([item(), item()])));
		expect(runs.map((run) => run.items('Gate').length).reduce((sum, n) => sum + n)).toBe(1);
	});
});

interface Delivery {
	readonly headers?: Record<string, unknown>;
	readonly body?: unknown;
	readonly raw?: Buffer;
	readonly parameters?: Record<string, unknown>;
}

/** What is kept of a delivery, and what its sender is told. */
async function kept({ headers = {}, body = {}, raw = Buffer.from(JSON.stringify(body)), parameters = {} }: Delivery): Promise<{ status?: number; events: InboxEvent[] }> {
	const given: Record<string, unknown> = { list, check: 'none', handling: 'queue', ...parameters };
	const told: { status?: number } = {};
	const context = {
		getNodeParameter: (name: string, fallback: unknown) => given[name] ?? fallback,
		getRequestObject: () => ({ method: 'POST', rawBody: raw }),
		getResponseObject: () => ({ status: (status: number) => ({ json: () => Object.assign(told, { status }) }) }),
		getHeaderData: () => headers,
		getBodyData: () => body,
		getQueryData: () => ({}),
		getNodeWebhookUrl: () => '',
		getNode: () => ({ name: 'Receive' }),
		getCredentials: async () => ({ secret: KEY }),
		getMode: () => 'webhook',
		logger: { warn: () => undefined, error: () => undefined },
	};
	await new BusinessEventTrigger().webhook.call(context as never);
	const inbox = await openInbox({ folder: areaFolder('events') }, list);
	const events = await inbox.list('open', 10);
	inbox.close();
	return { ...told, events };
}

describe('Business Event Trigger', () => {
	it('keeps no token, however its header is called', async () => {
		const parameters = { check: 'token', tokenIn: 'header', placeName: 'X-Event-Source' };
		const { events } = await kept({ headers: { 'x-event-source': KEY, 'x-event-password': 'pw', 'x-event-type': 'a' }, parameters });
		expect(events[0]?.payload).toMatchObject({ headers: { 'x-event-type': 'a' } });
		expect(JSON.stringify(events)).not.toMatch(new RegExp(`${KEY}|pw`));
	});

	it('takes an event whose id or key is very long or has control characters', async () => {
		const parameters = { idPath: 'id', keyPath: 'key' };
		const { status, events } = await kept({ body: { id: 'i'.repeat(50_000), key: 'k\u0000' }, parameters });
		expect([status, events[0]?.id.length, events[0]?.key]).toEqual([202, 71, expect.stringContaining('sha256:')]);
	});

	it('reads a text in the character set of the sender, without its byte order mark', async () => {
		const latin = await kept({ headers: { 'content-type': 'text/xml; charset=ISO-8859-1' }, raw: Buffer.from('<a>Pièce usée</a>', 'latin1') });
		expect(latin.events[0]?.payload).toMatchObject({ body: '<a>Pièce usée</a>' });
		const marked = await kept({ headers: { 'content-type': 'text/xml; charset=none' }, raw: Buffer.from('\uFEFF<a>é</a>') });
		expect(marked.events[1]?.payload).toMatchObject({ body: expect.stringContaining('<a>é</a>') });
	});
});
