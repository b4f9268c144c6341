import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	connectToN8n,
	itemsOf,
	publish,
	realN8n,
	runByCommand,
	runByWebhook,
	type Execution,
	type RestCall,
	type TestWorkflow,
} from '../support/real-n8n';
import { costsByAsset, lastFullQuarter, readWorkOrders, workOrdersFile } from '../support/work-orders';

jest.setTimeout(180_000);

const MODEL = 'Chat Model: Replay';
const REPLAY = { provider: 'replay', model: 'maintenance-report', title: MODEL, sentence: 'No model is called.' };

let call: RestCall;
let indexing: TestWorkflow;
let report: TestWorkflow;
let execution: Execution;
let answered: { status: number; body: { report: string; fileName: string; output: string; run: { stoppedBy: string } } };

beforeAll(async () => {
	call = await connectToN8n();
	const { fitExample } = await import('../../examples/setup/examples.mjs');
	const fitted = { model: REPLAY, reports: realN8n().user.reports };
	indexing = fitExample('index-procedures', fitted) as TestWorkflow;
	await publish(call, indexing);
	expect((await runByWebhook(call, indexing.id, 'index-procedures')).execution.status).toBe('success');
	report = fitExample('maintenance-report', fitted) as TestWorkflow;
	await publish(call, report);
});

describe('the example in a real n8n', () => {
	it('indexes the procedures, and skips them the second time', async () => {
		// A knowledge base of this test's own: other tests on this n8n may have filled the example's.
		await publish(call, withOtherBase(indexing));
		const again = async () => await runByWebhook(call, 'indexAnew0000001', 'index-anew');
		const first = await again();
		expect([first.answer.status, first.execution.status]).toEqual([200, 'success']);
		expect(itemsOf(first.execution, 'RAG Index')).toHaveLength(13);
		expect(first.execution.runData['Embeddings']?.length).toBeGreaterThan(0);
		const second = await again();
		expect(second.execution.status).toBe('success');
		expect(second.execution.runData['Embeddings'] ?? []).toHaveLength(0);
	});

	it('makes the report by webhook', async () => {
		const run = await runByWebhook(call, 'maintenanceReprt', 'maintenance-report');
		execution = run.execution;
		answered = run.answer as typeof answered;
		expect([answered.status, execution.status]).toEqual([200, 'success']);
		expect(answered.body.run.stoppedBy).toBe('answer');
		expect(readFileSync(answered.body.fileName, 'utf8')).toBe(answered.body.report);
		expect(answered.body.report).toContain('> No model was called: this run replays a script; tools, retrieval and figures are real.');
		expect(answered.body.report).toMatch(/Each of the \d+ figures of the answer is in a tool result/);
	});

	it('shows a run of every sub-node, none with an error', () => {
		const names = ['Embeddings', 'Embeddings for Tools', MODEL, 'Tool Router', 'General Toolkit', 'Records Toolkit', 'CMMS (MCP)'];
		for (const name of names) {
			const runs = execution.runData[name] ?? [];
			expect([name, runs.length > 0, runs.filter((run) => run.error)]).toEqual([name, true, []]);
		}
		expect(execution.runData['Records Toolkit']).toHaveLength(4);
		expect(execution.runData['General Toolkit']).toHaveLength(1);
		expect(execution.runData['CMMS (MCP)']).toHaveLength(2);
		expect(execution.runData[MODEL]).toHaveLength(4);
	});

	it('gives the agent shortened passages of the procedures', () => {
		const [retrieved] = itemsOf(execution, 'RAG Retriever') as Array<{ documents: Array<{ title: string }> }>;
		const [compressed] = itemsOf(execution, 'Contextual Compressor') as Array<{
			documents: Array<{ title: string }>;
			compression: { charactersIn: number; charactersOut: number };
		}>;
		const { charactersIn, charactersOut } = compressed!.compression;
		expect(charactersOut / charactersIn).toBeLessThan(0.6);
		expect(retrieved!.documents.map((document) => document.title)).toContain('Slew brakes, slew gearboxes and slew ring');
		expect(answered.body.report).toContain(`**${compressed!.documents[0]!.title}**`);
	});

	it('fills its figures as a direct query on the CSV gives them', () => {
		const orders = readWorkOrders(workOrdersFile);
		const quarter = lastFullQuarter(orders);
		expect(costTable(answered.body.report, quarter)).toEqual(costsByAsset(orders, quarter));
		expect(answered.body.output).toContain(quarter);
	});

	it('follows when a row of the CSV is changed', async () => {
		const file = join(realN8n().user.reports, 'changed-work-orders.csv');
		const orders = readWorkOrders(workOrdersFile);
		const quarter = lastFullQuarter(orders);
		const changedId = orders.find((order) => order.quarter === quarter && order.asset === 'E')!.id;
		const lines = readFileSync(workOrdersFile, 'utf8').split('\n');
		const at = lines.findIndex((line) => line.startsWith(`${changedId},`));
		const fields = lines[at]!.split(',');
		lines[at] = [...fields.slice(0, 4), '1000000.01', ...fields.slice(5)].join(',');
		writeFileSync(file, lines.join('\n'));
		const changed = withOtherFile(report, file);
		await publish(call, changed);
		const { answer } = await runByWebhook(call, changed.id, 'maintenance-report-changed');
		const body = answer.body as typeof answered.body;
		const expected = costsByAsset(readWorkOrders(file), quarter);
		expect(expected[0]![0]).toBe('E');
		expect(costTable(body.report, quarter)).toEqual(expected);
		expect(body.output).toContain(`In ${quarter} machine E cost most`);
	});

	it('makes the same report with `n8n execute`', async () => {
		const run = await runByCommand('maintenanceReprt');
		expect(run.error).toBeUndefined();
		const [item] = itemsOf(run, 'Write Report') as Array<{ report: string }>;
		const quarter = lastFullQuarter(readWorkOrders(workOrdersFile));
		expect(costTable(item!.report, quarter)).toEqual(costTable(answered.body.report, quarter));
	});
});

