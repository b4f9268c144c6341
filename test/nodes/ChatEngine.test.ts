import { NodeConnectionTypes, type IDataObject, type INode, type INodeType, type ISupplyDataFunctions, type SupplyData } from 'n8n-workflow';

import type { Hit } from '../../lib/core/document';
import { textOf } from '../../lib/core/message';
import { supplyRetriever } from '../../lib/n8n/supply';
import { ChatEngine } from '../../nodes/ChatEngine/ChatEngine.node';
import { ContextualCompressor } from '../../nodes/ContextualCompressor/ContextualCompressor.node';
import { ConversationMemory } from '../../nodes/ConversationMemory/ConversationMemory.node';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';

const hits: Hit[] = [
	{ id: 'a', documentId: 'd1', text: 'La pompe N-92c travaille à 35 bar.', title: 'Pompes', source: 'pompes.pdf', page: 4, meta: { site: 'LYO' }, score: 0.9 },
	{ id: 'b', documentId: 'd2', text: 'Le filtre se change toutes les 250 heures.', title: 'Filtres', meta: {}, score: 0.5 },
];

function portNode(port: string, supply: (ctx: ISupplyDataFunctions) => SupplyData): INodeType {
	return {
		description: { ...modelNode(scriptedModel([])).description, outputs: [port as never] },
		async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
			return supply(this);
		},
	};
}

const ourRetriever = portNode(NodeConnectionTypes.AiRetriever, (ctx) => supplyRetriever(ctx, async ({ topK }) => hits.slice(0, topK), 6));
const theirRetriever = portNode(NodeConnectionTypes.AiRetriever, () => ({
	response: { lc_runnable: true, invoke: async () => hits.map(({ text, title, page }) => ({ pageContent: text, metadata: { source: `${title}.pdf`, loc: { pageNumber: page } } })) },
}));

interface ChatCase {
	readonly items: readonly IDataObject[];
	readonly parameters?: IDataObject;
	readonly retriever?: INodeType | null;
	/** A memory node; `ours` is Conversation Memory. */
	readonly memory?: 'ours' | INodeType;
	readonly onChunk?: (chunk: unknown) => void;
	readonly more?: Partial<INode>;
}

async function run(model: ScriptedModel, { items, parameters = {}, retriever = ourRetriever, memory, onChunk, more = {} }: ChatCase): Promise<WorkflowRun> {
	const links: Array<readonly [string, string, string]> = [['Start', 'main', 'Chat'], ['Model', 'ai_languageModel', 'Chat']];
	if (retriever) links.push(['Retriever', 'ai_retriever', 'Chat']);
	if (memory) links.push(['Memory', 'ai_memory', 'Chat']);
	return await runWorkflow({
		nodeTypes: {
			'p.chat': new ChatEngine(),
			'p.model': modelNode(model),
			'p.retriever': retriever ?? ourRetriever,
			'p.memory': typeof memory === 'object' ? memory : new ConversationMemory(),
		},
		nodes: [start(), node('Chat', 'p.chat', parameters, more), node('Model', 'p.model'), node('Retriever', 'p.retriever'), node('Memory', 'p.memory', { mode: 'memory' })],
		connections: connect(...links),
		input: items.map((json) => ({ json })),
		...(onChunk && { onChunk }),
	});
}

const sentTo = (model: ScriptedModel, at = 0): string[] => model.requests[at]!.messages.slice(1).map((message) => `${message.role}: ${textOf(message)}`);

