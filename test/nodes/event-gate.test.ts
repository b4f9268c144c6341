import { createHmac } from 'node:crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { EventGate } from '../../nodes/EventGate/EventGate.node';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';

const KEY = 'the secret of the sender';
const sign = (body: string, key = KEY): string => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
let count = 0;

interface Case {
	readonly parameters?: IDataObject;
	readonly items: readonly INodeExecutionData[];
	readonly mode?: 'manual' | 'webhook';
	readonly keys?: IDataObject;
	readonly onError?: 'continueRegularOutput';
}

/** Each test has a list of events of its own, unless it names one. */
async function gate({ parameters = {}, items, mode = 'webhook', keys = { secret: KEY }, onError }: Case): Promise<WorkflowRun> {
	const credentials = { reactEngineEventKeyApi: { id: 'k', name: 'Key' } };
	const given = { sender: 'github', list: `list ${++count}`, ...parameters };
	return await runWorkflow({
		nodeTypes: { 'p.gate': new EventGate() },
		nodes: [start(), node('Gate', 'p.gate', given, { credentials, ...(onError && { onError }) })],
		connections: connect(['Start', 'main', 'Gate']),
		credentials: { Key: keys },
		input: [...items],
		mode,
	});
}

/** What the Webhook node gives with Raw Body on. */
function delivered(body: unknown, headers: IDataObject = {}, raw = JSON.stringify(body)): INodeExecutionData {
	return {
		json: { headers: { 'X-Hub-Signature-256': sign(raw), ...headers }, params: {}, query: {}, body: body as IDataObject, webhookUrl: 'https://n8n.example/webhook/erp' },
		binary: { data: { data: Buffer.from(raw).toString('base64'), mimeType: 'application/json' } },
	};
}

const refusals = (run: WorkflowRun): unknown[] => run.items('Gate', 1).map(({ json }) => (json.refused as IDataObject).reason);
const ticket = { id: 7, machine: 'Pelle 12', texte: 'Fuite hydraulique à l’arrière' };

