import { NodeConnectionTypes, type INodeType, type SupplyData } from 'n8n-workflow';

import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import type { ModelRequest } from '../../lib/core/model';
import { connect, node, runWorkflow, start, type WorkflowCase } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { foreignToolNode, modelNode, tool, toolNode } from '../support/test-nodes';

const files = tool('draw', () => ({ text: 'drawn', files: [{ name: 'a.png', mediaType: 'image/png', data: 'iVBORw0KGgo=' }] }));
const fails = tool('fails', () => {
	throw new Error('HTTP 500');
});
const echo = tool('echo', ({ text }) => ({ text: `echo ${String(text)}` }), {
	inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
});

function workflow(model: ScriptedModel, more: Partial<WorkflowCase> = {}, parameters: object = {}, agent: object = {}): WorkflowCase {
	return {
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.tools': toolNode(() => [files, fails, echo]), ...more.nodeTypes },
		nodes: [start(), node('Agent', 'p.agent', { ...parameters }, agent), node('Model', 'p.model'), node('Tools', 'p.tools'), ...(more.nodes ?? [])],
		connections: more.connections ?? links(),
		input: [{ json: { query: 'q' } }],
		...(more.input && { input: more.input }),
		...(more.onChunk && { onChunk: more.onChunk }),
	};
}

function links(...others: Array<readonly [string, string, string]>) {
	return connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent'], ...others);
}

function toolTexts(request: ModelRequest | undefined): string[] {
	return (request?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : [])));
}

describe('several items', () => {
	it('N14 run each with its own result and pairing, one failing item leaves the others alone', async () => {
		const model = scriptedModel([(request) => ({ text: `to ${JSON.stringify(request.messages.at(-1)?.parts)}` }), { text: 'third' }]);
		const input = [{ json: { query: 'one', id: 1 } }, { json: { query: '  ' } }, { json: { chatInput: 'three' } }];
		const run = await runWorkflow(workflow(model, { input }, {}, { onError: 'continueErrorOutput' }));
		expect(run.items('Agent').map(({ json, pairedItem }) => [json.output, pairedItem])).toEqual([
			[expect.stringContaining('one'), { item: 0 }],
			['third', { item: 2 }],
		]);
		expect(run.items('Agent')[0]?.json).toMatchObject({ query: 'one', id: 1, run: { stoppedBy: 'answer' }, intermediateSteps: [] });
		expect(run.items('Agent', 1)[0]?.json).toMatchObject({ error: 'The query is empty', message: expect.stringContaining('"chatInput"') });
	});

	it('gives the error output the reason, the remedy and the work so far', async () => {
		const model = scriptedModel([{ text: 'look', calls: [{ name: 'echo', args: { text: 'x' } }] }]);
		const run = await runWorkflow(workflow(model, {}, { options: { maxSteps: 1 } }, { onError: 'continueErrorOutput' }));
		const [item] = run.items('Agent', 1);
		expect(run.items('Agent')).toEqual([]);
		expect(item?.json).toMatchObject({
			query: 'q',
			error: expect.stringContaining('limit of 1 steps'),
			message: expect.stringContaining('Raise Max Steps'),
			details: { output: '', run: { stoppedBy: 'step-limit', partial: true, steps: [{ calls: [{ name: 'echo', result: { text: 'echo x' } }] }] } },
		});
	});

	it('gives an error workflow the code and the work so far, when it is to stop on errors', async () => {
		const model = scriptedModel([{ text: 'look', calls: [{ name: 'echo', args: { text: 'x' } }] }]);
		const run = await runWorkflow(workflow(model, {}, { options: { maxSteps: 1 } }));
		expect(run.error).toMatchObject({
			message: expect.stringContaining('limit of 1 steps'),
			context: { itemIndex: 0, code: expect.stringMatching(/^[A-Z_]+$/), run: { stoppedBy: 'step-limit', steps: [{ calls: [{ name: 'echo', result: { text: 'echo x' } }] }] } },
		});
	});

	it('takes the empty parameters of a Webhook for no question, and says where the posted one is', async () => {
		const run = await runWorkflow(workflow(scriptedModel([]), { input: [{ json: { headers: {}, params: {}, query: {}, body: { query: 'posted' } } }] }));
		expect(run.error).toMatchObject({ message: 'The query is empty', description: expect.stringContaining('Behind a Webhook set Query to {{ $json.body.query }}') });
	});

	it('ends the node with a message that names the item and what to change, when it is to stop on errors', async () => {
		const run = await runWorkflow(workflow(scriptedModel([]), { input: [{ json: {} }] }));
		expect(run.status).toBe('error');
		expect(run.error).toMatchObject({ message: 'The query is empty', context: { itemIndex: 0 }, description: expect.stringContaining('Fill the Query field') });
	});
});

