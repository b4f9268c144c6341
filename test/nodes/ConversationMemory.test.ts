import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INode, type INodeExecutionData, type INodeType } from 'n8n-workflow';

import type { Message } from '../../lib/core/message';
import { textOf } from '../../lib/core/message';
import { ConversationMemory } from '../../nodes/ConversationMemory/ConversationMemory.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const echo = tool('echo', ({ text }) => ({ text: `echo ${String(text)}` }), { inputSchema: { type: 'object', properties: { text: { type: 'string' } } } });

interface AgentCase {
	readonly items: readonly IDataObject[];
	readonly memory?: IDataObject;
	readonly agent?: IDataObject;
	readonly more?: Partial<INode>;
}

async function runOurAgent(
	model: ScriptedModel,
	{ items, memory = {}, agent = {}, more = {} }: AgentCase,
	memoryType: INodeType = new ConversationMemory(),
): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.tools': toolNode(() => [echo]), 'p.memory': memoryType },
		nodes: [start(), node('Agent', 'p.agent', agent, more), node('Model', 'p.model'), node('Tools', 'p.tools'), node('Memory', 'p.memory', { mode: 'memory', ...memory })],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent'], ['Memory', 'ai_memory', 'Agent']),
		input: items.map((json) => ({ json })),
	});
}

/** One operation of the node as a step of the flow. */
async function runStep(parameters: IDataObject, items: readonly IDataObject[]): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.memory': new ConversationMemory() },
		nodes: [start(), node('Memory', 'p.memory', { mode: 'main', ...parameters })],
		connections: connect(['Start', 'main', 'Memory']),
		input: items.map((json) => ({ json })),
	});
}

const history = (messages: readonly Message[] | undefined): string[] => (messages ?? []).filter(({ role }) => role !== 'system').map((message) => `${message.role}: ${textOf(message)}`);

