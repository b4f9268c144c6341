/** The example "Evaluation of two models" in a real n8n: table filled, test run by n8n's own evaluations, scores of both models. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPLAY } from '../support/gallery';
import { connectToN8n, itemsOf, publish, realN8n, type Execution, type RestCall, type TestWorkflow } from '../support/real-n8n';
import { runByHand } from '../support/run-by-hand';
import { workOrdersFile } from '../support/work-orders';

jest.setTimeout(300_000);

const ID = 'evaluation000001';
/** What the hasty script gets wrong on purpose. */
const WRONG_OF_B = [
	'How many work orders are of type PM02?',
	'How many work orders are about slew brakes?',
	'How many work orders cost nothing?',
	'What did all work orders of machine C cost?',
	'What does a work order of machine D cost on average, with two decimals?',
	'How many machines are there?',
	'Which day is 10 working days after 2026-03-02?',
];

interface TestRun {
	readonly status: string;
	readonly metrics?: Readonly<Record<string, number>>;
	readonly errorCode?: string;
}
interface TestCase {
	readonly status: string;
	readonly executionId: string;
	readonly outputs: Readonly<Record<string, unknown>>;
	readonly metrics: Readonly<Record<string, number>>;
}

let call: RestCall;
let run: TestRun;
let cases: readonly TestCase[];
let filled: Execution;

beforeAll(async () => {
	call = await connectToN8n();
	const { EXAMPLES, fitExample } = await import('../../examples/setup/examples.mjs');
	const { ensureTable } = await import('../../examples/setup/data-table.mjs');
	const { table } = (EXAMPLES as Array<{ file: string; table?: { name: string; columns: object } }>).find(({ file }) => file === 'evaluation')!;
	const made = (await ensureTable(call, table!)) as string;
	expect(await ensureTable(call, table!)).toBe(made);
	await publish(call, fitExample('evaluation', { model: REPLAY, reports: realN8n().user.reports, table: made }) as TestWorkflow);
	await runByHand(call, ID, 'By Hand: Fill the Table');
	filled = await runByHand(call, ID, 'By Hand: Fill the Table');
	const testRunId = await startTestRun();
	run = await finished(testRunId);
	cases = await call<TestCase[]>('GET', `/workflows/${ID}/test-runs/${testRunId}/test-cases`);
});

/** As the button of the tab Evaluations does; n8n's answer lacks its usual wrapping, so the newest run is looked up. */
async function startTestRun(): Promise<string> {
	await call('POST', `/workflows/${ID}/test-runs/new`, {});
	const [newest] = await call<Array<{ id: string }>>('GET', `/workflows/${ID}/test-runs`);
	return newest!.id;
}

async function finished(testRunId: string): Promise<TestRun> {
	const deadline = Date.now() + 240_000;
	for (;;) {
		const found = await call<TestRun>('GET', `/workflows/${ID}/test-runs/${testRunId}`);
		if (!['new', 'running'].includes(found.status)) return found;
		if (Date.now() > deadline) throw new Error(`The test run is still ${found.status} after 4 minutes.`);
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}

it('fills the data table with twenty questions, and does not double them the second time', () => {
	expect(filled.status).toBe('success');
	expect(itemsOf(filled, 'Add or Update')).toHaveLength(20);
});

it('expects what the file of work orders really says', () => {
	const rows = readFileSync(workOrdersFile, 'utf8').trimEnd().split(/\r?\n/).slice(1).map((line) => line.split(','));
	const asset = (name: string): string[][] => rows.filter(([, , machine]) => machine === name);
	const sum = (some: string[][]): string => String(some.reduce((cents, [, , , , cost]) => cents + Math.round(Number(cost) * 100), 0) / 100);
	const questions = readFileSync(join(__dirname, '../../examples/data/evaluation-questions.csv'), 'utf8');
	for (const line of [
		`How many work orders are there in all?,${rows.length},`,
		`How many work orders does machine A have?,${asset('A').length},`,
		`What did all work orders of machine C cost?,${sum(asset('C'))},`,
		`What did all work orders of the year 2010 cost?,${sum(rows.filter(([, date]) => date!.startsWith('2010')))},`,
		`How many work orders are about slew brakes?,${rows.filter((row) => /slew brake/i.test(row.slice(5).join(','))).length},`,
		`How many days lie between 2008-01-01 and 2010-06-30?,${(Date.UTC(2010, 5, 30) - Date.UTC(2008, 0, 1)) / 86_400_000},`,
	]) {
		expect(questions).toContain(line);
	}
});

it('is run by n8n’s evaluations, with the figures of both models', () => {
	expect([run.status, run.errorCode ?? null]).toEqual(['completed', null]);
	expect(cases).toHaveLength(20);
	expect(cases.filter(({ status }) => status !== 'success')).toEqual([]);
	expect(run.metrics).toMatchObject({ right_a: 1, right_b: 13 / 20, tools_a: 1, seconds_a: expect.any(Number), seconds_b: expect.any(Number) });
	expect(run.metrics!.tools_b).toBeGreaterThan(0.5);
	expect(run.metrics!.tools_b).toBeLessThan(0.9);
});

it('ran real tools for each question', async () => {
	const { readExecution } = await import('../../examples/setup/run-workflow.mjs');
	const execution = (await readExecution(call, cases[0]!.executionId)) as Execution;
	expect(Object.keys(execution.runData)).toEqual(expect.arrayContaining(['Questions', 'Agent with Model A', 'Agent with Model B', 'Work Orders', 'Write to the Table', 'Right Answers', 'Tools of A', 'Tools of B']));
	expect(execution.runData['Work Orders']).toHaveLength(2);
});

it('writes answers and scores to the table, and shows them side by side', async () => {
	const response = await fetch(`${realN8n().url}/webhook/evaluation-results`);
	const table = await response.text();
	expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
	const rows = table.split('\n').map((line) => line.slice(2, -2).split(' | '));
	expect(rows[0]).toEqual(['Question', 'Expected', 'Model A', '', 'Model B', '']);
	const wrong = rows.filter((cells) => cells[5] === 'wrong').map(([question]) => question);
	expect(wrong.sort()).toEqual([...WRONG_OF_B].sort());
	expect(rows.filter((cells) => cells[3] === 'right')).toHaveLength(20);
	expect(rows.at(-1)).toEqual(['**Right**', '', '', '**20 of 20**', '', '**13 of 20**']);
});
