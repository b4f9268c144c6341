/** The example chat in n8n's own chat window: five turns in French over the procedures, with a model that plays a script. */
import type { Page } from 'playwright-core';
import { openEditor, type Editor } from '../support/editor';
import { connectToN8n, publish, realN8n, runByWebhook, type TestWorkflow } from '../support/real-n8n';

jest.setTimeout(120_000);

const REPLAY = { provider: 'replay', model: 'company-chat', title: 'Chat Model: Replay', sentence: 'No model is called.' };
const TALK: ReadonlyArray<readonly [asked: string, answer: string]> = [
	['Que faut-il contrôler chaque jour sur le graissage centralisé ?', 'le niveau du pot de graisse et le manomètre de fin de ligne'],
	['Et par temps froid ?', "qualité d'hiver sous 5 °C"],
	['Que faut-il commander ensemble ?', 'flexibles de godet, deux injecteurs, joint de couvercle'],
	['Quelle est la tension normale de l’alternateur ?', '27,5 à 28,5 V au régime nominal'],
	['Qui est le directeur du site ?', 'Je ne sais pas : les documents ne répondent pas à cette question.'],
];

let editor: Editor;

beforeAll(async () => {
	const call = await connectToN8n();
	const { fitExample } = await import('../../examples/setup/examples.mjs');
	for (const name of ['index-procedures', 'company-chat']) {
		await publish(call, fitExample(name, { model: REPLAY, reports: realN8n().user.reports }) as TestWorkflow);
	}
	await runByWebhook(call, 'indexProcedures1', 'index-procedures');
	editor = await openEditor();
});
afterAll(async () => {
	await editor?.close();
});

it('answers five turns in French, each with its source', async () => {
	const { page } = editor;
	await editor.openWorkflow('companyChat00001');
	await page.getByTestId('workflow-chat-button').click();
	await pullUp(page);
	const chat = page.getByTestId('canvas-chat-body');
	for (const [asked, answer] of TALK) {
		await chat.locator('textarea').fill(asked);
		await chat.locator('textarea').press('Enter');
		await chat.locator('.chat-message-from-bot', { hasText: answer }).waitFor({ timeout: 30_000 });
	}
	await page.waitForTimeout(500);
	await editor.takePicture('company-chat');
	const answers = await chat.locator('.chat-message-from-bot').allTextContents();
	expect(answers.filter((text) => /\[\d\]/.test(text))).toHaveLength(4);
	expect(await chat.locator('.chat-message-from-user').count()).toBe(TALK.length);
	expect(await editor.takeProblems()).toEqual([]);
});

/** Makes the chat as high as the window allows, so that a picture shows all turns. */
async function pullUp(page: Page): Promise<void> {
	const header = await page.getByTestId('chat-header').boundingBox();
	if (!header) throw new Error('The chat did not open');
	await page.mouse.move(header.x + 200, header.y);
	await page.mouse.down();
	await page.mouse.move(header.x + 200, 120, { steps: 5 });
	await page.mouse.up();
}
