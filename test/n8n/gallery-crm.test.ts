/** The example *Complaint from the CRM* and its French version in a real n8n: classified, drafted from similar cases, a person asked. */
import { executionsOf, nextExecution, publishExamples, sendEvent } from '../support/gallery';
import { pageAt, questionOf, sendForm } from '../support/person';
import { connectToN8n, itemsOf, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';
import { runByHand } from '../support/run-by-hand';

jest.setTimeout(120_000);

let call: RestCall;

beforeAll(async () => {
	call = await connectToN8n();
	await publishExamples(call, 'crm-complaint', 'crm-reclamation');
});

describe.each([
	{
		example: 'crm-complaint', id: 'crmComplaint0001', index: 'crm-index-complaints', cases: 24,
		nodes: { gate: 'Check Sender and Repeats', index: 'Index Past Cases', now: 'Index Now', similar: 'Find Similar Cases', ask: 'Ask a Colleague', redraft: 'Ask and Write Again', tell: 'Tell a Colleague', ready: 'Ready to Send' },
		clear: { id: 'CMP-1', customer: 'A', email: 'a@example.com', subject: 'Late', text: 'The filters were promised for Monday and came on Friday.' },
		expected: { to: 'a@example.com', subject: 'Re: Late (CMP-1)', category: 'delivery', urgency: 'high', personWasAsked: false },
		text: /promised for Monday and came on Friday only[^]*: [^\n]+\.\n\nYour customer service\n\(as in C-1\d\d\)$/,
		question: 'Hill & Sons writes “Not what we agreed”. What was agreed with them on the phone, and what may we offer?',
		answer: 'We promised delivery free of charge and will credit it.',
	},
	{
		example: 'crm-reclamation', id: 'crmReclamation01', index: 'crm-indexer-reclamations', cases: 24,
		nodes: { gate: "Vérifier l'expéditeur et les doublons", index: 'Indexer les cas passés', now: 'Indexer maintenant', similar: 'Trouver des cas semblables', ask: 'Demander à un collègue', redraft: 'Demander et récrire', tell: 'Prévenir un collègue', ready: "Prêt à l'envoi" },
		clear: { id: 'REC-1', customer: 'A', email: 'a@example.com', subject: 'Retard', text: 'Les filtres étaient promis pour lundi et sont arrivés vendredi.' },
		expected: { to: 'a@example.com', subject: 'Re : Retard (REC-1)', category: 'livraison', urgency: 'haute', personWasAsked: false },
		text: /promises pour lundi, ne soient arrivées que vendredi[^]* : [^\n]+\.\n\nVotre service client\n\(comme R-2\d\d\)$/,
		question: 'Dubois et Fils écrit « Ce n’est pas ce qui était convenu ». Qu’est-ce qui était convenu au téléphone, et que pouvons-nous proposer ?',
		answer: 'Nous avions promis la livraison gratuite et la portons en avoir.',
	},
])('$example', ({ example, id, index, cases, nodes, clear, expected, text, question, answer }) => {
	const run = async (body: object | undefined, status: string): Promise<Execution> => {
		const before = (await executionsOf(call, id)).length;
		expect((await sendEvent(example, body)).status).toBe(200);
		return await nextExecution(call, id, before, status, 'error');
	};

	it('indexes the past cases', async () => {
		const { answer: answered, execution } = await runByWebhook(call, id, index);
		expect([answered.status, execution.status]).toEqual([200, 'success']);
		expect(itemsOf(execution, nodes.index)).toHaveLength(cases);
	});

	it('indexes them at once from the arrow of the button in the editor', async () => {
		const execution = await runByHand(call, id, nodes.now);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(itemsOf(execution, nodes.index)).toHaveLength(cases);
	});

	it('drafts the answer to a clear complaint from a similar case, and asks nobody', async () => {
		const execution = await run(clear, 'success');
		expect(execution.error?.message).toBeUndefined();
		const [item] = itemsOf(execution, nodes.ready) as Array<{ text: string; similarCases: string[] }>;
		expect(item).toMatchObject(expected);
		expect(item!.text).toMatch(text);
		expect(item!.similarCases).toContain(/\((?:as in|comme) (.+)\)$/.exec(item!.text)?.[1]);
		expect(execution.runData[nodes.ask]).toBeUndefined();
	});

	it('asks a colleague about an unclear one, and writes the answer with what was said', async () => {
		const waiting = await run(undefined, 'waiting');
		const asked = questionOf(waiting, nodes.ask);
		expect(asked.question).toBe(question);
		const [mail] = itemsOf(waiting, nodes.tell) as Array<{ text: string; to: string }>;
		expect(mail!.to).toBe('service@example.com');
		expect(mail!.text).toContain(asked.answerUrl);
		expect(await pageAt(asked.answerUrl)).toContain(question.slice(-30));
		await sendForm(asked.answerUrl, { answer });
		const done = await nextExecution(call, id, 0, 'success', 'error');
		expect(done.error?.message).toBeUndefined();
		const [item] = itemsOf(done, nodes.ready) as Array<{ text: string }>;
		expect(item).toMatchObject({ personWasAsked: true, text: expect.stringContaining(answer) });
		expect(done.runData[nodes.redraft]).toHaveLength(1);
	});

	it('runs no forged complaint', async () => {
		const before = (await executionsOf(call, id)).length;
		expect((await sendEvent(example, clear, { body: JSON.stringify({ ...clear, email: 'thief@example.com' }) })).status).toBe(200);
		const execution = await nextExecution(call, id, before, 'success', 'error');
		expect(Object.keys(execution.runData).slice(2)).toEqual([Object.keys(execution.runData).at(-1)]);
		expect((execution.runData[nodes.gate]?.[0]?.data?.main?.[1] ?? []).map(({ json }) => json.refused)).toMatchObject([{ reason: 'wrong-signature' }]);
	});
});
