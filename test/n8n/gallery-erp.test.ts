/** The example *Breakdown ticket from the ERP* in a real n8n: a signed ticket, a proposal, a decision by form, a work order. */
import { executionsOf, nextExecution, publishExamples, sendEvent, submitForm, toolsRun } from '../support/gallery';
import { connectToN8n, itemsOf, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';

jest.setTimeout(120_000);

const ID = 'erpBreakdown0001';
interface Proposal {
	readonly link: string;
	readonly to: string;
	readonly text: string;
}

let call: RestCall;

beforeAll(async () => {
	call = await connectToN8n();
	await publishExamples(call, 'index-procedures', 'erp-breakdown-ticket');
	expect((await runByWebhook(call, 'indexProcedures1', 'index-procedures')).execution.status).toBe('success');
});

async function propose(): Promise<Execution> {
	const before = (await executionsOf(call, ID)).length;
	expect((await sendEvent('erp-breakdown-ticket')).status).toBe(202);
	return await nextExecution(call, ID, before, 'success', 'error');
}

async function decide({ link }: Proposal, decision: string): Promise<Execution> {
	const before = (await executionsOf(call, ID)).length;
	const given = new URL(link).searchParams;
	const [ticket, proposal, token, query, subject] = ['ticket', 'proposal', 'token', 'query', 'subject'].map((name) => given.get(name) ?? '');
	expect(await submitForm(link, [ticket!, proposal!, decision, 'Anna', 'Please hurry', token!, query!, subject!])).toBe(200);
	return await nextExecution(call, ID, before, 'success', 'error');
}

it('proposes a work order for a signed ticket, after a look at history, stock and procedure, and writes nothing', async () => {
	const execution = await propose();
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	expect(toolsRun(execution, 'CMMS (MCP)')).toEqual(['search_work_orders', 'parts_stock']);
	expect(itemsOf(execution, 'Find the Procedure')[0]).toMatchObject({ documents: expect.arrayContaining([expect.objectContaining({ title: 'Hydraulic oil leaks' })]) });
	expect(itemsOf(execution, 'Propose What to Do')[0]).toMatchObject({ question: { kind: 'approval', tool: 'create_work_order' }, run: { stoppedBy: 'approval' } });
	const [mail] = itemsOf(execution, 'Mail for Approval') as unknown as Proposal[];
	expect(mail).toMatchObject({ to: 'maintenance.planner@example.com', text: expect.stringContaining('Replace burst hydraulic hose at the boom, part HH-B') });
	expect(mail!.text).toContain(mail!.link);
	const form = await (await fetch(mail!.link)).text();
	for (const shown of ['Approve the work order?', 'machine B: Hydraulic hose', 'create_work_order', 'text: Replace burst hydraulic hose at the boom, part HH-B']) expect(form).toContain(shown);
});

it('creates the work order when the form approves it, once', async () => {
	const [mail] = itemsOf(await propose(), 'Mail for Approval') as unknown as Proposal[];
	const done = await decide(mail!, 'Approve');
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	expect(toolsRun(done, 'CMMS (MCP)')).toEqual(['create_work_order']);
	const [order] = itemsOf(done, 'CMMS (MCP)', 'ai_tool');
	expect(JSON.stringify(order)).toMatch(/createdHere.{0,4}:true/);
	const [item] = itemsOf(done, 'Report') as Array<{ output: string; report: string; run: object }>;
	expect(item!.output).toMatch(/Hoses came up in \d+ earlier work orders[^]*Hose: replace it when the braid is visible[^]*\*\*Work order n\d+ created\.\*\* Replace burst hydraulic hose[^\n]*\.$/);
	expect(item!.run).toMatchObject({ stoppedBy: 'answer', figures: { unsupported: [] } });
	expect(item!.report).toMatch(/Breakdown ticket [^]*, machine B: Hydraulic hose[^]*<table[^]*create_work_order/);
	expect(item!.report).toMatch(/Sources<\/h2>[^]*Hydraulic oil leaks/);
	expect((await decide(mail!, 'Approve')).error?.message).toBe('This question was already answered');
});

it('creates none when the form refuses it', async () => {
	const [mail] = itemsOf(await propose(), 'Mail for Approval') as unknown as Proposal[];
	const done = await decide(mail!, 'Refuse');
	expect([done.status, done.runData['CMMS (MCP)']]).toEqual(['success', undefined]);
	const [item] = itemsOf(done, 'Report') as Array<{ output: string; run: { steps: unknown } }>;
	expect(item!.output).toContain('**Work order not created.** It was not approved.');
	expect(item!.run.steps).toMatchObject([{}, { calls: [{ decision: { approved: false, by: 'Anna', note: 'Please hurry' } }] }, {}]);
});

it('takes no ticket that is not signed, and each one once', async () => {
	const body = { machine: 'B', name: 'ISS-1', subject: 'Hydraulic hose burst', description: '' };
	expect((await sendEvent('erp-breakdown-ticket', body, { body: JSON.stringify({ ...body, machine: 'C' }) })).status).toBe(401);
	expect((await sendEvent('erp-breakdown-ticket', body)).status).toBe(202);
	expect(await sendEvent('erp-breakdown-ticket', body)).toMatchObject({ status: 200, text: expect.stringContaining('"repeated":true') });
});
