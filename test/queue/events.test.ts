/** Business events in n8n's queue mode: deliveries come to the main, runs are on two workers, none lost, none doubled. */
import { connectToN8n, itemsOf, publish, realN8n, type Execution, type RestCall } from '../support/real-n8n';
import { executionsOf, postgresStorage, queueServers, whereNode } from '../support/queue';
import { webhookWorkflow, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(180_000);

const EVENTS = 200;
/** How often each event is delivered: every fourth one three times. */
const DELIVERIES = Array.from({ length: EVENTS }, (_, n) => (n % 4 === 0 ? [n, n, n] : [n])).flat().sort((a, b) => (a * 7919) % 211 - ((b * 7919) % 211));
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