describe('tools', () => {
	it('N06 that fail are shown to the model and on the canvas, and the run goes on', async () => {
		const model = scriptedModel([{ calls: [{ name: 'fails', args: {} }] }, { text: 'went on' }]);
		const run = await runWorkflow(workflow(model));
		expect(run.status).toBe('success');
		expect(toolTexts(model.requests[1])).toEqual(['HTTP 500']);
		expect(run.runData.Tools?.[0]?.error?.message).toBe('HTTP 500');
		expect(run.items('Agent')[0]?.json.output).toBe('went on');
	});

	it('N09 that make files put them on the output item and tell the model', async () => {
		const model = scriptedModel([{ calls: [{ name: 'draw', args: {} }] }, { text: 'see the file' }]);
		const run = await runWorkflow(workflow(model));
		expect(toolTexts(model.requests[1])).toEqual(['drawn\n[file a.png (image/png) is attached to the output]']);
		expect(run.items('Agent')[0]?.binary?.file_1).toMatchObject({ fileName: 'a.png', mimeType: 'image/png' });
	});

	it('N08 of other packages that give an empty item are observed as no data', async () => {
		const model = scriptedModel([{ calls: [{ name: 'void', args: {} }] }, { text: 'ok' }]);
		await runWorkflow(workflow(model, {
			nodeTypes: { 'p.void': foreignToolNode('void', () => ({})) },
			nodes: [node('Void', 'p.void')],
			connections: links(['Void', 'ai_tool', 'Agent']),
		}));
		expect(toolTexts(model.requests[1])).toEqual(['The tool ran and returned no data.']);
	});

	it('of other packages without execute are run through what they supply', async () => {
		const only = foreignToolNode('only', ({ a }) => ({ got: a }), { type: 'object', properties: { a: { type: 'number' } } });
		delete only.execute;
		const model = scriptedModel([{ calls: [{ name: 'only', args: { a: 7 } }] }, { text: 'ok' }]);
		const run = await runWorkflow(workflow(model, {
			nodeTypes: { 'p.only': only },
			nodes: [node('Only', 'p.only')],
			connections: links(['Only', 'ai_tool', 'Agent']),
		}));
		expect(run.status).toBe('success');
		expect(toolTexts(model.requests[1])).toEqual(['{"got":7}']);
	});

	it('outside the allow-list are neither shown nor called', async () => {
		const model = scriptedModel([{ calls: [{ name: 'fails', args: {} }] }, { text: 'ok' }]);
		const run = await runWorkflow(workflow(model, { input: [{ json: { query: 'q', tools: [{ name: 'echo' }] } }] }, { options: { allowedTools: '={{ $json.tools }}' } }));
		expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['echo']);
		expect(toolTexts(model.requests[1])).toEqual(['There is no tool named "fails". Available: echo.']);
		expect(run.runData.Tools).toBeUndefined();
	});

	it('T05 of two nodes with one name get names that differ, and each call reaches its own node', async () => {
		const model = scriptedModel([
			(request) => ({ calls: (request.tools ?? []).map(({ name }) => ({ name, args: {} })) }),
			{ text: 'ok' },
		]);
		const run = await runWorkflow(workflow(model, {
			nodeTypes: { 'p.x': foreignToolNode('look', () => ({ from: 'X' })), 'p.y': foreignToolNode('look', () => ({ from: 'Y' })) },
			nodes: [node('X', 'p.x'), node('Y', 'p.y')],
			connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['X', 'ai_tool', 'Agent'], ['Y', 'ai_tool', 'Agent']),
		}));
		expect(new Set(model.requests[0]?.tools?.map(({ name }) => name)).size).toBe(2);
		expect(toolTexts(model.requests[1])).toEqual(['{"from":"X"}', '{"from":"Y"}']);
		expect([run.runData.X?.length, run.runData.Y?.length]).toEqual([1, 1]);
	});
});

