import { publish, realN8n, type Execution, type RestCall, type TestWorkflow } from './real-n8n';

/** The model that plays the scripts of the examples. */
export const REPLAY = { provider: 'replay', model: 'script', title: 'Chat Model: Replay', sentence: 'No model is called.' };

/** Imports and publishes examples with their credentials; gives them by their file names. */
export async function publishExamples(call: RestCall, ...names: string[]): Promise<Record<string, TestWorkflow>> {
	const { exampleCredentials, fitExample } = await import('../../examples/setup/examples.mjs');
	const { url, user } = realN8n();
	const credentials = exampleCredentials(REPLAY, user.environment.N8N_ENCRYPTION_KEY) as unknown[];
	const fitted: Record<string, TestWorkflow> = {};
	for (const name of names) {
		const workflow = fitExample(name, { model: REPLAY, reports: user.reports, url }) as TestWorkflow;
		await publish(call, workflow, { credentials });
		fitted[name] = workflow;
	}
	return fitted;
}

/** Sends a signed event to an example; `changes` are made to the delivery after it was signed. Gives status and text of the answer. */
export async function sendEvent(name: string, body?: object, changes: Record<string, unknown> = {}): Promise<{ status: number; text: string }> {
	const { signedEvent } = await import('../../examples/setup/sign-event.mjs');
	const { url, user } = realN8n();
	const event = signedEvent(name, user.environment.N8N_ENCRYPTION_KEY, body) as unknown as { path: string };
	for (let attempt = 0; ; attempt++) {
		const { path, ...request } = { ...event, ...changes };
		const response = await fetch(`${url}/webhook/${path}`, { method: 'POST', ...request } as RequestInit);
		const text = await response.text();
		// A webhook is registered a moment after its workflow is published.
		if (response.status !== 404 || attempt > 40) return { status: response.status, text };
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}

/** Executions of a workflow, newest first, without their data. */
export async function executionsOf(call: RestCall, workflowId: string): Promise<ReadonlyArray<{ id: string; status: string }>> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	return (await call<{ results: Array<{ id: string; status: string }> }>('GET', `/executions?filter=${filter}&limit=50`)).results;
}

/** The newest execution of a workflow that began after `before` ones, once it has one of these statuses; throws after 30 s. */
export async function nextExecution(call: RestCall, workflowId: string, before: number, ...statuses: string[]): Promise<Execution> {
	const { readExecution } = await import('../../examples/setup/run-workflow.mjs');
	const deadline = Date.now() + 30_000;
	for (;;) {
		const list = await executionsOf(call, workflowId);
		const [newest] = list;
		if (newest && list.length > before && statuses.includes(newest.status)) return (await readExecution(call, newest.id)) as Execution;
		if (Date.now() > deadline) throw new Error(`${list.length} executions, the newest ${newest?.status}: not ${statuses.join(' or ')}`);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** Sends a form of n8n (fields in their order, hidden ones too) as its page does; gives the status. */
export async function submitForm(url: string, fields: readonly string[]): Promise<number> {
	const body = new FormData();
	fields.forEach((value, at) => body.append(`field-${at}`, value));
	const response = await fetch(url, { method: 'POST', body });
	await response.text();
	return response.status;
}

/** Names of the tools that really ran, in order, from the runs of the nodes that gave them. */
export function toolsRun(execution: Execution, ...nodes: string[]): string[] {
	return nodes.flatMap((node) => (execution.runData[node] ?? []).flatMap((run) => (run.inputOverride?.ai_tool?.[0] ?? []).map(({ json }) => String(json.tool ?? ''))));
}