describe('documents', () => {
	it('come from our retriever: output, sources and run are added, the rest is kept', async () => {
		const result = await run(scriptedModel([{ text: 'Elle est de 35 bar [1].' }]), { items: [{ chatInput: 'Quelle est la pression ?', sessionId: 's', keep: 1 }] });
		expect(result.items('Chat')).toMatchObject([
			{
				json: {
					chatInput: 'Quelle est la pression ?', keep: 1, output: 'Elle est de 35 bar [1].', known: true, query: 'Quelle est la pression ?',
					sources: [{ number: 1, title: 'Pompes', page: 4, snippet: hits[0]!.text, score: 0.9, cited: true, meta: { site: 'LYO' } }],
					run: { usage: { in: 100, out: 10 }, stages: [{ name: 'condense' }, { name: 'retrieve' }, { name: 'answer' }] },
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(result.runData.Retriever).toHaveLength(1);
	});

	it("G21 come from n8n's retriever with their metadata", async () => {
		const result = await run(scriptedModel([{ text: '35 bar [1].' }]), { items: [{ query: 'Quelle est la pression ?' }], retriever: theirRetriever });
		expect(result.items('Chat')[0]?.json.sources).toMatchObject([{ title: 'Pompes.pdf', source: 'Pompes.pdf', page: 4, meta: { source: 'Pompes.pdf' } }]);
	});

	it('come from our retriever behind Contextual Compressor', async () => {
		const model = scriptedModel([{ text: '35 bar [1].' }]);
		const result = await runWorkflow({
			nodeTypes: { 'p.chat': new ChatEngine(), 'p.model': modelNode(model), 'p.retriever': ourRetriever, 'p.compressor': new ContextualCompressor() },
			nodes: [start(), node('Chat', 'p.chat'), node('Model', 'p.model'), node('Retriever', 'p.retriever'), node('Compressor', 'p.compressor', { mode: 'retriever', method: 'extract', keep: 50 })],
			connections: connect(['Start', 'main', 'Chat'], ['Model', 'ai_languageModel', 'Chat'], ['Retriever', 'ai_retriever', 'Compressor'], ['Compressor', 'ai_retriever', 'Chat']),
			input: [{ json: { query: 'Quelle est la pression de la pompe ?' } }],
		});
		expect(result.error).toBeUndefined();
		expect(result.items('Chat')[0]?.json.sources).toMatchObject([{ title: 'Pompes', page: 4, source: 'pompes.pdf', meta: { site: 'LYO' } }]);
		expect(sentTo(model).at(-1)).not.toContain('filtre');
		expect([result.runData.Compressor?.length, result.runData.Retriever?.length]).toEqual([1, 1]);
	});

	it('come from the item, in any of the usual shapes', async () => {
		const model = scriptedModel([{ text: 'a [1]' }, { text: 'b [1]' }, { text: 'c [1]' }]);
		const documents = [hits, [{ document: { pageContent: 'x', metadata: { title: 'Y' } }, score: 0.4 }], JSON.stringify(['only text'])];
		const result = await run(model, { items: documents.map((one) => ({ query: 'Quoi ?', documents: one })), parameters: { documentsFrom: 'item' }, retriever: null });
		expect(result.items('Chat').map(({ json }) => (json.sources as Array<{ title: string }>)[0]?.title)).toEqual(['Pompes', 'Y', '1']);
	});

	it('that are none give a plain answer and run no model', async () => {
		const result = await run(scriptedModel([]), { items: [{ query: 'Quelle est la pression ?', documents: [] }], parameters: { documentsFrom: 'item' }, retriever: null });
		expect(result.items('Chat')[0]?.json).toMatchObject({ output: expect.stringMatching(/^Je ne sais pas/), known: false, sources: [] });
	});
});

describe('the question', () => {
	it.each([
		['a message', { role: 'user', content: 'Quoi ?' }],
		['a message of blocks', { role: 'user', content: [{ type: 'text', text: 'Quoi ?' }] }],
		['an item', { chatInput: 'Quoi ?' }],
		['a list whose last message asks', [{ role: 'user', content: 'A' }, { role: 'assistant', content: 'B' }, { role: 'user', content: 'Quoi ?' }]],
	])('may be %s', async (_name, asked) => {
		const model = scriptedModel([{ text: 'ok [1]' }, { text: 'ok [1]' }]);
		await run(model, { items: [{ asked }], parameters: { query: '={{ $json.asked }}', options: { condense: false } } });
		expect(sentTo(model).at(-1)).toMatch(/Question :\nQuoi \?$/);
		expect(sentTo(model)).toHaveLength(Array.isArray(asked) ? 3 : 1);
	});

	it('N14 that is missing fails its item only', async () => {
		const result = await run(scriptedModel([{ text: 'ok [1]' }]), { items: [{ query: ' ' }, { query: 'Quoi ?' }], more: { onError: 'continueRegularOutput' } });
		expect(result.items('Chat').map(({ json }) => json.error ?? json.output)).toEqual(['The question is empty', 'ok [1]']);
	});
});

describe('the conversation', () => {
	const turn = (chatInput: string, sessionId: string, more: IDataObject = {}): IDataObject => ({ chatInput, sessionId, user: 'anne', ...more });

	it('is followed over executions with our memory, in the words of the user', async () => {
		await run(scriptedModel([{ text: '35 bar [1].' }]), { items: [turn('Quelle est la pression de la N-92c ?', 'c1')], memory: 'ours' });
		const model = scriptedModel([{ text: 'Quelle est la température de la N-92c ?' }, { text: '60 °C [1].' }]);
		const result = await run(model, { items: [turn('Et sa température ?', 'c1')], memory: 'ours' });
		expect(result.items('Chat')[0]?.json).toMatchObject({ query: 'Quelle est la température de la N-92c ?', originalQuery: 'Et sa température ?' });
		const third = scriptedModel([{ text: 'Pourquoi 60 °C ?' }, { text: 'Parce que [2].' }]);
		await run(third, { items: [turn('Pourquoi ?', 'c1')], memory: 'ours' });
		expect(sentTo(third, 1).slice(0, 4)).toEqual(['user: Quelle est la pression de la N-92c ?', 'assistant: 35 bar.', 'user: Et sa température ?', 'assistant: 60 °C.']);
	});

	it("is followed with n8n's memory", async () => {
		const saved: unknown[] = [];
		const memory = portNode(NodeConnectionTypes.AiMemory, () => ({
			response: {
				loadMemoryVariables: async () => ({ chat_history: [{ getType: () => 'human', content: 'La N-92c ?' }, { getType: () => 'ai', content: 'Une pompe.' }] }),
				saveContext: async (...given: unknown[]) => void saved.push(given),
			},
		}));
		await run(scriptedModel([{ text: 'Quelle est la pression de la N-92c ?' }, { text: '35 bar [1].' }]), { items: [turn('Sa pression ?', 'c')], memory });
		expect(saved).toEqual([[{ input: 'Sa pression ?' }, { output: '35 bar [1].' }]]);
	});

	it('H08 begins anew with an empty history, is taken from a given one, and is forgotten on reset', async () => {
		const ask = async (question: string, json: IDataObject = {}, parameters: IDataObject = {}): Promise<string[]> => {
			const model = scriptedModel([{ text: `re ${question}` }]);
			const result = await run(model, { items: [turn(question, 'c2', json)], memory: 'ours', parameters: { ...parameters, options: { condense: false, ...(parameters.options as object) } } });
			expect(result.error).toBeUndefined();
			return sentTo(model).slice(0, -1);
		};
		await ask('un');
		expect(await ask('deux')).toEqual(['user: un', 'assistant: re un']);
		expect(await ask('trois', { history: [] })).toEqual([]);
		expect(await ask('quatre')).toEqual(['user: trois', 'assistant: re trois']);
		expect(await ask('cinq', { history: [{ role: 'user', content: 'donné' }, { role: 'assistant', content: 'oui' }] })).toEqual(['user: donné', 'assistant: oui']);
		expect(await ask('six', {}, { options: { reset: true } })).toEqual([]);
		expect(await ask('sept')).toEqual(['user: six', 'assistant: re six']);
	});

	it('is forgotten by a message, without a model', async () => {
		await run(scriptedModel([{ text: 'ok [1]' }]), { items: [turn('Quelle est la pression ?', 'c3')], memory: 'ours' });
		const result = await run(scriptedModel([]), { items: [turn('/reset', 'c3')], memory: 'ours' });
		expect(result.items('Chat')[0]?.json).toMatchObject({ output: expect.stringContaining('oubliée'), reset: true });
		const model = scriptedModel([{ text: 'ok [1]' }]);
		await run(model, { items: [turn('Et ?', 'c3')], memory: 'ours' });
		expect(sentTo(model)).toHaveLength(1);
	});

	it('keeps the words before Condense Question', async () => {
		await run(scriptedModel([{ text: 'ok [1]' }]), { items: [turn('x', 'c4', { query: 'Quelle pompe ?', originalQuery: 'Laquelle ?' })], memory: 'ours' });
		const model = scriptedModel([{ text: 'ok [1]' }]);
		await run(model, { items: [turn('Et ?', 'c4')], memory: 'ours', parameters: { options: { condense: false } } });
		expect(sentTo(model)[0]).toBe('user: Laquelle ?');
	});
});

describe('streaming', () => {
	it('sends the answer between one begin and one end, and gives it in the item too', async () => {
		const chunks: Array<{ type: string; content?: string }> = [];
		const model = scriptedModel([{ text: 'Elle est de 35 bar [1].' }]);
		const result = await run(model, { items: [{ chatInput: 'Quelle est la pression ?' }], onChunk: (chunk) => void chunks.push(chunk as never) });
		expect(chunks.map(({ type }) => type)).toEqual(['begin', ...chunks.slice(2).map(() => 'item'), 'end']);
		expect(chunks.map(({ content }) => content ?? '').join('')).toBe('Elle est de 35 bar [1].');
		expect(result.items('Chat')[0]?.json.output).toBe('Elle est de 35 bar [1].');
	});

	it('closes the stream of the model when nobody takes the text any more', async () => {
		let closed = 0;
		const endless: ScriptedModel = {
			...scriptedModel([]),
			async *stream() {
				try {
					for (;;) yield { type: 'text-delta', text: 'mot ' };
				} finally {
					closed += 1;
				}
			},
		};
		const onChunk = (chunk: unknown): void => {
			if ((chunk as { type: string }).type === 'item') throw new Error('the client went away');
		};
		const result = await run(endless, { items: [{ chatInput: 'Quoi ?' }], onChunk });
		expect([result.error?.message, closed]).toEqual(['the client went away', 1]);
	});
});
