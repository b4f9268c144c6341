import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IConnections, INode, ITaskData } from 'n8n-workflow';

/** What test/setup/n8n-server.mjs started for the tests of this run. */
export interface RealN8n {
	readonly url: string;
	/** Folder with n8n's node_modules. */
	readonly hostFolder: string;
	readonly modelsFolder: string;
	/** The installed package, to be used as `.n8n/nodes` of a user folder. */
	readonly nodes: string;
	readonly user: {
		readonly folder: string;
		readonly reports: string;
		readonly login: { readonly email: string; readonly password: string };
		readonly environment: Record<string, string>;
	};
}

export interface RestCall {
	/** Data of a call to n8n's REST interface. */
	<Data = unknown>(method: string, path: string, body?: unknown): Promise<Data>;
	/** Any path of the server, as the logged-in user. */
	get(path: string): Promise<Response>;
}

export interface TestWorkflow {
	readonly id: string;
	readonly name: string;
	readonly nodes: INode[];
	readonly connections: IConnections;
	readonly settings?: Record<string, unknown>;
}

export interface Execution {
	readonly id: string;
	readonly status: string;
	readonly runData: Record<string, ITaskData[]>;
	readonly error?: { readonly message: string };
}

/** The running server; throws when the tests were started without it. */
export function realN8n(): RealN8n {
	const given = process.env.REACTENGINE_N8N;
	if (given === undefined) throw new Error('These tests need the server of the e2e or browser project.');
	return JSON.parse(given) as RealN8n;
}

/** A logged-in REST client. */
export async function connectToN8n(): Promise<RestCall> {
	const { connect } = await import('../../examples/setup/n8n-api.mjs');
	const { url, user } = realN8n();
	return (await connect(url, user.login)) as RestCall;
}

export interface PublishOptions {
	/** [{name, type, data}], found by the nodes by name and type. */
	readonly credentials?: readonly unknown[];
	/** Saves the workflow without publishing it. */
	readonly draft?: boolean;
}

/** Imports and publishes a workflow, replacing an older one of the same id. */
export async function publish(call: RestCall, workflow: TestWorkflow, { credentials = [], draft = false }: PublishOptions = {}): Promise<void> {
	const { importCredentials, importWorkflow } = await import('../../examples/setup/import-workflows.mjs');
	const credentialIds = await importCredentials(call, credentials);
	const recordFile = join(realN8n().user.folder, 'imported.json');
	await importWorkflow(call, { settings: {}, ...workflow }, { credentialIds, recordFile, draft });
}

/** Calls the workflow's webhook and reads the execution it made. */
export async function runByWebhook(call: RestCall, workflowId: string, path: string, payload: object = {}) {
	const { callWebhook, lastExecution } = await import('../../examples/setup/run-workflow.mjs');
	const answer = await callWebhook(realN8n().url, path, payload);
	return { answer, execution: (await lastExecution(call, workflowId)) as Execution };
}

/** Runs a workflow with `n8n execute`, in a process of its own, and gives the execution it printed. */
export async function runByCommand(workflowId: string): Promise<Execution> {
	const { runN8nCommand } = await import('../../examples/setup/n8n-host.mjs');
	const { freePort } = await import('../../examples/setup/processes.mjs');
	const { hostFolder, user } = realN8n();
	const environment = { ...user.environment, N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
	const printed: string = await runN8nCommand({ folder: hostFolder, environment, args: ['execute', '--id', workflowId, '--rawOutput'] });
	// Lines of n8n's log come first.
	const run = JSON.parse(printed.slice(printed.search(/^\{/m))) as { data: { resultData: Pick<Execution, 'runData' | 'error'> }; status?: string };
	return { id: 'command', status: run.status ?? 'unknown', ...run.data.resultData };
}

/** The json of the items of a node's last run on one port. */
export function itemsOf(execution: Execution, nodeName: string, port = 'main'): Array<Record<string, unknown>> {
	const runs = execution.runData[nodeName];
	if (!runs) throw new Error(`"${nodeName}" did not run; nodes that ran: ${Object.keys(execution.runData).join(', ')}`);
	return (runs.at(-1)?.data?.[port]?.[0] ?? []).map((item) => item.json);
}

/** A folder for pictures and reports that git does not see. */
export function picturesFolder(): string {
	const folder = join(__dirname, '../../.pictures');
	mkdirSync(folder, { recursive: true });
	return folder;
}
