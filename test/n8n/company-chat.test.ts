/** The example chat over the procedures, in a real n8n: streamed to a chat, by webhook, with a model that plays a script. */
import { connectToN8n, itemsOf, publish, realN8n, runByWebhook, type RestCall, type TestWorkflow } from '../support/real-n8n';

jest.setTimeout(180_000);

const REPLAY = { provider: 'replay', model: 'company-chat', title: 'Chat Model: Replay', sentence: 'No model is called.' };
const TALK: ReadonlyArray<readonly [asked: string, answer: RegExp]> = [
	['Que faut-il contrôler chaque jour sur le graissage centralisé ?', /^Chaque jour, il faut contrôler le niveau du pot de graisse et le manomètre de fin de ligne \[\d\]\./],
	['Et par temps froid ?', /^Par temps froid, .* passer à la qualité d'hiver sous 5 °C \[\d\]\.$/],
	['Que faut-il commander ensemble ?', /^À commander ensemble : flexibles de godet, deux injecteurs, joint de couvercle \[\d\]\.$/],
	["Quelle est la tension normale de l’alternateur ?", /^L'alternateur donne 27,5 à 28,5 V au régime nominal \[\d\]\.$/],
	['Qui est le directeur du site ?', /^Je ne sais pas : les documents ne répondent pas à cette question\.$/],
];

interface Output {
	readonly output: string;
	readonly query: string;
	readonly known: boolean;
	readonly sources: ReadonlyArray<{ readonly title: string; readonly snippet: string; readonly cited: boolean }>;
	readonly run: { readonly stages: ReadonlyArray<{ readonly name: string; readonly output: unknown }>; readonly timings: { readonly totalMs: number } };
}

let call: RestCall;
let chatUrl: string;

beforeAll(async () => {
	call = await connectToN8n();
	const { fitExample, chatAddress } = await import('../../examples/setup/examples.mjs');
	const fitted = { model: REPLAY, reports: realN8n().user.reports };
	await publish(call, fitExample('index-procedures', fitted) as TestWorkflow);
	await publish(call, fitExample('company-chat', fitted) as TestWorkflow);
	chatUrl = chatAddress(realN8n().url) as string;
	const indexed = await runByWebhook(call, 'indexProcedures1', 'index-procedures');
	expect(indexed.execution.status).toBe('success');
});

/** Posts to a chat; a webhook is registered a moment after its workflow is published. */
async function post(url: string, fields: object): Promise<Response> {
	for (let attempt = 0; ; attempt++) {
		const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) });
		if (response.status !== 404 || attempt > 40) return response;
		await response.text();
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}

/** Sends a message as the chat widget does; gives the streamed text and the item of the execution. */
async function say(chatInput: string, sessionId: string): Promise<{ text: string; types: string[]; item: Output; runs: Record<string, number> }> {
	const { lastExecution } = await import('../../examples/setup/run-workflow.mjs');
	const response = await post(chatUrl, { action: 'sendMessage', sessionId, chatInput });
	const lines = (await response.text()).split('\n').filter(Boolean).map((line) => JSON.parse(line) as { type: string; content?: string });
	const execution = await lastExecution(call, 'companyChat00001');
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	const runs = Object.fromEntries(Object.entries(execution.runData as object).map(([name, list]) => [name, (list as unknown[]).length]));
	return { text: lines.map(({ content }) => content ?? '').join(''), types: [...new Set(lines.map(({ type }) => type))], item: itemsOf(execution, 'Chat Engine')[0] as never, runs };
}