describe('Event Gate', () => {
	it('lets a signed event through with its query, record, user and id, and keeps the item', async () => {
		const parameters = { query: '=Panne : {{ $json.body.texte }}', user: '={{ { sub: "anna", groups: ["atelier"] } }}', eventId: '=t{{ $json.body.id }}' };
		const run = await gate({ parameters, items: [delivered(ticket)] });
		expect(run.items('Gate')[0]).toMatchObject({
			json: {
				query: 'Panne : Fuite hydraulique à l’arrière',
				record: ticket,
				user: { sub: 'anna', groups: ['atelier'] },
				event: { id: 't7', acceptedAt: expect.stringMatching(/^\d{4}-/) },
				body: ticket,
			},
			pairedItem: { item: 0 },
		});
		expect(run.items('Gate', 1)).toEqual([]);
	});

	it('refuses what is unsigned, changed after signing, or too large, by the second output with a reason', async () => {
		const unsigned = { json: { headers: {}, body: ticket } };
		const changed = delivered({ ...ticket, id: 8 }, { 'X-Hub-Signature-256': sign(JSON.stringify(ticket)) });
		const large = delivered({ text: 'x'.repeat(3_000) });
		const run = await gate({ parameters: { options: { maxKilobytes: 2 } }, items: [unsigned, changed, large, delivered(ticket)] });
		expect(refusals(run)).toEqual(['unsigned', 'wrong-signature', 'too-large']);
		expect(run.items('Gate')).toHaveLength(1);
		expect(run.items('Gate')[0]?.pairedItem).toEqual({ item: 3 });
	});

	it('lets each event through once, also when it comes again in another execution, and a changed body is another event', async () => {
		const list = `shared ${++count}`;
		const run = await gate({ parameters: { list }, items: [delivered(ticket), delivered(ticket), delivered({ ...ticket, texte: 'réparée' })] });
		expect([run.items('Gate').length, refusals(run)]).toEqual([2, ['repeated']]);
		const again = await gate({ parameters: { list }, items: [delivered(ticket)] });
		expect([again.items('Gate').length, refusals(again)]).toEqual([0, ['repeated']]);
		const elsewhere = await gate({ items: [delivered(ticket)] });
		expect(elsewhere.items('Gate')).toHaveLength(1);
	});

	it('takes the id that the sender gives, whatever the body', async () => {
		const first = delivered({ n: 1 }, { 'X-GitHub-Delivery': 'd1' });
		const run = await gate({ items: [first, delivered({ n: 2 }, { 'X-GitHub-Delivery': 'd1' }), delivered({ n: 1 }, { 'X-GitHub-Delivery': 'd2' })] });
		expect(run.items('Gate').map(({ json }) => (json.event as IDataObject).id)).toEqual(['d1', 'd2']);
	});

	it('does not count an event that was refused, so that the right delivery of it comes through', async () => {
		const list = `retry ${++count}`;
		const wrong = delivered(ticket, { 'X-Hub-Signature-256': sign(JSON.stringify(ticket), 'another key') });
		const run = await gate({ parameters: { list }, items: [wrong, delivered(ticket)] });
		expect([run.items('Gate').length, refusals(run)]).toEqual([1, ['wrong-signature']]);
	});

	it('forgets an event that could not be handled, and then lets it through again', async () => {
		const list = `forget ${++count}`;
		const [accepted] = (await gate({ parameters: { list }, items: [delivered(ticket)] })).items('Gate');
		const forgotten = await gate({ parameters: { list, operation: 'forget' }, items: [{ json: accepted!.json }] });
		expect(forgotten.items('Gate')[0]?.json).toMatchObject({ forgotten: true, body: ticket });
		expect((await gate({ parameters: { list }, items: [delivered(ticket)] })).items('Gate')).toHaveLength(1);
	});

	it('lets a test run in the editor repeat, and says that it is one', async () => {
		const run = await gate({ mode: 'manual', items: [delivered(ticket), delivered(ticket)] });
		expect(run.items('Gate').map(({ json }) => (json.event as IDataObject).isTest)).toEqual([true, true]);
		expect(run.runData.Gate?.[0]?.hints?.[0]?.message).toContain('repeats come through');
	});

	describe('its test payload', () => {
		const parameters = { testPayload: '{"ticket": 12, "texte": "Fuite"}', query: '=Panne : {{ $json.body.texte }}', user: '={{ $json.body.owner ?? "anna" }}' };

		it('stands for an event in a test run whose item is empty, as often as it is run, without any key', async () => {
			for (let round = 0; round < 2; round++) {
				const run = await gate({ mode: 'manual', parameters: { ...parameters, list: 'test payload' }, keys: { secret: '' }, items: [{ json: {} }] });
				expect(run.items('Gate').map(({ json }) => json)).toEqual([
					{ headers: {}, query: 'Panne : Fuite', body: { ticket: 12, texte: 'Fuite' }, record: { ticket: 12, texte: 'Fuite' }, user: { sub: 'anna' }, event: { id: 'test', acceptedAt: expect.any(String), isTest: true } },
				]);
				expect(run.runData.Gate?.[0]?.hints?.[0]?.message).toContain('with the Test Payload');
			}
		});

		it('is never used in production, nor for a real delivery', async () => {
			const empty = await gate({ parameters, items: [{ json: {} }] });
			expect([empty.items('Gate'), refusals(empty)]).toEqual([[], ['unsigned']]);
			const real = await gate({ mode: 'manual', parameters, items: [delivered(ticket)] });
			expect(real.items('Gate')[0]?.json).toMatchObject({ query: 'Panne : Fuite hydraulique à l’arrière', record: ticket });
		});

		it('that is no JSON is an error with what to write', async () => {
			const run = await gate({ mode: 'manual', parameters: { testPayload: '{ticket}' }, items: [{ json: {} }] });
			expect(run.error?.message).toBe('Test Payload is not valid JSON: {ticket}');
		});
	});

	it.each([
		['odoo', { headers: { host: 'h' }, query: { token: KEY } }],
		['pipedrive', { headers: { host: 'h', authorization: `Basic ${Buffer.from(KEY).toString('base64')}` } }],
		['salesforce', { headers: { host: 'h', authorization: `Bearer ${KEY}` } }],
		['gitlab', { headers: { host: 'h', 'X-Gitlab-Token': KEY } }],
	])('knows where %s puts its token, refuses another one, and takes it out of the item', async (tokenSender, json) => {
		const given = { check: 'token', tokenSender };
		const run = await gate({ parameters: given, items: [{ json: { ...json, body: ticket } as never }] });
		expect(run.items('Gate')[0]?.json.headers).toEqual({ host: 'h' });
		expect(JSON.stringify(run.items('Gate'))).not.toContain(KEY);
		expect(refusals(await gate({ parameters: given, keys: { secret: 'other' }, items: [{ json: { ...json, body: ticket } as never }] }))).toEqual(['wrong-token']);
		expect(refusals(await gate({ parameters: given, items: [{ json: { headers: {}, body: ticket } }] }))).toEqual(['no-token']);
	});

	it.each([
		['2.0', { meta: { version: '2.0', id: 'e1', correlation_id: 'c' } }, 'e1'],
		['1', { meta: { object: 'deal', action: 'updated', id: 7, timestamp_micro: '17' } }, 'deal:updated:7:17'],
	])('knows a second try of Pipedrive (version %s), which counts its tries in the body', async (_version, body, id) => {
		const json = (retry: number) => ({ headers: { authorization: `Basic ${Buffer.from(KEY).toString('base64')}` }, body: { ...body, retry } }) as never;
		const run = await gate({ parameters: { check: 'token', tokenSender: 'pipedrive' }, items: [{ json: json(0) }, { json: json(1) }] });
		expect(run.items('Gate').map(({ json: item }) => (item.event as IDataObject).id)).toEqual([id]);
		expect(refusals(run)).toEqual(['repeated']);
	});

	it.each([
		['header', { tokenIn: 'header', placeName: 'X-Odoo-Token' }, { headers: { 'x-odoo-token': KEY, host: 'h' } }],
		['bearer', { tokenIn: 'bearer' }, { headers: { authorization: `Bearer ${KEY}`, host: 'h' } }],
		['basic', { tokenIn: 'basic' }, { headers: { authorization: `Basic ${Buffer.from(KEY).toString('base64')}`, host: 'h' } }],
		['query', { tokenIn: 'query', placeName: 'token' }, { headers: { host: 'h' }, query: { token: KEY, page: '1' } }],
	])('checks a token in the %s, and takes it out of the item', async (_where, parameters, json) => {
		const given = { check: 'token', ...parameters };
		const run = await gate({ parameters: given, items: [{ json: { ...json, body: ticket } }] });
		expect(run.items('Gate')).toHaveLength(1);
		expect(JSON.stringify(run.items('Gate'))).not.toContain(KEY);
		expect(run.items('Gate')[0]?.json.headers).toEqual({ host: 'h' });
		const refused = await gate({ parameters: given, keys: { secret: 'other' }, items: [{ json: { ...json, body: ticket } }] });
		expect(refusals(refused)).toEqual(['wrong-token']);
		expect(JSON.stringify(refused.items('Gate', 1))).not.toContain(KEY);
	});

	it('takes the older key as well while it is being changed', async () => {
		const run = await gate({ keys: { secret: 'the new one', olderSecret: KEY }, items: [delivered(ticket)] });
		expect(run.items('Gate')).toHaveLength(1);
	});

	it.each([
		['no key in the credential', {}, { secret: ' ' }, 'The Event Key credential has no key'],
		['a custom sender without a header', { sender: 'custom', header: '={{ "" }}' }, undefined, 'The Signature Header is empty'],
		['a signed timestamp without its header', { sender: 'custom', content: 'timestamp.body' }, undefined, 'the Timestamp Header is empty'],
	])('says what is missing in the settings: %s', async (_what, parameters, keys, message) => {
		const run = await gate({ parameters, items: [delivered(ticket)], ...(keys && { keys }) });
		expect(run.error?.message).toContain(message);
	});

	it('lets the other items go on when one cannot be checked', async () => {
		const broken = { json: { headers: {}, body: ticket }, binary: { data: { data: '', id: 'filesystem-v2:gone', mimeType: 'x' } } };
		const run = await gate({ items: [broken as never, delivered(ticket)], onError: 'continueRegularOutput' });
		expect(run.items('Gate')).toHaveLength(2);
		expect(run.items('Gate')[0]?.json.error).toBeDefined();
	});
});