describe('under our agent', () => {
	it('gives the next execution the whole turn, tool use included', async () => {
		const first = scriptedModel([{ text: 'Let me see.', calls: [{ name: 'echo', args: { text: 'N-92c' } }] }, { text: 'It is N-92c.' }]);
		const run = await runOurAgent(first, { items: [{ query: 'Which filter?', sessionId: 'whole-turn', user: 'anne' }] });
		expect(run.error).toBeUndefined();
		const second = scriptedModel([{ text: 'Again N-92c.' }]);
		await runOurAgent(second, { items: [{ query: 'And now?', sessionId: 'whole-turn', user: { sub: 'anne' } }] });
		const sent = second.requests[0]!.messages.filter(({ role }) => role !== 'system');
		expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
		expect(sent[1]!.parts).toEqual([{ type: 'text', text: 'Let me see.' }, { type: 'tool-call', callId: 'turn1call1', name: 'echo', argumentsText: '{"text":"N-92c"}' }]);
		expect(sent[2]!.parts).toMatchObject([{ type: 'tool-result', callId: 'turn1call1', text: 'echo N-92c', isError: false }]);
		expect(run.runData.Memory?.map(({ data }) => data?.ai_memory?.[0]?.[0]?.json.action)).toEqual(['load', 'save']);
	});

	it('keeps the users of two items apart, though their session has one name', async () => {
		const ask = (of: string) => [{ query: `I am ${of}.`, sessionId: 'same-name', user: of }];
		await runOurAgent(scriptedModel([{ text: 'Hello.' }, { text: 'Hello.' }]), { items: [...ask('anne'), ...ask('bob')] });
		const model = scriptedModel([{ text: 'Bob.' }, { text: 'Nobody.' }]);
		await runOurAgent(model, { items: [{ query: 'Who?', sessionId: 'same-name', user: 'bob' }, { query: 'Who?', sessionId: 'same-name' }] });
		expect(history(model.requests[0]?.messages)).toEqual(['user: I am bob.', 'assistant: Hello.', 'user: Who?']);
		expect(history(model.requests[1]?.messages)).toEqual(['user: Who?']);
	});

	it('H08 takes an empty history for a fresh start, now and later', async () => {
		const ask = async (query: string, agent: IDataObject = {}): Promise<string[]> => {
			const model = scriptedModel([{ text: `to ${query}` }]);
			await runOurAgent(model, { items: [{ query, sessionId: 'fresh', history: [] }], agent });
			return history(model.requests[0]?.messages);
		};
		await ask('a');
		await ask('b');
		expect(await ask('c', { options: { history: '={{ $json.history }}' } })).toEqual(['user: c']);
		expect(await ask('d')).toEqual(['user: c', 'assistant: to c', 'user: d']);
	});

	it('H05 lasts for the execution when a trigger gives no session, or says clearly what is missing', async () => {
		const model = scriptedModel([{ text: 'one' }, { text: 'two' }]);
		const run = await runOurAgent(model, { items: [{ query: 'a' }, { query: 'b' }] });
		expect(run.error).toBeUndefined();
		const strict = await runOurAgent(scriptedModel([]), { items: [{ query: 'a' }], memory: { options: { noSession: 'error' } } });
		expect(strict.error).toMatchObject({ message: 'The item has no session', description: expect.stringContaining('{{ $json.sessionId }}') });
		const nobody = await runOurAgent(scriptedModel([]), { items: [{ query: 'a', sessionId: 's' }], memory: { options: { requireUser: true } } });
		expect(nobody.error?.message).toBe('The item has no user in the field "user"');
	});

	it('H07 is refused in queue mode in a folder, unless the workers share it', async () => {
		process.env.EXECUTIONS_MODE = 'queue';
		try {
			const run = await runOurAgent(scriptedModel([]), { items: [{ query: 'a', sessionId: 's' }] });
			expect(run.error).toMatchObject({ message: expect.stringContaining('queue mode: a memory in a folder'), description: expect.stringContaining('of the kind Postgres') });
		} finally {
			delete process.env.EXECUTIONS_MODE;
		}
	});

	it("H07 is recommended in queue mode in the place of n8n's memory of one process", async () => {
		class InMemoryChatMessageHistory {}
		const response = { chatHistory: new InMemoryChatMessageHistory(), loadMemoryVariables: async () => ({ chat_history: [] }), saveContext: async () => undefined };
		const simple: INodeType = { description: { ...new ConversationMemory().description, outputs: [NodeConnectionTypes.AiMemory] }, supplyData: async () => ({ response }) };
		process.env.EXECUTIONS_MODE = 'queue';
		try {
			const run = await runOurAgent(scriptedModel([{ text: 'ok' }]), { items: [{ query: 'a' }] }, simple);
			expect(JSON.stringify(run.runData.Agent)).toContain('Use Conversation Memory with Postgres');
		} finally {
			delete process.env.EXECUTIONS_MODE;
		}
	});

	it('does not keep a turn that failed', async () => {
		const failing = scriptedModel([{ error: new Error('down') }]);
		await runOurAgent(failing, { items: [{ query: 'a', sessionId: 'failed' }], more: { onError: 'continueRegularOutput' } });
		expect((await runStep({ operation: 'load' }, [{ sessionId: 'failed' }])).items('Memory')[0]?.json.history).toEqual([]);
	});
});

/** As n8n's AI Agent uses a memory: that of its first item, with LangChain's messages for tool use. */
const n8nAgent = (seen: unknown[]): INodeType => ({
	description: { ...modelNode(scriptedModel([])).description, inputs: ['main', { type: NodeConnectionTypes.AiMemory, maxConnections: 1 }], outputs: ['main'] },
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { AIMessage, HumanMessage, ToolMessage } = await import('@langchain/core/messages');
		const memory = (await this.getInputConnectionData(NodeConnectionTypes.AiMemory, 0)) as {
			chatHistory: { addMessages(messages: unknown[]): Promise<void> };
			loadMemoryVariables(values: object): Promise<{ chat_history: unknown[] }>;
			saveContext(input: object, output: object): Promise<void>;
		};
		for (const { json } of this.getInputData()) {
			seen.push((await memory.loadMemoryVariables({})).chat_history);
			if (json.plain) await memory.saveContext({ input: json.query }, { output: 'ok' });
			else {
				await memory.chatHistory.addMessages([
					new HumanMessage(String(json.query)),
					new AIMessage({ content: 'Calling echo', tool_calls: [{ id: 'x1', name: 'echo', args: { text: '1' }, type: 'tool_call' }] }),
					new ToolMessage({ content: 'echo 1', tool_call_id: 'x1', name: 'echo' }),
					new AIMessage('done'),
				]);
			}
		}
		return [this.getInputData()];
	},
});

