/** The chat over documents with rights, in English and in French: both ways to bring a token, against an issuer of the test's own. */
import { startFakeIssuer, type FakeIssuer } from '../support/fake-issuer';
import { REPLAY } from '../support/gallery';
import { connectToN8n, itemsOf, publish, realN8n, type Execution, type RestCall, type TestWorkflow } from '../support/real-n8n';
import { runByHand } from '../support/run-by-hand';

jest.setTimeout(180_000);

interface Said {
	readonly text: string;
	readonly execution: Execution;
}
interface Example {
	readonly file: string;
	readonly path: string;
	readonly nodes: { readonly guard: string; readonly engine: string; readonly index: string; readonly hand: string; readonly triggers: readonly [string, string] };
	readonly group: string;
	readonly question: string;
	readonly forMember: readonly [answer: RegExp, title: string];
	readonly forOthers: readonly [answer: RegExp, title: string];
	readonly refusal: string;
}

const EXAMPLES: readonly Example[] = [
	{
		file: 'company-chat-with-rights',
		path: 'company-chat-with-rights',
		nodes: { guard: 'Access Guard', engine: 'Chat Engine', index: 'RAG Index', hand: 'By Hand', triggers: ['Webhook (Authorization Header)', 'Chat Widget (Token in Metadata)'] },
		group: 'mechanics',
		question: 'How is the hydraulic pressure released?',
		forMember: [/^Before work on the filters: engine off, key on, move each lever to its end five times\. Wait ten minutes \[\d\]\.$/, 'High-pressure filters and their housings'],
		forOthers: [/^Before any work: key on, each lever five times to both ends \[\d\]\.$/, 'Safety lockout before work'],
		refusal: 'Please sign in to use this assistant.',
	},
	{
		file: 'assistant-documents',
		path: 'assistant-documents',
		nodes: { guard: 'Contrôle d’accès', engine: 'Réponse', index: 'Base documentaire', hand: 'À la main', triggers: ['Webhook (en-tête Authorization)', 'Fenêtre de chat (jeton en metadata)'] },
		group: 'mécaniciens',
		question: 'Quels niveaux faut-il contrôler ?',
		forMember: [/^Chaque jour, il faut contrôler le niveau du pot de graisse \[\d\]\.$/, 'Graissage centralisé'],
		forOthers: [/^À l’inspection des 250 heures : huile moteur, hydraulique, .* \[\d\]\.$/, 'Inspection des 250 heures : liste de contrôle'],
		refusal: 'Connectez-vous pour utiliser cet assistant.',
	},
];

let call: RestCall;
let issuer: FakeIssuer;

beforeAll(async () => {
	call = await connectToN8n();
	issuer = await startFakeIssuer(Date.now);
});
afterAll(async () => await issuer.stop());

