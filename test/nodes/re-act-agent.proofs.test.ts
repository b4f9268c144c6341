import { connect, node, resumeWorkflow, runWorkflow, start, type WorkflowCase } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { foreignToolNode, modelNode, tool, toolNode } from '../support/test-nodes';
import { toolCallsOf } from '../../lib/core/message';
import type { ModelRequest } from '../../lib/core/model';
import type { Tool } from '../../lib/core/tool';
import { AskUser } from '../../nodes/AskUser/AskUser.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { ToolRouter } from '../../nodes/ToolRouter/ToolRouter.node';

/** The decisions that fix the shape of everything else, each in a workflow run by n8n-core. */

interface Given {
	readonly model: ScriptedModel;
	readonly tools?: (which: string) => readonly Tool[];
	readonly items?: Array<Record<string, unknown>>;
	readonly agent?: Parameters<typeof node>[3];
	readonly parameters?: Record<string, unknown>;
	readonly which?: string;
}

function agentWorkflow({ model, tools = () => [], items = [{ query: 'go' }], agent, parameters, which = '' }: Given): WorkflowCase {
	return {
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.tools': toolNode(tools) },
		nodes: [
			start(),
			node('Agent', 'p.agent', { instructions: 'Be good.', ...parameters }, agent),
			node('Model', 'p.model'),
			node('Tools', 'p.tools', { which }),
		],
		connections: connect(
			['Start', 'main', 'Agent'],
			['Model', 'ai_languageModel', 'Agent'],
			['Tools', 'ai_tool', 'Agent'],
		),
		input: items.map((json) => ({ json: json as never })),
	};
}

/** Texts of the tool results in a request, in order. */
function observations(request: ModelRequest | undefined): string[] {
	return (request?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : [])));
}

const echoSchema = { type: 'object', properties: { text: { type: 'string' } } };

describe('1. port objects', () => {
	it('are recognised by our mark, and a tool of another package by its shape', async () => {
		const model = scriptedModel([
			{ calls: [{ name: 'ours', args: { text: 'a' } }, { name: 'theirs', args: { text: 'b' } }] },
			{ text: 'done' },
		]);
		const given = agentWorkflow({ model, tools: () => [tool('ours', ({ text }) => ({ text: `ours ${text}` }), { inputSchema: echoSchema })] });
		const run = await runWorkflow({
			...given,
			nodeTypes: { ...given.nodeTypes, 'p.theirs': foreignToolNode('theirs', ({ text }) => ({ got: `theirs ${text}` }), echoSchema) },
			nodes: [...given.nodes, node('Theirs', 'p.theirs')],
			connections: connect(
				['Start', 'main', 'Agent'],
				['Model', 'ai_languageModel', 'Agent'],
				['Tools', 'ai_tool', 'Agent'],
				['Theirs', 'ai_tool', 'Agent'],
			),
		});
		expect(run.error).toBeUndefined();
		expect(run.items('Agent')[0]?.json.output).toBe('done');
		expect(observations(model.requests[1])).toEqual(['ours a', '{"got":"theirs b"}']);
		expect(run.runData.Tools).toHaveLength(1);
		expect(run.runData.Theirs).toHaveLength(1);
	});
});

