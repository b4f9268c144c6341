/** Business events in n8n's queue mode: deliveries come to the main, runs are on two workers, none lost, none doubled. */
import { connectToN8n, itemsOf, publish, realN8n, type Execution, type RestCall } from '../support/real-n8n';
import { executionsOf, postgresStorage, queueServers, whereNode } from '../support/queue';
import { webhookWorkflow, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(300_000);

const EVENTS = 200;
/** Every tenth event is delivered three times. */
const DELIVERIES = Array.from({ length: EVENTS }, (_, n) => (n % 10 === 0 ? [n, n, n] : [n])).flat().sort((a, b) => (a * 7919) % 211 - ((b * 7919) % 211));
const AT_ONCE = 8;
const all = Array.from({ length: EVENTS }, (_, n) => n);
const { onNode, credential } = postgresStorage();

let call: RestCall;
beforeAll(async () => {
	call = await connectToN8n();
});

async function deliver(path: string, n: number): Promise<{ status: number; body: Record<string, unknown> }> {
	const body = JSON.stringify({ ticket: n });
	const response = await fetch(`${realN8n().url}/webhook/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Waits until n8n knows the path: it registers it a moment after it has answered. */
async function whenRegistered(path: string): Promise<void> {
	for (let tries = 0; tries < 50 && (await deliver(path, -1)).status === 404; tries++) await new Promise((resolve) => setTimeout(resolve, 200));
}

async function deliverAll(path: string) {
	const answers: Array<{ status: number; body: Record<string, unknown> }> = [];
	const left = [...DELIVERIES];
	const deliverOn = async (): Promise<void> => {
		for (let n = left.pop(); n !== undefined; n = left.pop()) answers.push(await deliver(path, n));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, deliverOn));
	return answers;
}

/** The items that a node gave, once so many runs have ended; the runs that failed must be none. */
async function outputsOf(workflowId: string, nodeName: string, count: number): Promise<Array<Record<string, unknown>>> {
	let runs: Execution[] = [];
	for (let tries = 0; tries < 60; tries++) {
		const before = runs.length;
		runs = await executionsOf(workflowId);
		if (runs.length >= count && runs.length === before) break;
		await new Promise((resolve) => setTimeout(resolve, 1_000));
	}
	expect(runs.filter(({ status }) => status !== 'success').map(({ error }) => error?.message)).toEqual([]);
	return runs.flatMap((run) => itemsOf(run, nodeName));
}

const trigger = (parameters: object): NodeLine => ['Receive', 'businessEventTrigger', 1, { check: 'none', idPath: 'ticket', ...parameters }, onNode];

function withoutWebhook(workflow: ReturnType<typeof webhookWorkflow>) {
	const nodes = workflow.nodes.filter(({ name }) => name !== 'Webhook').map((node) => (node.name === 'Receive' ? { ...node, webhookId: `${workflow.id}-hook` } : node));
	return { ...workflow, nodes };
}

it(`starts one run for each of ${EVENTS} events out of ${DELIVERIES.length} deliveries, on both workers`, async () => {
	const id = 'queueEventRuns01';
	const lines = [trigger({ path: 'queue-runs', handling: 'run', list: 'runs' }), whereNode()];
	await publish(call, withoutWebhook(webhookWorkflow(id, '', lines, [['Receive', 'main', 'Where']])), { credentials: [credential] });
	await whenRegistered('queue-runs');
	const answers = await deliverAll('queue-runs');
	expect([202, 200].map((status) => answers.filter((answer) => answer.status === status).length)).toEqual([EVENTS, DELIVERIES.length - EVENTS]);
	const items = await outputsOf(id, 'Where', EVENTS + 1);
	const tickets = items.map(({ body }) => (body as { ticket: number }).ticket).filter((n) => n >= 0);
	expect(tickets.sort((a, b) => a - b)).toEqual(all);
	expect(new Set(items.map(({ worker }) => worker))).toEqual(new Set(queueServers().workers));
});

it('lets each event through Event Gate once, whichever worker checks it', async () => {
	const id = 'queueEventGate01';
	const gate: NodeLine = ['Gate', 'eventGate', 1, { check: 'none', eventId: '={{ $json.body.ticket }}', options: {} }, onNode];
	const workflow = webhookWorkflow(id, 'queue-gate', [gate, whereNode(), whereNode('Refused', { reason: '={{ $json.refused.reason }}' })], [['Webhook', 'main', 'Gate'], ['Gate', 'main', 'Where']]);
	workflow.connections.Gate?.main?.push([{ node: 'Refused', type: 'main', index: 0 }]);
	await publish(call, workflow, { credentials: [credential] });
	await whenRegistered('queue-gate');
	const tickets = Array.from({ length: 40 }, (_, n) => n % 20);
	const answers = (await Promise.all(tickets.map(async (n) => await deliver('queue-gate', n)))).map(({ body }) => body);
	const accepted = answers.filter(({ reason }) => reason === undefined);
	expect(accepted.map(({ event }) => Number((event as { id: string }).id)).sort((a, b) => a - b)).toEqual(all.slice(0, 20));
	expect(answers.filter(({ reason }) => reason === 'repeated')).toHaveLength(20);
	expect(new Set(answers.map(({ worker }) => worker))).toEqual(new Set(queueServers().workers));
});

it('takes events from the inbox once each, on both workers, and tries a failed run again', async () => {
	const receiver = webhookWorkflow('queueReceives001', '', [trigger({ path: 'queue-inbox', handling: 'queue', list: 'inbox' })], []);
	await publish(call, withoutWebhook(receiver), { credentials: [credential] });
	await whenRegistered('queue-inbox');
	const answers = await Promise.all(all.slice(0, 40).flatMap((n) => [n, n]).map(async (n) => (await deliver('queue-inbox', n)).status));
	expect([202, 200].map((status) => answers.filter((one) => one === status).length)).toEqual([40, 40]);

	const id = 'queueTakes000001';
	const lines: NodeLine[] = [
		['Queue', 'eventQueueTrigger', 1, { list: 'inbox', options: { atOnce: 4, retrySeconds: 1 } }, onNode],
		whereNode(),
		['First of 7', 'n8n-nodes-base.filter', 2.2, { conditions: { options: { version: 2 }, combinator: 'and', conditions: [{ id: 'c', operator: { type: 'boolean', operation: 'true', singleValue: true }, leftValue: '={{ $json.body.ticket === 7 && $json.event.attempt === 1 }}', rightValue: '' }] } }],
		['Fail', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'the ERP is down' }],
	];
	await publish(call, withoutWebhook(webhookWorkflow(id, '', lines, [['Queue', 'main', 'Where'], ['Where', 'main', 'First of 7'], ['First of 7', 'main', 'Fail']])), { credentials: [credential] });
	let runs: Execution[] = [];
	// The event that was tried with the path, 40 events, and one more try.
	for (let tries = 0; tries < 60 && runs.length < 42; tries++) {
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		runs = await executionsOf(id);
	}
	await new Promise((resolve) => setTimeout(resolve, 2_500));
	runs = await executionsOf(id);
	const good = runs.filter(({ status }) => status === 'success').flatMap((run) => itemsOf(run, 'Where'));
	const tickets = good.map(({ body }) => (body as { ticket: number }).ticket).filter((n) => n >= 0);
	expect(tickets.sort((a, b) => a - b)).toEqual(all.slice(0, 40));
	expect(runs.filter(({ status }) => status !== 'success').map(({ error }) => error?.message)).toEqual(['the ERP is down']);
	expect(good.find(({ body }) => (body as { ticket: number }).ticket === 7)).toMatchObject({ event: { attempt: 2 } });
	expect(new Set(good.map(({ worker }) => worker))).toEqual(new Set(queueServers().workers));
});
