import type { Execution, RestCall } from './real-n8n';

/** Runs a workflow as its button in the editor does, from one of its triggers, and gives the finished execution. */
export async function runByHand(call: RestCall, workflowId: string, trigger: string): Promise<Execution> {
	const { readExecution } = await import('../../examples/setup/run-workflow.mjs');
	const { executionId } = await call<{ executionId: string }>('POST', `/workflows/${workflowId}/run`, { triggerToStartFrom: { name: trigger } });
	const deadline = Date.now() + 90_000;
	for (;;) {
		const { status } = await call<{ status: string }>('GET', `/executions/${executionId}`);
		if (!['new', 'running'].includes(status)) return (await readExecution(call, executionId)) as Execution;
		if (Date.now() > deadline) throw new Error(`The run of ${workflowId} from "${trigger}" is still ${status} after 90 s.`);
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}
