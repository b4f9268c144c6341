/** Event Gate behind n8n's Webhook node in a real n8n: signatures over the raw body, and a storm of repeated deliveries. */
import { createHmac } from 'node:crypto';
import { connectToN8n, publish, realN8n, type RestCall } from '../support/real-n8n';
import { webhookWorkflow } from '../support/webhook-workflow';

jest.setTimeout(180_000);

const KEY = 'the secret of the ERP';
const DELIVERIES = 160;
const EVENTS = 10;
const AT_ONCE = 8;

let call: RestCall;

beforeAll(async () => {
	call = await connectToN8n();
	const workflow = webhookWorkflow('eventGate0000001', 'erp-event', [
		['Gate', 'eventGate', 1, { check: 'signature', sender: 'erpnext', query: '=Panne : {{ $json.body.texte }}', options: {} }, { reactEngineEventKeyApi: { name: 'ERP key' } }],
		['Accepted', 'n8n-nodes-base.set', 3.4, { assignments: { assignments: [{ id: 'q', name: 'query', value: '={{ $json.query }}', type: 'string' }] }, options: {} }],
		['Refused', 'n8n-nodes-base.set', 3.4, { assignments: { assignments: [{ id: 'r', name: 'reason', value: '={{ $json.refused.reason }}', type: 'string' }] }, options: {} }],
	], [['Webhook', 'main', 'Gate'], ['Gate', 'main', 'Accepted']]);
	workflow.connections.Gate?.main?.push([{ node: 'Refused', type: 'main', index: 0 }]);
	const nodes = workflow.nodes.map((node) => (node.name === 'Webhook' ? { ...node, parameters: { ...node.parameters, options: { rawBody: true } } } : node));
	await publish(call, { ...workflow, nodes }, { credentials: [{ name: 'ERP key', type: 'reactEngineEventKeyApi', data: { secret: KEY, olderSecret: '' } }] });
	// n8n registers the webhook a moment after it has answered.
	for (let tries = 0; tries < 50 && JSON.stringify(await deliver('{}', 'unsigned')).includes('not registered'); tries++) {
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
});

/** As Python writes JSON: with spaces and escapes that n8n's parsed body no longer has. */
function pythonJson(value: { n: number; texte: string }): string {
	const text = JSON.stringify(value.texte).replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return `{"n": ${value.n}, "texte": ${text}}`;
}

async function deliver(body: string, signed = body): Promise<unknown> {
	const signature = createHmac('sha256', KEY).update(signed).digest('base64');
	const response = await fetch(`${realN8n().url}/webhook/erp-event`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-frappe-webhook-signature': signature },
		body,
	});
	return await response.json();
}

it('checks the signature over the bytes that came, not over what was read from them', async () => {
	const body = pythonJson({ n: 100, texte: 'Fuite hydraulique à l’arrière' });
	expect(await deliver(body)).toEqual({ query: 'Panne : Fuite hydraulique à l’arrière' });
	expect(await deliver(body.replace('100', '101'), body)).toEqual({ reason: 'wrong-signature' });
});

it(`lets each of ${EVENTS} events through exactly once when ${DELIVERIES} deliveries come, ${AT_ONCE} at a time`, async () => {
	const answers: unknown[] = [];
	let next = 0;
	const deliverOn = async (): Promise<void> => {
		while (next < DELIVERIES) answers.push(await deliver(pythonJson({ n: next++ % EVENTS, texte: 'panne' })));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, deliverOn));
	const accepted = answers.filter((answer) => (answer as { query?: string }).query === 'Panne : panne');
	const repeated = answers.filter((answer) => (answer as { reason?: string }).reason === 'repeated');
	expect([answers.length, accepted.length, repeated.length]).toEqual([DELIVERIES, EVENTS, DELIVERIES - EVENTS]);
});
