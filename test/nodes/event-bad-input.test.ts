/** Bad deliveries, row by row, at both places where events come in: the same row must end the same way. */
import { createHmac } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { openInbox } from '../../lib/events/inbox';
import { areaFolder } from '../../lib/storage/paths';
import { BusinessEventTrigger } from '../../nodes/BusinessEventTrigger/BusinessEventTrigger.node';
import { EventGate } from '../../nodes/EventGate/EventGate.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';

const KEY = 'the secret of the sender';
const sign = (id: string, at: number, raw: string, key = KEY): string => `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.${raw}`).digest('base64')}`;

interface Sent {
	readonly headers: IDataObject;
	readonly raw: string;
}

interface How {
	readonly id?: string;
	readonly body?: unknown;
	/** Seconds from now. */
	readonly at?: number;
	readonly key?: string;
	/** What the signature was made over, when not this body. */
	readonly signedBody?: string;
	readonly without?: string;
}

/** A delivery as Standard Webhooks has it. */
function sent({ id = 'e1', body = { ticket: 12, state: 'open' }, at = 0, key = KEY, signedBody, without }: How): Sent {
	const raw = JSON.stringify(body);
	const seconds = Math.round(Date.now() / 1000) + at;
	const headers: IDataObject = { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': sign(id, seconds, signedBody ?? raw, key) };
	if (without !== undefined) delete headers[without];
	return { headers, raw };
}

type Place = (list: string, deliveries: readonly Sent[]) => Promise<string[]>;

const PARAMETERS = { check: 'signature', sender: 'standard' };

/** `taken`, or the reason. */
const gate: Place = async (list, deliveries) => {
	const run = await runWorkflow({
		nodeTypes: { 'p.gate': new EventGate() },
		nodes: [start(), node('Gate', 'p.gate', { ...PARAMETERS, list, options: { maxKilobytes: 4 } }, { credentials: { reactEngineEventKeyApi: { id: 'k', name: 'Key' } } })],
		connections: connect(['Start', 'main', 'Gate']),
		credentials: { Key: { secret: KEY } },
		mode: 'webhook',
		input: deliveries.map(({ headers, raw }) => ({ json: { headers, query: {}, body: JSON.parse(raw) as IDataObject }, binary: { data: { data: Buffer.from(raw).toString('base64'), mimeType: 'application/json' } } })),
	});
	const items = [...run.items('Gate'), ...run.items('Gate', 1)];
	const verdictOf = (at: number): string => {
		const refused = items.find(({ pairedItem }) => (pairedItem as { item: number }).item === at)?.json.refused as { reason: string } | undefined;
		return refused?.reason ?? 'taken';
	};
	return deliveries.map((_delivery, at) => verdictOf(at));
};

/** The same of the trigger, whose answers reveal no reason: it stands in the log. */
const trigger: Place = async (list, deliveries) => {
	const verdicts: string[] = [];
	for (const { headers, raw } of deliveries) {
		let answer: IDataObject = {};
		let status = 0;
		let reason = '';
		const given: Record<string, unknown> = { ...PARAMETERS, list, handling: 'queue', 'options.maxKilobytes': 4 };
		await new BusinessEventTrigger().webhook.call({
			getNodeParameter: (name: string, fallback: unknown) => given[name] ?? fallback,
			getRequestObject: () => ({ method: 'POST', rawBody: Buffer.from(raw) }),
			getResponseObject: () => ({ status: (code: number) => ({ json: (json: IDataObject) => ([status, answer] = [code, json]) }) }),
			getHeaderData: () => headers,
			getBodyData: () => JSON.parse(raw) as unknown,
			getQueryData: () => ({}),
			getNodeWebhookUrl: () => '',
			getNode: () => ({ name: 'Receive' }),
			getCredentials: async () => ({ secret: KEY }),
			getMode: () => 'webhook',
			logger: { warn: (_text: string, facts: { reason: string }) => (reason = facts.reason), error: () => undefined },
		} as never);
		if (status >= 400) expect(answer).toEqual({ message: 'This delivery is refused' });
		verdicts.push(status === 202 ? 'taken' : status === 200 ? 'repeated' : status === 413 ? 'too-large' : reason);
	}
	return verdicts;
};

const rows: ReadonlyArray<readonly [string, readonly How[], readonly string[]]> = [
	['replayed word for word', [{}, {}, {}], ['taken', 'repeated', 'repeated']],
	['replayed with a fresh signature', [{ at: -200 }, { at: -10 }, {}], ['taken', 'repeated', 'repeated']],
	['replayed under the same ID with another body', [{}, { body: { ticket: 13 } }], ['taken', 'repeated']],
	['reordered: the later state of a record first', [{ id: 'e2', body: { ticket: 12, state: 'closed' } }, { id: 'e1', at: -60 }, { id: 'e2', body: { ticket: 12, state: 'closed' } }], ['taken', 'taken', 'repeated']],
	['oversized', [{ body: { text: 'x'.repeat(5_000) } }, { id: 'e2' }], ['too-large', 'taken']],
	['oversized in bytes, not in letters', [{ body: { text: 'é'.repeat(2_500) } }], ['too-large']],
	['unsigned', [{ without: 'webhook-signature' }, {}], ['unsigned', 'taken']],
	['signed with another key', [{ key: 'another key of nobody' }, {}], ['wrong-signature', 'taken']],
	['signed over another body', [{ signedBody: '{"ticket":99}' }, {}], ['wrong-signature', 'taken']],
	['expired', [{ at: -301 }, {}], ['expired', 'taken']],
	['future-dated', [{ at: 302 }, {}], ['future', 'taken']],
	['without its timestamp', [{ without: 'webhook-timestamp' }], ['no-timestamp']],
	['without its ID, which is signed', [{ without: 'webhook-id' }], ['wrong-signature']],
	['an empty body, a list, a text', [{ id: 'a', body: {} }, { id: 'b', body: [1, 2] }, { id: 'c', body: 'text' }], ['taken', 'taken', 'taken']],
];

describe.each([['Event Gate', gate], ['Business Event Trigger', trigger]] as const)('%s', (name, place) => {
	it.each(rows)('takes a delivery that is %s as it should', async (what, deliveries, expected) => {
		expect(await place(`${name} ${what}`, deliveries.map(sent))).toEqual(expected);
	});
});

it('what is reordered is handled in the order in which it came, each once', async () => {
	const list = 'order';
	const states = ['c', 'a', 'b'].map((id, at) => sent({ id, body: { machine: 'P12', n: at } }));
	await trigger(list, [...states, ...states]);
	const inbox = await openInbox({ folder: areaFolder('events') }, list);
	const events = await inbox.list('open', 9);
	inbox.close();
	expect(events.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});
