import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realN8n, type Execution, type RestCall, type TestWorkflow } from './real-n8n';

/** An n8n of one test's own, that can be stopped and started again on the same user folder. */
export interface OwnN8n {
	publish(workflow: TestWorkflow): Promise<void>;
	/** Calls a workflow's webhook and gives the execution that it made. */
	run(workflowId: string, path: string, payload: object): Promise<Execution>;
	restart(): Promise<void>;
	/** Stops it and removes its user folder. */
	remove(): Promise<void>;
}

export async function startOwnN8n(): Promise<OwnN8n> {
	const { startN8n } = await import('../../examples/setup/n8n-host.mjs');
	const { connect } = await import('../../examples/setup/n8n-api.mjs');
	const { freePort } = await import('../../examples/setup/processes.mjs');
	const { importWorkflow } = await import('../../examples/setup/import-workflows.mjs');
	const { prepareUserFolder } = await import('../../examples/setup/user-folder.mjs');
	const { callWebhook, lastExecution } = await import('../../examples/setup/run-workflow.mjs');
	const { hostFolder, modelsFolder, nodes } = realN8n();
	const user = await prepareUserFolder(mkdtempSync(join(tmpdir(), 'reactengine-own-')), nodes, modelsFolder);
	const begin = async () => {
		const server = await startN8n({ folder: hostFolder, environment: user.environment, port: await freePort(), log: () => undefined });
		return { server, call: (await connect(server.url, user.login)) as RestCall };
	};
	let running = await begin();
	return {
		publish: async (workflow) => {
			const recordFile = join(user.folder, 'imported.json');
			await importWorkflow(running.call, { settings: {}, ...workflow }, { credentialIds: new Map(), recordFile });
		},
		run: async (workflowId, path, payload) => {
			await callWebhook(running.server.url, path, payload);
			return (await lastExecution(running.call, workflowId)) as Execution;
		},
		restart: async () => {
			await running.server.stop();
			running = await begin();
		},
		remove: async () => {
			await running.server.stop();
			rmSync(user.folder, { recursive: true, force: true });
		},
	};
}
