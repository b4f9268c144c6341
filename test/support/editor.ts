import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';
import { picturesFolder, realN8n } from './real-n8n';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
/** Without these a closed network refuses many connections of the browser's own. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** n8n's editor in Chromium, logged in. */
export interface Editor {
	readonly page: Page;
	/** Errors of the page since the last call: its console, uncaught exceptions, failed requests to n8n, error messages shown. */
	takeProblems(): Promise<string[]>;
	openWorkflow(id: string): Promise<void>;
	/** Opens the panel of a node of the workflow that is shown. */
	openPanel(nodeName: string): Promise<void>;
	closePanel(): Promise<void>;
	/** What the node panel offers for some words, best first. */
	searchNodes(words: string): Promise<string[]>;
	/** What is offered at the plus under an input of a node, such as `ai_tool`. */
	searchAtInput(nodeName: string, port: string, words: string): Promise<string[]>;
	/** Writes `.pictures/<name>.png`. */
	takePicture(name: string): Promise<void>;
	close(): Promise<void>;
}

/** Starts Chromium and logs in. */
export async function openEditor(): Promise<Editor> {
	const { url, user } = realN8n();
	selectors.setTestIdAttribute('data-test-id');
	const { browser, page } = await openBrowser();
	await logIn(page, user.login);
	return editorOf(browser, page, collectProblems(page, url));
}

/** Starts Chromium with an empty page; nobody is logged in. */
export async function openBrowser(): Promise<{ browser: Browser; page: Page }> {
	if (!existsSync(CHROMIUM)) {
		throw new Error(`${CHROMIUM} was not found. On Debian or Ubuntu: apt-get install -y chromium (or set CHROMIUM_PATH).`);
	}
	const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
	const page = await (await browser.newContext({ viewport: { width: 1600, height: 1000 }, baseURL: realN8n().url })).newPage();
	page.setDefaultTimeout(10_000);
	return { browser, page };
}

/** Writes `.pictures/<name>.png`. */
export async function takePicture(page: Page, name: string): Promise<void> {
	await page.screenshot({ path: join(picturesFolder(), `${name}.png`) });
}

async function logIn(page: Page, login: { readonly email: string; readonly password: string }): Promise<void> {
	await page.goto('/signin');
	await page.locator('input[name=emailOrLdapLoginId]').fill(login.email);
	const password = page.locator('input[name=password]');
	await password.fill(login.password);
	await password.press('Enter');
	await page.waitForURL(/\/(home|workflow)/);
}

function collectProblems(page: Page, url: string): string[] {
	const problems: string[] = [];
	page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
	page.on('console', (message) => {
		if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`);
	});
	page.on('response', (response) => {
		if (response.url().startsWith(url) && response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
	});
	return problems;
}

function editorOf(browser: Browser, page: Page, problems: string[]): Editor {
	return {
		page,
		async takeProblems() {
			const shown = await page.locator('.el-notification:has(.el-notification--error), .el-notification.error').allTextContents();
			return [...problems.splice(0), ...shown.map((text) => `shown: ${text}`)];
		},
		async openWorkflow(id) {
			await page.goto(`/workflow/${id}`);
			await page.getByTestId('canvas-node').first().waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await page.waitForTimeout(800);
		},
		async openPanel(nodeName) {
			await nodeOf(page, nodeName).dblclick();
			await page.getByTestId('node-parameters').waitFor();
			await page.waitForTimeout(500);
		},
		async closePanel() {
			await page.getByTestId('ndv-close-button').click();
			await page.getByTestId('node-parameters').waitFor({ state: 'hidden' });
		},
		async searchNodes(words) {
			await page.getByTestId('node-creator-plus-button').click();
			return await search(page, words);
		},
		async searchAtInput(nodeName, port, words) {
			await nodeOf(page, nodeName).locator(`[data-handleid^="inputs/${port}/"]`).getByTestId('canvas-handle-plus').first().click();
			return await search(page, words);
		},
		takePicture: async (name) => await takePicture(page, name),
		close: async () => await browser.close(),
	};
}

function nodeOf(page: Page, nodeName: string): Locator {
	return page.locator(`[data-test-id=canvas-node][data-node-name="${nodeName}"]`);
}

/** Types into the open node panel, reads the names found and closes it. */
async function search(page: Page, words: string): Promise<string[]> {
	const panel = page.getByTestId('node-creator');
	await panel.locator('input').first().fill(words);
	await page.waitForTimeout(500);
	const names = await panel.getByTestId('node-creator-item-name').allTextContents();
	await page.getByTestId('canvas').click({ position: { x: 40, y: 40 } });
	await panel.waitFor({ state: 'hidden' });
	return names;
}