describe('memory', () => {
	it('of any n8n kind is loaded before the first turn and gets the answer', async () => {
		const saved: unknown[] = [];
		const memory: INodeType = {
			description: { ...modelNode(scriptedModel([])).description, outputs: [NodeConnectionTypes.AiMemory] },
			async supplyData(): Promise<SupplyData> {
				return {
					response: {
						loadMemoryVariables: async () => ({
							chat_history: [
								{ getType: () => 'human', content: 'hi' },
								{ getType: () => 'ai', content: [{ type: 'text', text: 'hello' }], tool_calls: [] },
							],
						}),
						saveContext: async (...turn: unknown[]) => void saved.push(turn),
					},
				};
			},
		};
		const model = scriptedModel([{ calls: [{ name: 'echo', args: { text: '1' } }] }, { text: 'bye' }]);
		await runWorkflow(workflow(model, {
			nodeTypes: { 'p.memory': memory },
			nodes: [node('Memory', 'p.memory')],
			connections: links(['Memory', 'ai_memory', 'Agent']),
		}));
		expect(model.requests[1]?.messages.slice(1, 4).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
		expect(saved).toEqual([[{ input: 'q' }, { output: 'bye' }]]);
	});
});

describe('streaming', () => {
	it('N10 sends the answer and still gives steps and answer in the final item', async () => {
		const chunks: Array<{ type: string; content?: string }> = [];
		const model = scriptedModel([{ calls: [{ name: 'echo', args: { text: 'x' } }] }, { text: 'streamed' }]);
		const run = await runWorkflow(workflow(model, { onChunk: (chunk) => void chunks.push(chunk as never) }));
		expect(chunks.map(({ type, content }) => [type, content])).toEqual([['begin', undefined], ['item', 'streame'], ['item', 'd'], ['end', undefined]]);
		expect(run.items('Agent')[0]?.json).toMatchObject({ output: 'streamed', intermediateSteps: [{ action: { tool: 'echo' }, observation: 'echo x' }] });
	});
});

describe('models', () => {
	it('are required: n8n refuses to run without one and names the input', async () => {
		const given = workflow(scriptedModel([]));
		const run = await runWorkflow({ ...given, connections: connect(['Start', 'main', 'Agent']) });
		expect(run.error?.message).toContain('Model sub-node must be connected');
	});

	it('have a second one take over, whichever was connected first', async () => {
		const first = scriptedModel([{ error: Object.assign(new Error('down'), { name: 'CodedError', code: 'UPSTREAM', retryable: true }) }]);
		const second = { ...scriptedModel([{ text: 'from the second' }]), id: 'scripted/second' };
		const given = workflow(first, { nodeTypes: { 'p.second': modelNode(second) }, nodes: [node('Second', 'p.second')] }, { hasFallback: true });
		const run = await runWorkflow({
			...given,
			connections: {
				...connect(['Start', 'main', 'Agent']),
				Second: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 1 }]] },
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
			},
		});
		expect(run.items('Agent')[0]?.json).toMatchObject({ output: 'from the second', run: { warnings: [expect.stringContaining('scripted/model failed')] } });
	});
});

describe('pictures', () => {
	it('reach a model that sees as pictures, in the turn after the call', async () => {
		const model = { ...scriptedModel([{ calls: [{ name: 'draw', args: {} }] }, { text: 'a dot' }]), capabilities: { tools: 'yes', responseSchema: 'no', images: 'yes' } as const };
		await runWorkflow(workflow(model));
		expect(model.requests[1]?.messages.at(-1)).toEqual({ role: 'user', parts: [{ type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=', name: 'a.png' }] });
	});
});

describe('items at once', () => {
	it('call the model together and keep their order', async () => {
		let open = 0;
		let most = 0;
		const model = {
			...scriptedModel([]),
			async *stream(request: ModelRequest) {
				most = Math.max(most, ++open);
				// Held until three are open at once, whatever the machine's speed.
				for (let waited = 0; most < 3 && waited < 500; waited++) await new Promise((resolve) => setTimeout(resolve, 10));
				open--;
				const [part] = request.messages.at(-1)?.parts ?? [];
				yield { type: 'text-delta' as const, text: part?.type === 'text' ? part.text : '' };
			},
		};
		const input = ['a', 'b', 'c', 'd', 'e'].map((query) => ({ json: { query } }));
		const run = await runWorkflow(workflow(model, { input }, { options: { itemsAtOnce: 3 } }));
		expect(run.items('Agent').map(({ json }) => json.output)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(most).toBe(3);
	});
});