/** Posts and reads the stream; a webhook is registered a moment after its workflow is published. */
async function post(address: string, body: object, headers: Record<string, string> = {}): Promise<string> {
	for (let attempt = 0; ; attempt++) {
		const response = await fetch(`${realN8n().url}/webhook/${address}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (response.status !== 404 || attempt > 40) return text;
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}

describe.each(EXAMPLES.map((example) => [example.file, example] as const))('%s', (file, { path, nodes, group, question, forMember, forOthers, refusal }) => {
	let workflow: TestWorkflow;
	let chatAddress: string;

	beforeAll(async () => {
		const { fitExample } = await import('../../examples/setup/examples.mjs');
		workflow = fitExample(file, { model: REPLAY, reports: realN8n().user.reports }) as TestWorkflow;
		const data = { kind: 'issuer', issuer: issuer.url, audience: 'company-chat' };
		await publish(call, workflow, { credentials: [{ name: 'Company login', type: 'reactEngineAccessApi', data }] });
		chatAddress = `${workflow.nodes.find(({ name }) => name === nodes.triggers[1])!.webhookId}/chat`;
		const indexed = await runByHand(call, workflow.id, nodes.hand);
		expect([indexed.status, indexed.error?.message]).toEqual(['success', undefined]);
		expect(itemsOf(indexed, nodes.index)).toHaveLength(13);
	});

	const tokenOf = async (groups: readonly string[], sub: string, claims: object = {}): Promise<string> => await issuer.sign({ aud: 'company-chat', sub, groups, ...claims });

	async function said(answer: string): Promise<Said> {
		const { lastExecution } = await import('../../examples/setup/run-workflow.mjs');
		const execution = (await lastExecution(call, workflow.id)) as Execution;
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		const lines = answer.split('\n').filter(Boolean).map((line) => JSON.parse(line) as { content?: string });
		return { text: lines.map(({ content }) => content ?? '').join(''), execution };
	}

	const byHeader = async (token: string | undefined, sessionId = 'header'): Promise<Said> =>
		await said(await post(path, { chatInput: question, sessionId }, token === undefined ? {} : { authorization: `Bearer ${token}` }));
	const byWidget = async (token: string | undefined, sessionId = 'widget'): Promise<Said> =>
		await said(await post(chatAddress, { action: 'sendMessage', chatInput: question, sessionId, ...(token !== undefined && { metadata: { token } }) }));

	describe.each([
		['by the Authorization header of a Webhook', byHeader],
		['by the metadata of the chat widget', byWidget],
	])('with a token that comes %s', (way, ask) => {
		it('streams to each person an answer from the documents that the person may read', async () => {
			const member = await ask(await tokenOf([group], 'marc'), `${way}-1`);
			expect(member.text).toMatch(forMember[0]);
			const other = await ask(await tokenOf(['visitors'], 'olga'), `${way}-1`);
			expect(other.text).toMatch(forOthers[0]);
			const sources = [member, other].map(({ execution }) => itemsOf(execution, nodes.engine)[0] as { sources: Array<{ title: string; cited: boolean }> });
			const cited = sources.map((item) => item.sources.filter((source) => source.cited).map(({ title }) => title));
			expect(cited).toEqual([[forMember[1]], [forOthers[1]]]);
			expect(sources[1]!.sources.map(({ title }) => title)).not.toContain(forMember[1]);
		});

		it('keeps the token nowhere behind the guard', async () => {
			const token = await tokenOf([group], 'marc');
			const { execution } = await ask(token, `${way}-2`);
			const behind = Object.entries(execution.runData).filter(([name]) => !nodes.triggers.includes(name));
			expect(behind.map(([name]) => name)).toEqual(expect.arrayContaining([nodes.guard, nodes.engine]));
			const signature = token.split('.')[2]!;
			expect(behind.filter(([, runs]) => JSON.stringify(runs).includes(signature))).toEqual([]);
			expect(JSON.stringify(itemsOf(execution, nodes.guard)[0])).toContain('"sub":"marc"');
		});

		it('tells whoever is refused one sentence, and runs neither model nor search', async () => {
			const forged = (await tokenOf([group], 'marc')).replace(/[^.]+$/, (signature) => signature.split('').reverse().join(''));
			const tokens = [
				undefined,
				await tokenOf([group], 'marc', { exp: Math.floor(Date.now() / 1000) - 3600 }),
				await issuer.sign({ aud: 'another application', sub: 'marc', groups: [group] }),
				forged,
			];
			for (const token of tokens) {
				const { text, execution } = await ask(token, `${way}-3`);
				expect(text).toBe(refusal);
				expect(itemsOf(execution, nodes.guard)).toEqual([]);
				expect(Object.keys(execution.runData)).not.toContain(nodes.engine);
			}
		});
	});

	it('keeps the conversations of two people with one session name apart', async () => {
		const first = await byHeader(await tokenOf([group], 'anna'), 'shared');
		const again = await byHeader(await tokenOf([group], 'anna'), 'shared');
		const other = await byHeader(await tokenOf([group], 'bert'), 'shared');
		const condensed = [first, again, other].map(({ execution }) => (itemsOf(execution, nodes.engine)[0] as { run: { stages: Array<{ name: string }> } }).run.stages.map(({ name }) => name));
		const calls = [first, again, other].map(({ execution }) => execution.runData[REPLAY.title]?.length);
		expect(condensed[2]).toEqual(condensed[0]);
		expect(calls).toEqual([1, 2, 1]);
	});
});
