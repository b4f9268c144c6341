/** The page of an approval, as a person uses it. */
import type { Browser, Page } from 'playwright-core';
import { openBrowser, takePicture } from '../support/editor';
import { startFakeModelServer } from '../support/fake-model-server';
import { executionWith, questionOf, startByWebhook } from '../support/person';
import { connectToN8n, itemsOf, publish } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow } from '../support/webhook-workflow';

jest.setTimeout(60_000);

let browser: Browser;
let page: Page;
let server: Awaited<ReturnType<typeof startFakeModelServer>>;

beforeAll(async () => {
	({ browser, page } = await openBrowser());
	server = await startFakeModelServer('openai-compatible');
});
afterAll(async () => {
	await browser.close();
	await server.close();
});

it('is read, changed and approved in a browser', async () => {
	const call = await connectToN8n();
	const workflow = webhookWorkflow('approvalByHand01', 'approval-by-hand', [
		['Agent', 'reActAgent', 1, { query: '={{ $json.body.query }}', options: { approvalTools: 'calculate' } }],
		ourModelAt(server.url),
		['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }],
		['Ask User', 'askUser', 1, { way: 'wait' }],
	], [['Webhook', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent'], ['Ask User', 'ai_tool', 'Agent']]);
	const [webhook] = workflow.nodes;
	if (webhook) webhook.parameters.responseMode = 'onReceived';
	await publish(call, workflow);
	server.answer('chat', { chunks: callChunks('calculate', { expression: '19 * 23' }) }, { chunks: answerChunks('It is 42.') });
	await startByWebhook('approval-by-hand', { query: 'What is it?' });
	const { answerUrl } = questionOf(await executionWith(call, 'approvalByHand01', 'waiting', 'error'), 'Ask User');

	await page.emulateMedia({ colorScheme: 'light' });
	await page.goto(answerUrl);
	expect(await page.locator('h1').textContent()).toBe('May the agent call calculate?');
	await takePicture(page, 'approval');
	await page.getByLabel('With these arguments').fill('19 * 23');
	await page.getByRole('button', { name: 'Approve' }).click();
	expect(await page.getByRole('alert').textContent()).toBe('The arguments must be one JSON object.');
	expect(await page.getByLabel('With these arguments').inputValue()).toBe('19 * 23');
	await page.getByLabel('With these arguments').fill('{"expression": "6 * 7"}');
	await page.getByLabel('Your name').fill('Anna');
	await page.getByRole('button', { name: 'Approve' }).click();
	expect(await page.locator('h1').textContent()).toBe('Thank you');

	const done = await executionWith(call, 'approvalByHand01', 'success', 'error');
	expect(itemsOf(done, 'Agent')[0]).toMatchObject({ output: 'It is 42.', run: { steps: [{ calls: [{ input: { expression: '6 * 7' }, decision: { by: 'Anna' } }] }, {}] } });
});
