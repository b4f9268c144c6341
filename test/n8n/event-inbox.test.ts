/** Business Event Trigger and Event Queue Trigger in a real n8n: nothing lost, nothing doubled, also over a kill. */
import { startOwnN8n, type OwnN8n } from '../support/own-n8n';
import type { TestWorkflow } from '../support/real-n8n';

jest.setTimeout(240_000);

const TOKEN = 'the token of the ERP, long enough';
let n8n: OwnN8n;

beforeAll(async () => {
	// For each delivery to a trigger of another package n8n makes an isolate for expressions, 50 ms of processor time: not what is tested here.
	n8n = await startOwnN8n({ N8N_EXPRESSION_ENGINE: 'legacy' });
});
afterAll(async () => await n8n.remove());

function workflow(id: string, nodes: ReadonlyArray<readonly [string, string, object, object?]>): TestWorkflow {
	const all = nodes.map(([name, type, parameters, credentials], at) => ({
		id: `${id}-${at}`, name, type: type.includes('.') ? type : `n8n-nodes-reactengine.${type}`, typeVersion: type.endsWith('.set') ? 3.4 : 1, position: [at * 200, 0], parameters,
		...(credentials && { credentials }), ...(type === 'businessEventTrigger' && { webhookId: `${id}-hook` }),
	}));
	const connections = Object.fromEntries(nodes.slice(0, -1).map(([name], at) => [name, { main: [[{ node: nodes[at + 1]![0], type: 'main', index: 0 }]] }]));
	return { id, name: id, nodes: all as never, connections: connections as never, settings: { executionOrder: 'v1' } };
}

const receiver = workflow('eventReceiver001', [['Receive', 'businessEventTrigger', { path: 'erp', handling: 'queue', check: 'token', tokenIn: 'header', placeName: 'x-token', keyPath: 'machine' }, { reactEngineEventKeyApi: { name: 'ERP' } }]]);
const worker = workflow('eventWorker00001', [
	['Queue', 'eventQueueTrigger', { options: { atOnce: 3, retrySeconds: 1 } }],
	// Fails for the ticket 7 at its first try.
	['Check', 'n8n-nodes-base.stopAndError', { errorMessage: 'never' }],
]);
worker.nodes[1] = { ...worker.nodes[1]!, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: "const { body, event } = $input.first().json;\nif (body.n === 7 && event.attempt === 1) throw new Error('the ERP is down');\nreturn [{ json: { n: body.n, attempt: event.attempt } }];" } };

async function deliver(n: number, token = TOKEN): Promise<{ status: number; body: unknown }> {
	const response = await fetch(`${n8n.url()}/webhook/erp`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-token': token }, body: JSON.stringify({ n, machine: `M${n % 3}` }) });
	return { status: response.status, body: await response.json() };
}

it('answers 202 for an event, 200 for a repeat, 401 for a stranger who learns nothing', async () => {
	await n8n.publish(receiver, [{ name: 'ERP', type: 'reactEngineEventKeyApi', data: { secret: TOKEN, olderSecret: '' } }]);
	for (let tries = 0; tries < 50 && (await deliver(-1, 'x')).status === 404; tries++) await new Promise((resolve) => setTimeout(resolve, 200));
	const first = await deliver(0);
	expect(first).toEqual({ status: 202, body: { accepted: true, id: expect.stringMatching(/^sha256:/) } });
	expect(await deliver(0)).toEqual({ status: 200, body: { accepted: false, repeated: true, id: (first.body as { id: string }).id } });
	expect(await deliver(1, 'wrong')).toEqual({ status: 401, body: { message: 'This delivery is refused' } });
});

const STORM = { deliveries: 1_000, events: 10, atOnce: 8 };

it(`starts exactly ${STORM.events} runs when ${STORM.deliveries} deliveries of ${STORM.events} events come, ${STORM.atOnce} at a time`, async () => {
	const storm = workflow('eventStorm000001', [
		['Receive', 'businessEventTrigger', { path: 'storm', list: 'storm', handling: 'run', check: 'none', idPath: 'n' }],
		['Handle', 'n8n-nodes-base.code', { jsCode: 'return [{ json: { n: $input.first().json.body.n } }];' }],
	]);
	storm.nodes[1] = { ...storm.nodes[1]!, typeVersion: 2 };
	await n8n.publish(storm);
	const send = async (n: number): Promise<number> => (await fetch(`${n8n.url()}/webhook/storm`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ n, try: Math.random() }) })).status;
	for (let tries = 0; tries < 50 && (await send(0)) === 404; tries++) await new Promise((resolve) => setTimeout(resolve, 200));
	const answers: number[] = [];
	let next = 0;
	const sendOn = async (): Promise<void> => {
		while (next < STORM.deliveries) answers.push(await send(next++ % STORM.events));
	};
	await Promise.all(Array.from({ length: STORM.atOnce }, sendOn));
	const handled = async (): Promise<number[]> => (await n8n.outputs(storm.id, 'Handle')).map(({ n }) => n as number);
	for (let tries = 0; tries < 60 && (await handled()).length < STORM.events; tries++) await new Promise((resolve) => setTimeout(resolve, 250));
	expect((await handled()).sort((a, b) => a - b)).toEqual(Array.from({ length: STORM.events }, (_, n) => n));
	// The first of the ten came in while the webhook was waited for.
	expect([answers.filter((status) => status === 202).length, answers.filter((status) => status === 200).length]).toEqual([STORM.events - 1, STORM.deliveries - STORM.events + 1]);
});

it('runs each event once when n8n is killed right after the answers, and a failed one again', async () => {
	const answers = await Promise.all(Array.from({ length: 29 }, async (_, i) => (await deliver(i + 1)).status));
	expect(new Set(answers)).toEqual(new Set([202]));
	await n8n.kill();
	await n8n.publish(worker);
	const handled = async (): Promise<Array<{ n: number; attempt: number }>> => (await n8n.outputs(worker.id, 'Check')) as never;
	for (let tries = 0; tries < 240 && (await handled()).length < 30; tries++) await new Promise((resolve) => setTimeout(resolve, 500));
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	const results = await handled();
	expect(results.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i));
	expect(results.find(({ n }) => n === 7)?.attempt).toBe(2);
});