/** The rows of the table of costs by asset in a quarter. */
function costTable(markdown: string, quarter: string): string[][] {
	const start = markdown.indexOf(`aggregate_records (measure: sum; column: cost; group_by: asset; filters: date equals ${quarter}`);
	if (start < 0) throw new Error(`The report has no table of costs in ${quarter}:\n${markdown}`);
	const lines = markdown.slice(start).split('\n');
	const header = lines.indexOf('| asset | value | rows |');
	const rows = lines.slice(header + 2);
	return rows.slice(0, rows.findIndex((line) => !line.startsWith('|'))).map((line) => line.slice(2, -2).split(' | '));
}

/** The indexing example into another knowledge base, by another webhook. */
function withOtherBase(workflow: TestWorkflow): TestWorkflow {
	const text = JSON.stringify(workflow.nodes).replaceAll('"knowledgeBase":"procedures"', '"knowledgeBase":"procedures anew"').replace('"path":"index-procedures"', '"path":"index-anew"');
	const nodes = (JSON.parse(text) as TestWorkflow['nodes']).map((node) => (node.webhookId ? { ...node, webhookId: 'index-anew' } : node));
	return { ...workflow, id: 'indexAnew0000001', name: 'Index anew', nodes };
}

/** A copy of the workflow with another id, path and file of work orders. */
function withOtherFile(workflow: TestWorkflow, file: string): TestWorkflow {
	const text = JSON.stringify(workflow)
		.replaceAll(JSON.stringify(workOrdersFile), JSON.stringify(file))
		.replace('"path":"maintenance-report"', '"path":"maintenance-report-changed"');
	const nodes = (JSON.parse(text) as TestWorkflow).nodes.map((node) => ({ ...node, id: `${node.id}-2`, ...(node.webhookId && { webhookId: `${node.webhookId}-2` }) }));
	return { ...workflow, id: 'maintenanceOther', name: 'Maintenance report, other data', nodes };
}