describe('2. state', () => {
	it('stays small plain JSON while a large observation is kept as binary data and read back at the next turn', async () => {
		const large = JSON.stringify({ rows: 'x'.repeat(15_000) });
		const model = scriptedModel([
			{ calls: [{ name: 'big', args: { page: 1 } }] },
			{ calls: [{ name: 'big', args: { page: 2 } }] },
			{ text: 'seen' },
		]);
		const given = agentWorkflow({ model, tools: () => [tool('big', () => ({ text: large }))] });
		const run = await runWorkflow(given);
		expect(observations(model.requests[2]).map(({ length }) => length)).toEqual([large.length, large.length]);
		expect(observations(model.requests[2])[1] === large).toBe(true);
		const metadata = run.runData.Agent?.[0]?.metadata as { subNodeExecutionData?: { metadata?: unknown } };
		const state = JSON.stringify(metadata.subNodeExecutionData?.metadata);
		expect(state).toContain('"handle":"filesystem-v2:');
		expect(state.length).toBeLessThan(3_000);
		expect(JSON.parse(state)).toEqual(metadata.subNodeExecutionData?.metadata);
	});

	it('pages through an observation that is cut, inside the agent', async () => {
		const large = 'abcdefghij'.repeat(100);
		const model = scriptedModel([
			{ calls: [{ name: 'big', args: {}, id: 'call1' }] },
			{ calls: [{ name: 'read_result', args: { handle: 'call1', offset: 995 } }] },
			{ text: 'read' },
		]);
		const given = agentWorkflow({
			model,
			tools: () => [tool('big', () => ({ text: `${large}END` }))],
			parameters: { options: { maxObservationCharacters: 200 } },
		});
		const run = await runWorkflow(given);
		expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['big']);
		expect(observations(model.requests[1])[0]).toMatch(/^(abcdefghij){20}\.\.\. \(200 of 1003 characters shown; .*"call1"/);
		expect(observations(model.requests[2])[1]).toBe('fghijEND');
		expect(run.items('Agent')[0]?.json.output).toBe('read');
	});
});

describe('3. arguments', () => {
	it('cannot forge the item, the tool or the call: they reach the tool as its own input only', async () => {
		const got: unknown[] = [];
		const forged = { user: 'ADMIN', tool: 'other', toolCallId: 'x', id: 'y', toolInput: { a: 1 } };
		const schema = { type: 'object', properties: Object.fromEntries(Object.keys(forged).map((key) => [key, {}])) };
		const model = scriptedModel([{ calls: [{ name: 'mine', args: forged }] }, { text: 'ok' }]);
		const given = agentWorkflow({
			model,
			items: [{ query: 'q', user: 'anna', toolInput: { from: 'trigger' }, tool: 'other' }],
			which: '={{ $json.user }}',
			tools: (which) => [
				tool('mine', (input) => (got.push({ which, input }), { text: which }), { inputSchema: schema }),
				tool('other', () => (got.push('other ran'), { text: '' })),
			],
		});
		const run = await runWorkflow(given);
		expect(got).toEqual([{ which: 'anna', input: forged }]);
		expect(observations(model.requests[1])).toEqual(['anna']);
		const back = model.requests[1]?.messages.flatMap(toolCallsOf);
		expect(JSON.parse(back?.[0]?.argumentsText ?? '')).toEqual(forged);
		expect(run.items('Agent')[0]?.json.user).toBe('anna');
	});
});

describe('4. two items that both ask a person', () => {
	it('wait one after the other and both get their answer', async () => {
		const model = scriptedModel([
			{ calls: [{ name: 'ask_user', args: { question: 'Q one?' } }] },
			{ calls: [{ name: 'ask_user', args: { question: 'Q two?' } }] },
			(request) => ({ text: `heard ${observations(request).join()}` }),
			(request) => ({ text: `heard ${observations(request).join()}` }),
		]);
		const given: WorkflowCase = {
			nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.ask': new AskUser() },
			nodes: [start(), node('Agent', 'p.agent'), node('Model', 'p.model'), node('Ask', 'p.ask')],
			connections: connect(
				['Start', 'main', 'Agent'],
				['Model', 'ai_languageModel', 'Agent'],
				['Ask', 'ai_tool', 'Agent'],
			),
			input: [{ json: { query: 'one' } }, { json: { query: 'two' } }],
		};
		const first = await runWorkflow(given);
		expect(first.result.waitTill ?? first.result.data.waitTill).toBeTruthy();
		expect(first.runData.Ask?.at(-1)?.data?.ai_tool?.[0]?.[0]?.json).toMatchObject({ question: 'Q one?' });
		const second = await resumeWorkflow(given, first, [{ json: { response: 'yes' } }]);
		expect(second.runData.Ask?.at(-1)?.data?.ai_tool?.[0]?.[0]?.json).toMatchObject({ question: 'Q two?' });
		const third = await resumeWorkflow(given, second, [{ json: { response: 'no' } }]);
		expect(third.error).toBeUndefined();
		expect(third.items('Agent').map(({ json }) => json.output)).toEqual(['heard yes', 'heard no']);
		expect(third.runData.Ask).toHaveLength(2);
	});
});

