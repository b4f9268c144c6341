/** The example *Plan, approve, execute, report* in a real n8n: a plan that a person changes, steps by agents, the rest planned anew. */
import { readFileSync } from 'node:fs';
import { executionsOf, nextExecution, publishExamples, submitForm, toolsRun } from '../support/gallery';
import { startByWebhook } from '../support/person';
import { connectToN8n, itemsOf, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';

jest.setTimeout(120_000);

const ID = 'planApproveExec1';
let call: RestCall;

beforeAll(async () => {
	call = await connectToN8n();
	await publishExamples(call, 'index-procedures', 'plan-approve-execute');
	expect((await runByWebhook(call, 'indexProcedures1', 'index-procedures')).execution.status).toBe('success');
});

async function plan(): Promise<{ link: string; text: string }> {
	const before = (await executionsOf(call, ID)).length;
	expect(await startByWebhook('plan-task', {})).toBe(200);
	const waiting = await nextExecution(call, ID, before, 'waiting', 'error');
	expect(waiting.error?.message).toBeUndefined();
	const [mail] = itemsOf(waiting, 'Plan as a Mail') as Array<{ text: string }>;
	return { text: mail!.text, link: mail!.text.split('\n').at(-1) ?? '' };
}

async function decide(link: string, fields: readonly string[]): Promise<Execution> {
	expect(await submitForm(link, fields)).toBe(200);
	return await nextExecution(call, ID, 0, 'success', 'error');
}

it('plans, does the approved steps, plans the rest anew once, and reports the whole', async () => {
	const { link, text } = await plan();
	expect(text).toMatch(/1\. History: [^]*2\. Engine hours: [^]*3\. Parts: [^]*4\. Procedure: /);
	const done = await decide(link, ['Approve', '']);
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	const rounds = (done.runData['Do the Step'] ?? []).map((run) => (run.data?.main?.[0] ?? []).map(({ json }) => (json.output as { done: boolean }).done));
	expect(rounds).toEqual([[true, false, true], [true, true]]);
	expect(done.runData['Plan the Rest Anew']).toHaveLength(1);
	expect(toolsRun(done, 'CMMS (MCP)', 'Procedures')).toEqual(['search_work_orders', 'meter_readings', 'meter_readings', 'parts_stock', 'meter_readings', 'search_procedures']);
	const [item] = itemsOf(done, 'Save the Report') as Array<{ output: string; fileName: string; report: string; run: object }>;
	expect(item!.output).toMatch(/4 work orders about slew brakes[^]*44694 engine hours on 2012-12-01[^]*2 parts below their minimum[^]*less than 3 mm of piston travel/);
	expect(item!.run).toMatchObject({ stoppedBy: 'answer', plan: { replanned: true, steps: [{ id: 's1' }, { id: 's2' }, { id: 's3' }, { id: 's4' }, { id: 's5' }] } });
	expect(readFileSync(item!.fileName, 'utf8')).toBe(item!.report);
	for (const tool of ['search_work_orders', 'meter_readings', 'parts_stock', 'search_procedures']) expect(item!.report).toContain(tool);
});

it('leaves out what the person left out', async () => {
	const { link } = await plan();
	const done = await decide(link, ['Approve', '2']);
	expect([done.status, done.runData['Plan the Rest Anew']]).toEqual(['success', undefined]);
	expect(toolsRun(done, 'CMMS (MCP)')).toEqual(['search_work_orders', 'parts_stock']);
	const [item] = itemsOf(done, 'Save the Report') as Array<{ output: string; plan: { steps: Array<{ title: string }> } }>;
	expect(item!.plan.steps.map(({ title }) => title)).toEqual(['History', 'Parts', 'Procedure']);
	expect(item!.output).not.toContain('engine hours');
});

it('does nothing when the plan is rejected', async () => {
	const { link } = await plan();
	const done = await decide(link, ['Reject', '']);
	expect(done.status).toBe('success');
	expect(Object.keys(done.runData)).toContain('Plan Rejected');
	expect(Object.keys(done.runData)).not.toContain('Do the Step');
});
