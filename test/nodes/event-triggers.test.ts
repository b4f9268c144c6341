import { readFileSync } from 'node:fs';
import { BusinessEventTrigger } from '../../nodes/BusinessEventTrigger/BusinessEventTrigger.node';
import { EventQueueTrigger } from '../../nodes/EventQueueTrigger/EventQueueTrigger.node';
import { openInbox } from '../../lib/events/inbox';
import { areaFolder } from '../../lib/storage/paths';
// The user folder of this process.
import '../support/run-workflow';

const KEY = 'the token of the ERP';
let number = 0;
let list = '';
beforeEach(() => {
	list = `triggers ${++number}`;
});

interface Delivery {
	readonly parameters?: Record<string, unknown>;
	readonly body?: unknown;
	readonly raw?: string;
	readonly token?: string;
	readonly mode?: string;
	readonly secret?: string;
}

/** Calls the trigger as n8n does with a request, and gives what the sender is told and what starts. */
async function deliver({ parameters = {}, body = { ticket: 12 }, raw = JSON.stringify(body), token = KEY, mode = 'webhook', secret = KEY }: Delivery) {
	const given: Record<string, unknown> = { list, check: 'token', tokenIn: 'bearer', handling: 'queue', ...parameters };
	const told: { status?: number; json?: unknown } = {};
	const logged: string[] = [];
	const response = { status: (status: number) => ({ json: (json: unknown) => Object.assign(told, { status, json }) }) };
	const context = {
		getNodeParameter: (name: string, fallback: unknown) => given[name] ?? fallback,
		getRequestObject: () => ({ method: 'POST', rawBody: Buffer.from(raw) }),
		getResponseObject: () => response,
		getHeaderData: () => ({ authorization: `Bearer ${token}`, 'x-erp-event': 'ticket.created', cookie: 'session=1' }),
		getBodyData: () => body,
		getQueryData: () => ({}),
		getNodeWebhookUrl: () => 'https://n8n.example/webhook/erp',
		getNode: () => ({ name: 'Receive' }),
		getCredentials: async () => ({ secret }),
		getMode: () => mode,
		logger: { warn: (text: string) => logged.push(text), error: (text: string) => logged.push(text) },
	};
	const { workflowData } = await new BusinessEventTrigger().webhook.call(context as never);
	return { ...told, started: workflowData?.[0]?.map(({ json }) => json), logged };
}

async function inbox() {
	return await openInbox({ folder: areaFolder('events') }, list);
}

describe('Business Event Trigger', () => {
	it('files an event for the queue, with its topic and without what proves who sent it', async () => {
		const { status, started } = await deliver({ parameters: { keyPath: 'machine.id', idPath: 'reference' }, body: { reference: 'R1', machine: { id: 'P12' } } });
		expect([status, started]).toEqual([202, undefined]);
		const store = await inbox();
		const [event] = await store.list('open', 9);
		store.close();
		expect(event).toMatchObject({ id: 'R1', key: 'P12', payload: { body: { machine: { id: 'P12' } }, headers: { 'x-erp-event': 'ticket.created' } } });
		expect(JSON.stringify(event)).not.toMatch(/Bearer|session=1/);
	});

	it('starts a run at once where it is told to, and not again for a repeat', async () => {
		const parameters = { handling: 'run' };
		const first = await deliver({ parameters });
		expect([first.status, first.started]).toEqual([202, [expect.objectContaining({ body: { ticket: 12 }, record: { ticket: 12 }, event: { id: expect.stringContaining('sha256:'), key: '' } })]]);
		const second = await deliver({ parameters });
		expect([second.status, second.json, second.started]).toEqual([200, expect.objectContaining({ accepted: false, repeated: true }), undefined]);
		const store = await inbox();
		expect(await store.counts()).toEqual({ open: 0, taken: 0, done: 1, dead: 0 });
		store.close();
	});

	it('refuses strangers and large bodies without a word on why, and tells the log', async () => {
		const stranger = await deliver({ token: 'wrong' });
		expect([stranger.status, stranger.json, stranger.logged]).toEqual([401, { message: 'This delivery is refused' }, [expect.stringContaining('The token is not one of the right ones')]]);
		const large = await deliver({ parameters: { 'options.maxKilobytes': 1 }, raw: 'x'.repeat(2_000) });
		expect([large.status, large.json]).toEqual([413, { message: 'This delivery is refused' }]);
	});

	it('keeps a body that n8n does not read as it came', async () => {
		await deliver({ body: {}, raw: '<soap:Envelope>Été</soap:Envelope>' });
		const store = await inbox();
		expect((await store.list('open', 1))[0]?.payload).toMatchObject({ body: '<soap:Envelope>Été</soap:Envelope>' });
		store.close();
	});

	it('does not say 202 when the event cannot be kept', async () => {
		const missing = await deliver({ secret: '' });
		expect([missing.status, missing.json]).toEqual([500, { message: 'This event cannot be taken now' }]);
		expect(missing.logged[0]).toContain('The Event Key credential has no key');
	});

	it('shows an event of a test run in the editor, and files nothing', async () => {
		const { started } = await deliver({ mode: 'manual' });
		expect(started).toHaveLength(1);
		const store = await inbox();
		expect((await store.counts()).open).toBe(0);
		store.close();
	});
});

describe('Event Queue Trigger in the editor', () => {
	async function sample(testPayload: string): Promise<unknown[]> {
		const emitted: unknown[] = [];
		const context = {
			getNodeParameter: (name: string, fallback: unknown) => ({ list, testPayload })[name] ?? fallback,
			getNode: () => ({ name: 'Queue' }),
			getMode: () => 'manual',
			emit: (data: Array<Array<{ json: unknown }>>) => emitted.push(...data.flat().map(({ json }) => json)),
		};
		const { manualTriggerFunction } = await new EventQueueTrigger().trigger.call(context as never);
		await manualTriggerFunction?.();
		return emitted;
	}

	it('shows the test payload, and the oldest event once one waits, which stays', async () => {
		expect(await sample('{"ticket": 1}')).toEqual([expect.objectContaining({ body: { ticket: 1 }, isTest: true })]);
		await deliver({ body: { ticket: 2 } });
		expect(await sample('{}')).toEqual([expect.objectContaining({ body: { ticket: 2 }, event: expect.objectContaining({ attempt: 1 }) })]);
		const store = await inbox();
		expect((await store.counts()).open).toBe(1);
		store.close();
	});

	it('says what is wrong with a test payload', async () => {
		await expect(sample('{ticket}')).rejects.toThrow('Test Payload is not valid JSON: {ticket}');
	});
});

it('has a field for each setting that the code reads', () => {
	const read = (file: string): string => readFileSync(file, 'utf8');
	const code = read('lib/n8n/event-queue.ts') + read('lib/n8n/event-webhook.ts');
	const names = [...code.matchAll(/(?:get|number|getNodeParameter)\('(?:options\.)?(\w+)'/g)].map(([, name]) => name);
	const fields = JSON.stringify([new EventQueueTrigger().description.properties, new BusinessEventTrigger().description.properties]);
	expect(names.filter((name) => !fields.includes(`"name":"${name}"`))).toEqual([]);
});