describe('5. Retry On Fail', () => {
	const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

	it('repeats only the model call: no observation twice, no second side effect', async () => {
		let ran = 0;
		const model = scriptedModel([
			{ calls: [{ name: 'order', args: { n: 1 } }, { name: 'order', args: { n: 2 } }] },
			{ error: new Error('the line went dead') },
			{ text: 'ordered' },
		]);
		const given = agentWorkflow({ model, tools: () => [tool('order', () => ({ text: `order ${++ran}` }))], agent: retrying });
		const run = await runWorkflow(given);
		expect(run.items('Agent')[0]?.json.output).toBe('ordered');
		expect(ran).toBe(2);
		expect(observations(model.requests[2])).toEqual(['order 1', 'order 2']);
	});

	it('stops with a clear error when n8n hands back no state', async () => {
		const agent = new ReActAgent();
		const ctx = { getNode: () => node('Agent', 'p.agent') };
		await expect(agent.execute.call(ctx as never, undefined)).rejects.toMatchObject({
			message: expect.stringContaining('did not hand back the work it had begun'),
			description: expect.stringContaining('Retry On Fail'),
		});
	});

	it('keeps a failed first item from starting the node again', async () => {
		const model = scriptedModel([{ calls: [{ name: 'order', args: { n: 1 } }] }, { calls: [{ name: 'order', args: { n: 2 } }] }]);
		let ran = 0;
		const given = agentWorkflow({
			model,
			tools: () => [tool('order', () => ({ text: `order ${++ran}` }))],
			agent: { ...retrying, onError: 'continueErrorOutput' },
			parameters: { options: { maxSteps: 2 } },
		});
		const run = await runWorkflow(given);
		expect(ran).toBe(2);
		expect(model.requests).toHaveLength(2);
		expect(JSON.stringify(run.items('Agent', 1)[0]?.json)).toContain('limit of 2 steps');
	});
});

describe('6. agent → router → toolkit → tool', () => {
	it('runs nested and visible for several items, parallel calls of one turn in order', async () => {
		const all = ['pump', 'valve', 'motor', 'filter'].map((name) =>
			tool(`check_${name}`, ({ text }) => ({ text: `${name}:${text}` }), { inputSchema: echoSchema }),
		);
		const model = scriptedModel([
			{ calls: [{ name: 'check_valve', args: { text: '1' } }, { name: 'check_pump', args: { text: '2' } }] },
			{ calls: [{ name: 'check_filter', args: { text: '3' } }] },
			(request) => ({ text: observations(request).join() }),
			(request) => ({ text: observations(request).join() }),
		]);
		const run = await runWorkflow({
			nodeTypes: {
				'p.agent': new ReActAgent(),
				'p.model': modelNode(model),
				'p.router': new ToolRouter(),
				'p.tools': toolNode((which) => all.filter(({ name }) => which.includes(name.slice(6)))),
			},
			nodes: [
				start(),
				node('Agent', 'p.agent'),
				node('Model', 'p.model'),
				node('Router', 'p.router', { topK: 3, options: { passthroughUpTo: 2 } }),
				node('AB', 'p.tools', { which: 'pump valve' }),
				node('CD', 'p.tools', { which: 'motor filter' }),
			],
			connections: connect(
				['Start', 'main', 'Agent'],
				['Model', 'ai_languageModel', 'Agent'],
				['Router', 'ai_tool', 'Agent'],
				['AB', 'ai_tool', 'Router'],
				['CD', 'ai_tool', 'Router'],
			),
			input: [{ json: { query: 'check the pump and the valve' } }, { json: { query: 'check the filters' } }],
		});
		expect(run.error).toBeUndefined();
		expect(run.items('Agent').map(({ json }) => json.output)).toEqual(['valve:1,pump:2', 'filter:3']);
		expect(run.items('Agent').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const shown = model.requests[0]?.tools?.map(({ name }) => name) ?? [];
		expect(shown).toEqual(expect.arrayContaining(['check_pump', 'check_valve']));
		expect(shown.length).toBeLessThan(4);
		expect(run.runData.AB).toHaveLength(2);
		expect(run.runData.CD).toHaveLength(1);
	});
});
