/** A run that ends with an approval goes on in another workflow, after n8n was stopped and started again. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { startOwnN8n, type OwnN8n } from '../support/own-n8n';
import { itemsOf } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(180_000);

let n8n: OwnN8n;
let server: FakeModelServer;

beforeAll(async () => {
	server = await startFakeModelServer('openai-compatible');
	n8n = await startOwnN8n();
});
afterAll(async () => {
	await n8n.remove();
	await server.close();
});

const links: Link[] = [['Webhook', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent']];

function workflow(id: string, agent: NodeLine[3]) {
	const options = { approvalTools: 'calculate' };
	return webhookWorkflow(id, id.toLowerCase(), [
		['Agent', 'reActAgent', 1, { ...agent, options }],
		ourModelAt(server.url),
		['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }],
	], links);
}

it('ends with the call and a token, goes on after a restart of n8n, once', async () => {
	server.answer('chat', { chunks: callChunks('calculate', { expression: '19 * 23' }) });
	await n8n.publish(workflow('endWithApproval1', { query: '={{ $json.body.query }}' }));
	const asked = await n8n.run('endWithApproval1', 'endwithapproval1', { query: 'What is 19 * 23?' });
	expect([asked.status, asked.error?.message]).toEqual(['success', undefined]);
	const [item] = itemsOf(asked, 'Agent') as Array<{ question: { token: string } }>;
	expect(item).toMatchObject({
		question: { kind: 'approval', tool: 'calculate', arguments: { expression: '19 * 23' }, token: expect.any(String) },
		run: { stoppedBy: 'approval', partial: true },
	});
	expect(asked.runData['Tools'] ?? []).toHaveLength(0);

	await n8n.restart();
	server.answer('chat', { chunks: answerChunks('It is 42.') });
	const parameters = { operation: 'resume', token: '={{ $json.body.token }}', approved: '={{ $json.body.approved }}',
		editedArguments: '={{ $json.body.editedArguments }}', by: 'Anna' };
	await n8n.publish(workflow('resumeApproval01', parameters));
	const answer = { token: item!.question.token, approved: true, editedArguments: { expression: '6 * 7' } };
	const resumed = await n8n.run('resumeApproval01', 'resumeapproval01', answer);
	expect([resumed.status, resumed.error?.message]).toEqual(['success', undefined]);
	expect(itemsOf(resumed, 'Agent')[0]).toMatchObject({ output: 'It is 42.', run: { steps: [{ calls: [{ decision: { by: 'Anna' } }] }, {}] } });
	expect(JSON.stringify(itemsOf(resumed, 'Tools', 'ai_tool'))).toContain('42');
	const sent = server.requests.at(-1)!.body.messages as Array<{ role: string; content: string }>;
	expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
	expect([sent[1]?.content, sent[3]?.content]).toEqual(['What is 19 * 23?', expect.stringContaining('42')]);

	const again = await n8n.run('resumeApproval01', 'resumeapproval01', answer);
	expect([again.status, again.error?.message]).toEqual(['error', 'This question was already answered']);
	expect(server.requests).toHaveLength(2);
});
