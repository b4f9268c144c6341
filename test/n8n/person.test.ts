/** Questions and approvals put to a person who answers on the page of a waiting Ask User node, in a real n8n. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { executionWith, pageAt, questionOf, sendForm, startByWebhook } from '../support/person';
import { connectToN8n, itemsOf, publish, type Execution, type RestCall } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(60_000);

let call: RestCall;
let server: FakeModelServer;

beforeAll(async () => {
	call = await connectToN8n();
});
beforeEach(async () => {
	server = await startFakeModelServer('openai-compatible');
});
afterEach(async () => {
	await server.close();
});

const links: Link[] = [
	['Webhook', 'main', 'Split'],
	['Split', 'main', 'Agent'],
	['Model', 'ai_languageModel', 'Agent'],
	['Tools', 'ai_tool', 'Agent'],
	['Ask User', 'ai_tool', 'Agent'],
];

/** One item for each query; `calculate` needs an approval. */
async function start(id: string, queries: readonly string[]): Promise<void> {
	const lines: NodeLine[] = [
		['Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.queries', options: { destinationFieldName: 'query' } }],
		['Agent', 'reActAgent', 1, { query: '={{ $json.query }}', options: { approvalTools: 'calculate' } }],
		ourModelAt(server.url),
		['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }],
		['Ask User', 'askUser', 1, { way: 'wait' }],
	];
	const workflow = webhookWorkflow(id, id.toLowerCase(), lines, links);
	const [webhook] = workflow.nodes;
	if (webhook) webhook.parameters.responseMode = 'onReceived';
	await publish(call, workflow);
	expect(await startByWebhook(id.toLowerCase(), { queries })).toBe(200);
}

const waiting = async (id: string): Promise<Execution> => await executionWith(call, id, 'waiting', 'error');

/** The last message of a request to the model. */
const lastSent = (request = -1): unknown => (server.requests.at(request)!.body.messages as unknown[]).at(-1);

describe('an approval', () => {
	it('shows the call on a page, escaped, and runs it with the arguments as the person changed them', async () => {
		const asked = '19 * 23 <b>"&';
		server.answer('chat', { chunks: callChunks('calculate', { expression: asked }) }, { chunks: answerChunks('It is 42.') });
		await start('personApprove001', ['What is it?']);
		const { question, approval, answerUrl } = questionOf(await waiting('personApprove001'), 'Ask User');
		expect(question).toContain('calculate');
		expect(approval).toEqual({ tool: 'calculate', arguments: { expression: asked } });
		const page = await pageAt(answerUrl);
		expect(page).toContain('calculate');
		expect(page).toContain('19 * 23 &#60;b&#62;');
		expect(page).not.toContain('<b>"');
		const { status, page: thanks } = await sendForm(answerUrl, { decision: 'approve', arguments: '{"expression": "6 * 7"}', by: 'Anna' });
		expect([status, thanks]).toEqual([200, expect.stringContaining('Thank you')]);
		const done = await executionWith(call, 'personApprove001', 'success', 'error');
		expect(done.error).toBeUndefined();
		expect(itemsOf(done, 'Agent')[0]).toMatchObject({
			output: 'It is 42.',
			run: { stoppedBy: 'answer', steps: [{ calls: [{ input: { expression: '6 * 7' }, decision: { approved: true, by: 'Anna' } }] }, {}] },
		});
		expect(JSON.stringify(itemsOf(done, 'Tools', 'ai_tool'))).toContain('42');
		expect(server.requests).toHaveLength(2);
		expect(lastSent()).toMatchObject({ role: 'tool', content: expect.stringContaining('42') });
		expect((await sendForm(answerUrl, { decision: 'approve' })).status).not.toBe(200);
	});

	it('that is refused gives the model the refusal, and the tool never runs', async () => {
		server.answer('chat', { chunks: callChunks('calculate', { expression: '1 + 1' }) }, { chunks: answerChunks('I left it.') });
		await start('personRefuse0001', ['What is it?']);
		const { answerUrl } = questionOf(await waiting('personRefuse0001'), 'Ask User');
		const unclear = await sendForm(answerUrl, { decision: 'perhaps' });
		expect(unclear.page).toContain('Something is missing');
		await sendForm(answerUrl, { decision: 'refuse', note: 'not today' });
		const done = await executionWith(call, 'personRefuse0001', 'success', 'error');
		expect(itemsOf(done, 'Agent')[0]).toMatchObject({ output: 'I left it.' });
		expect(done.runData['Tools'] ?? []).toHaveLength(0);
		expect(lastSent()).toMatchObject({ role: 'tool', content: 'A person refused this call: not today. Do not make it again.' });
	});

	it('of two items is asked for one after the other', async () => {
		server.answer(
			'chat',
			{ chunks: callChunks('calculate', { expression: '1 + 1' }) },
			{ chunks: callChunks('calculate', { expression: '2 + 2' }) },
			{ chunks: answerChunks('first') },
			{ chunks: answerChunks('second') },
		);
		await start('personTwoItems01', ['one', 'two']);
		const first = questionOf(await waiting('personTwoItems01'), 'Ask User');
		expect(first.approval?.arguments).toEqual({ expression: '1 + 1' });
		expect(await pageAt(first.answerUrl)).toContain(`value="${first.reference}"`);
		await sendForm(first.answerUrl, { decision: 'approve', reference: first.reference });
		const second = await nextQuestion('personTwoItems01', first.approval?.arguments);
		const late = await sendForm(first.answerUrl, { decision: 'approve', reference: first.reference });
		expect(late.page).toContain('already answered');
		expect(second.approval?.arguments).toEqual({ expression: '2 + 2' });
		await sendForm(second.answerUrl, { decision: 'refuse' });
		const done = await executionWith(call, 'personTwoItems01', 'success', 'error');
		expect(done.error).toBeUndefined();
		expect(itemsOf(done, 'Agent').map(({ output }) => output)).toEqual(['first', 'second']);
		expect(done.runData['Tools']).toHaveLength(1);
		expect(lastSent()).toMatchObject({ content: expect.stringContaining('refused') });
		expect(lastSent(-2)).toMatchObject({ content: expect.stringContaining('2') });
	});
});

describe('a question', () => {
	it('of the model is answered on a page, and the answer becomes the observation', async () => {
		server.answer('chat', { chunks: callChunks('ask_user', { question: 'Which pump, <P1> or P2?' }) }, { chunks: answerChunks('P2 it is.') });
		await start('personQuestion01', ['Order a seal']);
		const { question, approval, answerUrl } = questionOf(await waiting('personQuestion01'), 'Ask User');
		expect([question, approval]).toEqual(['Which pump, <P1> or P2?', undefined]);
		expect(await pageAt(answerUrl)).toContain('Which pump, &#60;P1&#62; or P2?');
		await sendForm(answerUrl, { answer: 'P2, “south”' });
		const done = await executionWith(call, 'personQuestion01', 'success', 'error');
		expect(itemsOf(done, 'Agent')[0]).toMatchObject({ output: 'P2 it is.' });
		expect(lastSent()).toMatchObject({ role: 'tool', content: 'P2, “south”' });
	});
});

/** The question after the one about these arguments. */
async function nextQuestion(id: string, before: object | undefined) {
	for (;;) {
		const question = questionOf(await waiting(id), 'Ask User');
		if (JSON.stringify(question.approval?.arguments) !== JSON.stringify(before)) return question;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}
