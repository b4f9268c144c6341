import { itemsOf, realN8n, type Execution, type RestCall } from './real-n8n';

/** What an Ask User node gave that waits. */
export interface WaitingQuestion {
	readonly question: string;
	readonly answerUrl: string;
	/** Names the question in the page's form. */
	readonly reference: string;
	readonly approval?: { readonly tool: string; readonly arguments: object };
}

/** Starts a workflow by its webhook without waiting for its end; gives the status of the HTTP answer. */
export async function startByWebhook(path: string, payload: object, url = realN8n().url): Promise<number> {
	const { callWebhook } = await import('../../examples/setup/run-workflow.mjs');
	return ((await callWebhook(url, path, payload)) as { status: number }).status;
}

/** The newest execution of a workflow once it has one of these statuses; throws after 30 s. */
export async function executionWith(call: RestCall, workflowId: string, ...statuses: string[]): Promise<Execution> {
	const { lastExecution } = await import('../../examples/setup/run-workflow.mjs');
	const deadline = Date.now() + 30_000;
	for (;;) {
		const execution = (await lastExecution(call, workflowId)) as Execution;
		if (statuses.includes(execution.status)) return execution;
		if (Date.now() > deadline) throw new Error(`The execution is ${execution.status}, not ${statuses.join(' or ')}: ${execution.error?.message}`);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** The question that a node of a waiting execution asks now. */
export function questionOf(execution: Execution, nodeName: string): WaitingQuestion {
	return itemsOf(execution, nodeName, 'ai_tool')[0] as unknown as WaitingQuestion;
}

/** The page of a question, as a browser gets it. */
export async function pageAt(url: string): Promise<string> {
	const response = await fetch(url);
	if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
	return await response.text();
}

/** Sends the page's form; gives the page that follows. */
export async function sendForm(url: string, fields: Record<string, string>): Promise<{ status: number; page: string }> {
	const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
	return { status: response.status, page: await response.text() };
}
