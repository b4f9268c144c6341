import type { IDataObject, INodeExecutionData, IRun, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { openInbox, type Inbox, type InboxBatch } from '../events/inbox';
import { QueueRunner, type QueueRules } from '../events/queue-runner';
import { toItem } from './event-webhook';
import { portsOf } from './ports';
import { eventsPlace } from './storage';
import { readTestPayload } from './test-payload';

const DAY_MS = 86_400_000;
const TIDY_EVERY_MS = 3_600_000;

/**
 * The Event Queue Trigger: looks into the inbox again and again, starts a run for each event (or gathered events), and waits for its
 * end: a failed run is tried again. In the editor one event is shown and nothing is marked.
 */
export async function startEventQueue(ctx: ITriggerFunctions): Promise<ITriggerResponse> {
	const list = String(ctx.getNodeParameter('list', ''));
	const place = await eventsPlace(ctx);
	const open = async (): Promise<Inbox> => await openInbox(place, list);
	if (ctx.getMode() === 'manual') return { manualTriggerFunction: async () => ctx.emit([[await sampleItem(ctx, open)]]) };
	const rules = rulesOf(ctx);
	const runner = new QueueRunner(open, async (batch) => await runWith(ctx, batch), rules, portsOf(ctx));
	const every = Math.max(1, Number(ctx.getNodeParameter('options.everySeconds', 1))) * 1000;
	const look = setInterval(() => void runner.tick(), every);
	const tidy = setInterval(() => void runner.tidy().catch((error: unknown) => ctx.logger.warn('Old events were not removed', { error })), TIDY_EVERY_MS);
	tidy.unref();
	return {
		closeFunction: async () => {
			clearInterval(look);
			clearInterval(tidy);
		},
	};
}

/** One run of the workflow; rejects when it fails. */
async function runWith(ctx: ITriggerFunctions, batch: InboxBatch): Promise<void> {
	const run = await new Promise<IRun>((resolve, reject) => ctx.emit([itemsOf(batch)], undefined, { promise: Promise.resolve({} as IRun), resolve, reject }));
	if (run.status === 'success' || run.status === 'waiting') return;
	throw new Error(run.data.resultData.error?.message ?? `The run ended as ${run.status}`);
}

function itemsOf({ events, superseded }: InboxBatch): INodeExecutionData[] {
	return events.map((event) => {
		const { event: facts, ...json } = toItem(event) as { event: IDataObject };
		const more = { receivedAt: new Date(event.receivedAt).toISOString(), attempt: event.attempts + 1, ...(superseded.length > 0 && { standsFor: superseded.length + 1 }) };
		return { json: { ...json, event: { ...facts, ...more } } };
	});
}

/** The oldest open event, else the test payload. */
async function sampleItem(ctx: ITriggerFunctions, open: () => Promise<Inbox>): Promise<INodeExecutionData> {
	const inbox = await open();
	try {
		const [event] = await inbox.list('open', 1);
		if (event) return itemsOf({ key: event.key, events: [event], superseded: [], until: 0 })[0] as INodeExecutionData;
	} finally {
		inbox.close();
	}
	const body = readTestPayload(ctx.getNodeParameter('testPayload', '{}'));
	return { json: { ...toItem({ id: 'test', key: '', payload: { body, headers: {} } }), isTest: true } };
}

function rulesOf(ctx: ITriggerFunctions): QueueRules {
	const number = (name: string, fallback: number): number => Number(ctx.getNodeParameter(name, fallback));
	return {
		gather: ctx.getNodeParameter('gather', 'each') as QueueRules['gather'],
		quietMs: number('quietSeconds', 0) * 1000,
		leaseMs: number('options.leaseMinutes', 60) * 60_000,
		atOnce: number('options.atOnce', 5),
		perMinute: number('options.perMinute', 0),
		maxAttempts: number('options.maxAttempts', 5),
		retryMs: number('options.retrySeconds', 30) * 1000,
		keepMs: number('options.keepDays', 30) * DAY_MS,
	};
}