async function runTheirAgent(seen: unknown[], items: readonly IDataObject[]): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.agent': n8nAgent(seen), 'p.memory': new ConversationMemory() },
		nodes: [start(), node('Agent', 'p.agent'), node('Memory', 'p.memory', { mode: 'memory' })],
		connections: connect(['Start', 'main', 'Agent'], ['Memory', 'ai_memory', 'Agent']),
		input: items.map((json) => ({ json })),
	});
}

describe("under n8n's AI Agent", () => {
	it("keeps what it adds and gives it back as LangChain's messages; our agent reads the same conversation", async () => {
		const seen: unknown[] = [];
		await runTheirAgent(seen, [{ query: 'a', sessionId: 'theirs' }]);
		await runTheirAgent(seen, [{ query: 'b', sessionId: 'theirs', plain: true }]);
		const second = seen[1] as Array<{ getType(): string; text: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }>;
		expect(second.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'ai']);
		expect(second[1]!.tool_calls).toMatchObject([{ id: 'turn1call1', name: 'echo', args: { text: '1' } }]);
		expect([second[2]!.tool_call_id, second[3]!.text]).toEqual(['turn1call1', 'done']);
		expect(second.map(({ content }) => content)).toEqual(['a', 'Calling echo', 'echo 1', 'done']);
		const model = scriptedModel([{ text: 'ours' }]);
		await runOurAgent(model, { items: [{ query: 'c', sessionId: 'theirs' }] });
		expect(history(model.requests[0]?.messages)).toEqual(['user: a', 'assistant: Calling echo', 'tool: ', 'assistant: done', 'user: b', 'assistant: ok', 'user: c']);
	});

	it('refuses items of several conversations, since that agent uses the first one’s memory for all', async () => {
		const seen: unknown[] = [];
		const run = await runTheirAgent(seen, [{ query: 'a', sessionId: 's', user: 'anne' }, { query: 'b', sessionId: 's', user: 'bob' }]);
		expect(run.error?.message).toContain('belong to several conversations');
		expect(seen).toEqual([]);
		expect((await runStep({ operation: 'load' }, [{ sessionId: 's', user: 'anne' }])).items('Memory')[0]?.json.history).toEqual([]);
	});
});

describe('as a step of the flow', () => {
	it('saves turns, loads them as history beside the other fields, and forgets them', async () => {
		const item = { sessionId: 'steps', user: 'anne', chatInput: 'Hello', output: 'Hi Anne', keep: 1 };
		expect((await runStep({ operation: 'save' }, [item])).items('Memory')[0]).toMatchObject({ json: { ...item, saved: true }, pairedItem: { item: 0 } });
		const loaded = await runStep({ operation: 'load' }, [item, { ...item, user: 'bob' }]);
		expect(loaded.items('Memory').map(({ json }) => json.history)).toEqual([[{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hi Anne' }], []]);
		await runStep({ operation: 'clear' }, [item]);
		expect((await runStep({ operation: 'load' }, [item])).items('Memory')[0]?.json.history).toEqual([]);
	});

	it('exports and deletes the data of one person, of all sessions and memories', async () => {
		const turn = { chatInput: 'q', output: 'a' };
		await runStep({ operation: 'save' }, [{ ...turn, sessionId: 's1', user: 'carl' }, { ...turn, sessionId: 's2', user: { sub: 'carl' } }, { ...turn, sessionId: 's1', user: 'dora' }]);
		await runStep({ operation: 'save', memory: 'other' }, [{ ...turn, sessionId: 's3', user: 'carl' }]);
		const exported = await runStep({ operation: 'export', person: 'carl' }, [{}]);
		const conversations = exported.items('Memory')[0]?.json.conversations as Array<{ memory: string; session: string; turns: unknown[] }>;
		expect(conversations.map(({ memory, session, turns }) => [memory, session, turns.length])).toEqual([['conversations', 's1', 1], ['conversations', 's2', 1], ['other', 's3', 1]]);
		const deleted = await runStep({ operation: 'delete', person: 'carl' }, [{}]);
		expect(deleted.items('Memory')[0]?.json).toEqual({ person: 'carl', deleted: { conversations: 3, turns: 3 } });
		expect((await runStep({ operation: 'export', person: 'dora' }, [{}])).items('Memory')[0]?.json.conversations).toHaveLength(1);
		expect((await runStep({ operation: 'delete', person: ' ' }, [{}])).error?.message).toBe('No person is named');
	});
});
