/** The French version of the maintenance report, and the e-mail that both versions make, in a real n8n. */
import { readFileSync } from 'node:fs';
import { publishExamples, REPLAY } from '../support/gallery';
import { connectToN8n, itemsOf, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';
import { runByHand } from '../support/run-by-hand';
import { costsByAsset, lastFullQuarter, readWorkOrders, workOrdersFile } from '../support/work-orders';

jest.setTimeout(180_000);

let call: RestCall;

beforeAll(async () => {
	call = await connectToN8n();
	await publishExamples(call, 'index-procedures', 'maintenance-report', 'rapport-de-maintenance');
	expect((await runByWebhook(call, 'indexProcedures1', 'index-procedures')).execution.status).toBe('success');
});

describe('rapport-de-maintenance', () => {
	let execution: Execution;
	let answered: { status: number; body: { report: string; fileName: string; output: string; run: { stoppedBy: string } } };

	it('écrit le rapport en français, avec les tableaux tirés du CSV', async () => {
		const run = await runByWebhook(call, 'rapportMaintenan', 'rapport-de-maintenance');
		execution = run.execution;
		answered = run.answer as typeof answered;
		expect([answered.status, execution.status, execution.error?.message]).toEqual([200, 'success', undefined]);
		const { report, output, fileName } = answered.body;
		expect(answered.body.run.stoppedBy).toBe('answer');
		expect(readFileSync(fileName, 'utf8')).toBe(report);
		expect(fileName).toMatch(/rapport-de-maintenance-[\d-]+\.md$/);
		const orders = readWorkOrders(workOrdersFile);
		const quarter = lastFullQuarter(orders);
		const [dearest] = costsByAsset(orders, quarter);
		expect(output).toContain(`Au trimestre ${quarter}, la machine ${dearest![0]} a coûté le plus : ${new Intl.NumberFormat('fr', { minimumFractionDigits: 2 }).format(Number(dearest![1]))}`);
		expect(report).toContain(`| ${dearest!.join(' | ')} |`);
		expect(report).toMatch(/^# Rapport de maintenance$/m);
		expect(report).toMatch(/Aucun modèle n/);
		expect(report).not.toMatch(/## (Answer|Sources of|Steps|Figures)\b/);
	});

	it('appelle ses outils pour de vrai', () => {
		const counts = Object.fromEntries(Object.entries(execution.runData).map(([name, runs]) => [name, runs.length]));
		expect(counts).toMatchObject({ 'Outils des ordres de travail': 4, 'Outils de calcul': 1, 'GMAO (MCP)': 2, [REPLAY.title]: 4 });
		expect(Object.values(execution.runData).flat().filter(({ error }) => error)).toEqual([]);
	});
});

it.each([
	['maintenance-report', 'maintenanceReprt', 'By Hand', ['ReAct Agent', 'E-Mail Version', 'Send by E-Mail'], 'lang="en"'],
	['rapport-de-maintenance', 'rapportMaintenan', 'À la main', ['Analyste', 'Version e-mail', 'Envoyer par e-mail'], 'lang="fr"'],
])('%s has its e-mail ready: one HTML text with its styles inside, the sending node switched off', async (_file, id, trigger, [agent, version, send], language) => {
	const execution = await runByHand(call, id, trigger);
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	const [mail] = itemsOf(execution, version!) as Array<{ report: string }>;
	const [answer] = itemsOf(execution, agent!) as Array<{ output: string }>;
	expect(mail!.report).toContain(language);
	expect(mail!.report).toContain(answer!.output.slice(2, 8));
	expect(mail!.report).toMatch(/style="/);
	expect(mail!.report).not.toMatch(/<(script|link|img[^>]+src="http)/);
	const [passed] = itemsOf(execution, send!) as Array<{ report: string }>;
	expect(passed!.report).toBe(mail!.report);
});