it('answers five questions in French, follows the conversation and cites the procedures', async () => {
	const items: Output[] = [];
	for (const [asked, answer] of TALK) {
		const said = await say(asked, 'five-turns');
		expect(said.text).toMatch(answer);
		expect(said.types).toEqual(['begin', 'item', 'end']);
		expect(said.item.output).toBe(said.text);
		items.push(said.item);
	}
	expect(items.map(({ query }) => query)).toEqual([
		TALK[0]![0],
		'Que faut-il faire pour le graissage centralisé par temps froid ?',
		'Que faut-il commander ensemble pour le graissage centralisé ?',
		TALK[3]![0],
		TALK[4]![0],
	]);
	expect(items.map(({ sources }) => sources[0]?.title)).toEqual([...Array(3).fill('Graissage centralisé'), 'Électricité, éclairage et caméras', undefined]);
	expect(items.map(({ known }) => known)).toEqual([true, true, true, true, false]);
	expect(items[1]!.run.stages.map(({ name }) => name)).toEqual(['condense', 'retrieve', 'answer']);
	expect(items.every(({ run }) => run.timings.totalMs < 20_000)).toBe(true);
});

it('says that a script plays when it is asked what the script does not know, instead of that the documents are silent', async () => {
	expect((await say("Quand vidanger les réducteurs d'orientation ?", 'unknown')).text).toContain("ce chat joue un script, qui ne connaît que les questions de l'exemple");
	expect((await say('When is the oil of the slew gearboxes changed?', 'unknown-en')).text).toContain('knows only the questions of the example');
});

it('shows a run of each sub-node, forgets on /reset and keeps sessions apart', async () => {
	await say(TALK[0]![0], 'one');
	const followed = await say(TALK[1]![0], 'one');
	expect(followed.runs).toMatchObject({ 'Conversation Memory': 2, 'RAG Retriever': 1, [REPLAY.title]: 2, 'Chat Engine': 1 });
	expect((await say('/reset', 'one')).text).toBe('Notre conversation est oubliée. Que puis-je faire pour vous ?');
	const fresh = await say(TALK[1]![0], 'one');
	expect([fresh.item.query, fresh.runs[REPLAY.title]]).toEqual([TALK[1]![0], 1]);
});

it('answers a chat that waits for the last node', async () => {
	const { fitExample } = await import('../../examples/setup/examples.mjs');
	const example = fitExample('company-chat', { model: REPLAY, reports: realN8n().user.reports }) as TestWorkflow;
	const chat = example.nodes.find(({ name }) => name === 'Chat')!;
	chat.webhookId = 'company-chat-last-node';
	chat.parameters.options = { responseMode: 'lastNode' };
	const nodes = example.nodes.filter(({ name }) => name !== 'Webhook' && name !== 'Message').map((node) => ({ ...node, id: `${node.id}-last` }));
	const connections = Object.fromEntries(Object.entries(example.connections).filter(([name]) => name !== 'Webhook' && name !== 'Message'));
	await publish(call, { ...example, id: 'companyChatLast1', nodes, connections });
	const url = `${realN8n().url}/webhook/company-chat-last-node/chat`;
	const response = await post(url, { action: 'sendMessage', sessionId: 'last', chatInput: TALK[3]![0] });
	expect(await response.json()).toMatchObject({ output: expect.stringMatching(TALK[3]![1]) });
});

it('gives the chat window the turns of an earlier visit, as text', async () => {
	await say(TALK[3]![0], 'comes-back');
	const response = await post(chatUrl, { action: 'loadPreviousSession', sessionId: 'comes-back' });
	const { data } = (await response.json()) as { data: Array<{ id: string[]; kwargs: { content: unknown } }> };
	expect(data.map(({ id, kwargs }) => [id.at(-1), kwargs.content])).toEqual([['HumanMessage', TALK[3]![0]], ['AIMessage', expect.stringMatching(TALK[3]![1])]]);
});

it('answers programs by webhook, with the last node', async () => {
	const { answer, execution } = await runByWebhook(call, 'companyChat00001', 'company-chat', { chatInput: TALK[3]![0], sessionId: 'hook', user: 'erp' });
	const body = answer.body as Output;
	expect([answer.status, execution.status]).toEqual([200, 'success']);
	expect(body.output).toMatch(TALK[3]![1]);
	expect(body.sources).toMatchObject([{ title: 'Électricité, éclairage et caméras', cited: true, snippet: expect.any(String) }]);
});
