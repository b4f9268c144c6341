import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
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
	/** Opens the panel of a node. */
	openNode(workflowId: string, nodeId: string): Promise<void>;
	/** Searches the node panel of an empty workflow; the names found, best first. */
	searchNodes(words: string): Promise<string[]>;
	/** Writes `.pictures/<name>.png`. */
	takePicture(name: string): Promise<void>;
	close(): Promise<void>;
}

/** Starts Chromium and logs in. */
export async function openEditor(): Promise<Editor> {
	if (!existsSync(CHROMIUM)) {
		throw new Error(`${CHROMIUM} was not found. On Debian or Ubuntu: apt-get install -y chromium (or set CHROMIUM_PATH).`);
	}
	const { url, user } = realN8n();
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
	const page = await (await browser.newContext({ viewport: { width: 1600, height: 1000 }, baseURL: url })).newPage();
	page.setDefaultTimeout(10_000);
	await logIn(page, user.login);
	return editorOf(browser, page, collectProblems(page, url));
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
		async openNode(workflowId, nodeId) {
			await page.goto(`/workflow/${workflowId}/${nodeId}`);
			await page.getByTestId('node-parameters').waitFor();
			await page.waitForTimeout(500);
		},
		async searchNodes(words) {
			await page.goto('/workflow/new');
			await page.getByTestId('canvas-controls').waitFor();
			await page.getByTestId('node-creator-plus-button').click();
			await page.locator('[data-test-id=node-creator] input').first().fill(words);
			await page.waitForTimeout(600);
			return await page.getByTestId('node-creator-item-name').allTextContents();
		},
		async takePicture(name) {
			await page.screenshot({ path: join(picturesFolder(), `${name}.png`) });
		},
		close: async () => await browser.close(),
	};
}
