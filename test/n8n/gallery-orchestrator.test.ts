/** The example "Orchestrator with specialists" in a real n8n: who was asked what, which tools ran, and that one budget holds for all. */
import { readFileSync } from 'node:fs';
import { publishExamples, REPLAY, toolsRun } from '../support/gallery';
import { connectToN8n, itemsOf, realN8n, runByWebhook, type Execution, type RestCall, type TestWorkflow } from '../support/real-n8n';
import { workOrdersFile } from '../support/work-orders';

jest.setTimeout(180_000);

const QUESTION =
	"Machine D's slew brakes fail again and again: how often and at what cost, what does the procedure say, and when can we be done if parts take 10 working days from 2026-03-02?";
const SPECIALISTS = ['Records Analyst', 'Procedures Expert', 'Date Planner'];

let call: RestCall;
let workflow: TestWorkflow;
let execution: Execution;
let output: string;

beforeAll(async () => {
	call = await connectToN8n();
	const published = await publishExamples(call, 'index-procedures', 'orchestrator-with-specialists');
	workflow = published['orchestrator-with-specialists']!;
	expect((await runByWebhook(call, 'indexProcedures1', 'index-procedures')).execution.status).toBe('success');
	({ execution } = await runByWebhook(call, 'orchestrator0001', 'ask-the-team', { chatInput: QUESTION }));
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	output = String(itemsOf(execution, 'Orchestrator')[0]?.output);
});

/** What the calls of one specialist carried. */
function inputsOf(name: string): Array<Record<string, unknown>> {
	return (execution.runData[name] ?? []).flatMap((run) => (run.inputOverride?.ai_tool?.[0] ?? []).map(({ json }) => json));
}

it('answers each part of the question from the specialist for it, with figures as they stand in the data', () => {
	const [, ...lines] = readFileSync(workOrdersFile, 'utf8').trimEnd().split(/\r?\n/);
	const rows = lines.map((line) => line.split(',')).filter(([, , asset, , , ...text]) => asset === 'D' && /slew brake/i.test(text.join(',')));
	const cents = rows.reduce((sum, [, , , , cost]) => sum + Math.round(Number(cost) * 100), 0);
	expect(rows.length).toBeGreaterThan(10);
	expect(output).toContain(`Machine D has ${rows.length} work orders about the slew brake; they cost ${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2 })} in all.`);
	expect(output).toContain('Order together: two brake disc kits, seal kit, gearbox oil.');
	expect(output).toContain('10 working days after 2026-03-02 is Monday, 2026-03-16');
});

it('lets every specialist work once, each with its own tools only', () => {
	const runs = SPECIALISTS.map((name) => (execution.runData[name] ?? []).length);
	expect(runs).toEqual([1, 1, 1]);
	expect(inputsOf('Records Analyst')[0]).toMatchObject({ toolInput: { task: 'How many work orders of machine D are about the slew brake, and what did they cost in all?' } });
	expect(inputsOf('Date Planner')[0]).toMatchObject({ toolInput: { task: 'Which day is 10 working days after 2026-03-02?' } });
	expect(toolsRun(execution, 'Work Orders', 'Procedures', 'Dates')).toEqual(['aggregate_records', 'search_procedures', 'add_working_days']);
	expect(execution.runData[REPLAY.title]).toHaveLength(2);
	expect(execution.runData[`Chat Model for Specialists${REPLAY.title.slice('Chat Model'.length)}`]).toHaveLength(6);
	expect(Object.values(execution.runData).flat().filter(({ error }) => error)).toEqual([]);
});

it('gives the specialists together no more than what is left of the orchestrator’s budget', () => {
	const budgets = SPECIALISTS.map((name) => (inputsOf(name)[0] as { agentBudget: { maxTokens: number; maxSeconds: number; path: string[] } }).agentBudget);
	for (const { maxTokens, maxSeconds, path } of budgets) {
		expect(path).toEqual(['Orchestrator']);
		expect(maxTokens).toBeGreaterThan(0);
		expect(maxSeconds).toBeLessThan(240);
	}
	// They work at one time: together they get no more than there is.
	expect(budgets.reduce((sum, { maxTokens }) => sum + maxTokens, 0)).toBeLessThanOrEqual(60_000);
});

it('traces every figure of the answer to what the specialists said', () => {
	const { run } = itemsOf(execution, 'Orchestrator')[0] as { run: { stoppedBy: string; figures: { unsupported: unknown[] } } };
	expect([run.stoppedBy, run.figures.unsupported]).toEqual(['answer', []]);
});

it('streams to a chat what it is about to do, then the answer as a message of its own', async () => {
	const { webhookId } = workflow.nodes.find(({ name }) => name === 'Chat')!;
	const body = JSON.stringify({ action: 'sendMessage', sessionId: 'team', chatInput: QUESTION });
	const response = await fetch(`${realN8n().url}/webhook/${webhookId}/chat`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
	const lines = (await response.text()).split('\n').filter(Boolean).map((line) => JSON.parse(line) as { type: string; content?: string });
	const begins = lines.flatMap(({ type }, at) => (type === 'begin' ? [at] : []));
	const messages = begins.map((begin, at) => lines.slice(begin, begins[at + 1]).map(({ content }) => content ?? '').join(''));
	expect(messages).toEqual(['Three parts: figures, the procedure, a date. I ask the three specialists at once.', output]);
});
