/** The example *When a workflow fails* in a real n8n: started by n8n when another workflow fails, with the agent's work so far. */
import { executionsOf, nextExecution, publishExamples } from '../support/gallery';
import { startByWebhook } from '../support/person';
import { connectToN8n, itemsOf, publish, type RestCall } from '../support/real-n8n';
import { webhookWorkflow } from '../support/webhook-workflow';

jest.setTimeout(120_000);

const ID = 'errorWorkflow001';
let call: RestCall;

beforeAll(async () => {
	call = await connectToN8n();
	await publishExamples(call, 'error-workflow', 'fails-on-purpose');
});

it('tells what failed, why, what to do and where to look, with the work that the agent had done', async () => {
	const before = (await executionsOf(call, ID)).length;
	expect(await startByWebhook('fail-on-purpose', {})).toBe(200);
	const told = await nextExecution(call, ID, before, 'success', 'error');
	expect([told.status, told.error?.message]).toEqual(['success', undefined]);
	const [failed] = await executionsOf(call, 'failsOnPurpose01');
	expect(failed!.status).toBe('error');
	const [facts] = itemsOf(told, 'What Failed') as Array<{ link: string }>;
	expect(facts).toMatchObject({ workflow: 'Fails on purpose', node: 'Agent With One Step', code: 'RESOURCE_LIMIT', reason: expect.stringContaining('the limit of 1 steps is reached'), remedy: expect.stringContaining('Raise Max Steps') });
	expect(facts!.link).toContain(`/workflow/failsOnPurpose01/executions/${failed!.id}`);
	const [mail] = itemsOf(told, 'Mail to the Owner') as Array<{ html: string; subject: string }>;
	expect(mail!.subject).toBe('Failed: Fails on purpose (Agent With One Step)');
	expect(mail!.html).toContain(`href="${facts!.link}"`);
	for (const part of ['the limit of 1 steps is reached (RESOURCE_LIMIT)', 'Raise Max Steps', 'list_assets', '350651.83']) expect(mail!.html).toContain(part);
});

it('tells of any other node too', async () => {
	const workflow = webhookWorkflow('failsByStop00001', 'fail-by-stop', [['Halt <b>', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'The tank is < empty' }]], [['Webhook', 'main', 'Halt <b>']]);
	await publish(call, { ...workflow, settings: { ...workflow.settings, errorWorkflow: ID } });
	const before = (await executionsOf(call, ID)).length;
	await startByWebhook('fail-by-stop', {});
	const told = await nextExecution(call, ID, before, 'success', 'error');
	expect([told.status, told.error?.message]).toEqual(['success', undefined]);
	const [mail] = itemsOf(told, 'Mail to the Owner') as Array<{ html: string }>;
	expect(mail!.html).toMatch(/Node Halt &lt;b>[^]*The tank is &lt; empty[^]*href="http[^"]*failsByStop00001/);
});
