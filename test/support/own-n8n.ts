import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realN8n, type Execution, type RestCall, type TestWorkflow } from './real-n8n';

/** An n8n of one test's own, that can be stopped and started again on the same user folder. */
export interface OwnN8n {
	publish(workflow: TestWorkflow, credentials?: readonly unknown[]): Promise<void>;
	/** Calls a workflow's webhook and gives the execution that it made. */
	run(workflowId: string, path: string, payload: object): Promise<Execution>;
	restart(): Promise<void>;
	/** Kills it at once and starts it again on the same user folder. */
	kill(): Promise<void>;
	readonly url: () => string;
	/** The json of the items that a node gave in each finished run of a workflow that succeeded. */
	outputs(workflowId: string, nodeName: string): Promise<Array<Record<string, unknown>>>;
	/** Stops it and removes its user folder. */
	remove(): Promise<void>;
}

/** @param more  variables of n8n besides the usual ones */
export async function startOwnN8n(more: Readonly<Record<string, string>> = {}): Promise<OwnN8n> {
	const { startN8n } = await import('../../examples/setup/n8n-host.mjs');
	const { connect } = await import('../../examples/setup/n8n-api.mjs');
	const { freePort } = await import('../../examples/setup/processes.mjs');
	const { importCredentials, importWorkflow } = await import('../../examples/setup/import-workflows.mjs');
	const { prepareUserFolder } = await import('../../examples/setup/user-folder.mjs');
	const { callWebhook, lastExecution, readExecution } = await import('../../examples/setup/run-workflow.mjs');
	const { hostFolder, modelsFolder, nodes } = realN8n();
	const user = await prepareUserFolder(mkdtempSync(join(tmpdir(), 'reactengine-own-')), nodes, modelsFolder);
	const begin = async () => {
		const server = await startN8n({ folder: hostFolder, environment: { ...user.environment, ...more }, port: await freePort(), log: () => undefined });
		return { server, call: (await connect(server.url, user.login)) as RestCall };
	};
	let running = await begin();
	return {
		publish: async (workflow, credentials = []) => {
			const recordFile = join(user.folder, 'imported.json');
			const credentialIds = await importCredentials(running.call, credentials);
			await importWorkflow(running.call, { settings: {}, ...workflow }, { credentialIds, recordFile });
		},
		run: async (workflowId, path, payload) => {
			await callWebhook(running.server.url, path, payload);
			return (await lastExecution(running.call, workflowId)) as Execution;
		},
		restart: async () => {
			await running.server.stop();
			running = await begin();
		},
		kill: async () => {
			process.kill(running.server.pid as number, 'SIGKILL');
			await running.server.ended;
			running = await begin();
		},
		url: () => running.server.url,
		outputs: async (workflowId, nodeName) => {
			const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
			const { results } = await running.call<{ results: Array<{ id: string }> }>('GET', `/executions?filter=${filter}&limit=100`);
			const runs = await Promise.all(results.map(async ({ id }) => (await readExecution(running.call, id)) as Execution));
			return runs.flatMap(({ runData }) => (runData[nodeName]?.at(-1)?.data?.main?.[0] ?? []).map(({ json }) => json as Record<string, unknown>));
		},
		remove: async () => {
			await running.server.stop();
			rmSync(user.folder, { recursive: true, force: true });
		},
	};
}
