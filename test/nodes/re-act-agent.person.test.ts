import type { ModelRequest } from '../../lib/core/model';
import { AskUser } from '../../nodes/AskUser/AskUser.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, resumeWorkflow, runWorkflow, start, type WorkflowCase } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const inputSchema = { type: 'object', properties: { part: { type: 'string' }, n: { type: 'integer' } }, required: ['part'] };
const order = { part: 'N-92c', n: 4 };

function orderTool(done: unknown[]) {
	return tool('order_part', (input) => (done.push(input), { text: `ordered ${String(input.n)}` }), { inputSchema, annotations: { destructive: true } });
}

function workflow(model: ScriptedModel, done: unknown[], { ask, parameters = {}, input = { query: 'order it' } }: { ask?: 'wait' | 'end'; parameters?: object; input?: object } = {}): WorkflowCase {
	const links: Array<[string, string, string]> = [['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent']];
	if (ask) links.push(['Ask', 'ai_tool', 'Agent']);
	return {
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.tools': toolNode(() => [orderTool(done)]), 'p.ask': new AskUser() },
		nodes: [start(), node('Agent', 'p.agent', { ...parameters }), node('Model', 'p.model'), node('Tools', 'p.tools'), ...(ask ? [node('Ask', 'p.ask', { way: ask })] : [])],
		connections: connect(...links),
		input: [{ json: input as never }],
	};
}

const texts = (request: ModelRequest | undefined): string[] =>
	(request?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : [])));
const callOrder = { calls: [{ name: 'order_part', args: order }] };

describe('approval in a waiting Ask User node', () => {
	it('N12 asks before a destructive call, runs it with edited arguments, and gives the model the real result', async () => {
		const done: unknown[] = [];
		const model = scriptedModel([callOrder, { text: 'ordered' }]);
		const given = workflow(model, done, { ask: 'wait' });
		const waiting = await runWorkflow(given);
		expect(done).toEqual([]);
		expect(waiting.runData.Ask?.at(-1)?.data?.ai_tool?.[0]?.[0]?.json).toMatchObject({
			question: 'May the agent call order_part with {"part":"N-92c","n":4}?',
			approval: { tool: 'order_part', arguments: order },
			answerUrl: expect.stringContaining('http'),
		});
		const decision = { approved: true, at: '2026-01-01T00:00:00.000Z', by: 'Anna', arguments: { part: 'N-92c', n: 2 } };
		const run = await resumeWorkflow(given, waiting, [{ json: { response: decision } }]);
		expect(done).toEqual([{ part: 'N-92c', n: 2 }]);
		expect(texts(model.requests[1])).toEqual([
			'A person approved this call with other arguments: {"part":"N-92c","n":2}. Result: ordered 2',
		]);
		expect(run.items('Agent')[0]?.json).toMatchObject({
			output: 'ordered',
			run: { steps: [{ calls: [{ input: { n: 2 }, decision: { approved: true, by: 'Anna' } }] }, {}] },
		});
	});

	it('asks in French where the run is French, also on the page', async () => {
		const model = scriptedModel([callOrder]);
		const waiting = await runWorkflow(workflow(model, [], { ask: 'wait', input: { query: 'Commande les joints de la pompe' } }));
		expect(waiting.runData.Ask?.at(-1)?.data?.ai_tool?.[0]?.[0]?.json).toMatchObject({
			question: 'L\'agent peut-il appeler order_part avec {"part":"N-92c","n":4} ?',
			approval: { tool: 'order_part', language: 'fr' },
		});
	});

	it('N12 gives the model a refusal, with its note, and never runs the call', async () => {
		const done: unknown[] = [];
		const model = scriptedModel([callOrder, { text: 'not ordered' }]);
		const given = workflow(model, done, { ask: 'wait' });
		const run = await resumeWorkflow(given, await runWorkflow(given), [{ json: { response: { approved: false, at: 'x', note: 'too dear' } } }]);
		expect(done).toEqual([]);
		expect(texts(model.requests[1])).toEqual(['A person refused this call: too dear. Do not make it again.']);
		expect(run.items('Agent')[0]?.json.output).toBe('not ordered');
	});

	it('takes a time-out, and anything that is not a clear yes, for a refusal', async () => {
		for (const json of [{ toolCallId: 'reactengine:0.1.0.m1c1.approval' }, { response: 'yes' }, { response: { approved: 'true' } }]) {
			const done: unknown[] = [];
			const model = scriptedModel([callOrder, { text: 'no' }]);
			const given = workflow(model, done, { ask: 'wait' });
			await resumeWorkflow(given, await runWorkflow(given), [{ json }]);
			expect(done).toEqual([]);
			expect(texts(model.requests[1])[0]).toContain('refused this call');
		}
	});
});

describe('a run that ends with a question', () => {
	it('gives the call and a token, and goes on in another execution when it is approved, once', async () => {
		const done: unknown[] = [];
		const first = scriptedModel([callOrder]);
		const asked = await runWorkflow(workflow(first, done));
		const [item] = asked.items('Agent');
		expect(done).toEqual([]);
		expect(item?.json).toMatchObject({
			output: 'May the agent call order_part with {"part":"N-92c","n":4}?',
			question: { kind: 'approval', tool: 'order_part', arguments: order, input: order, token: expect.any(String), expiresAt: expect.any(String) },
			run: { stoppedBy: 'approval', partial: true },
		});
		const { token } = item?.json.question as { token: string };
		const second = scriptedModel([{ text: 'ordered' }]);
		const resumed = workflow(second, done, { parameters: { operation: 'resume' }, input: { token, approved: 'oui', by: 'Anna' } });
		const run = await runWorkflow(resumed);
		expect(run.error).toBeUndefined();
		expect(done).toEqual([order]);
		expect(texts(second.requests[0])).toEqual(['ordered 4']);
		expect(second.requests[0]?.messages[1]?.parts[0]).toMatchObject({ text: 'order it' });
		expect(run.items('Agent')[0]?.json).toMatchObject({ output: 'ordered', run: { steps: [{ calls: [{ decision: { approved: true, by: 'Anna' } }] }, {}] } });
		const again = await runWorkflow(resumed);
		expect(again.error?.message).toBe('This question was already answered');
		expect(done).toHaveLength(1);
	});

	it('refuses without a clear yes, and says what is wrong with a token', async () => {
		const done: unknown[] = [];
		const asked = await runWorkflow(workflow(scriptedModel([callOrder]), done));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const parameters = { operation: 'resume' };
		const forged = await runWorkflow(workflow(scriptedModel([]), done, { parameters, input: { token: `${token}x`, approved: true } }));
		expect(forged.error?.message).toBe('This token was not given out here');
		const empty = await runWorkflow(workflow(scriptedModel([]), done, { parameters, input: { approved: true } }));
		expect(empty.error?.message).toBe('The token is empty');
		const model = scriptedModel([{ text: 'left it' }]);
		await runWorkflow(workflow(model, done, { parameters, input: { token, answer: 'not now' } }));
		expect(texts(model.requests[0])).toEqual(['A person refused this call: not now. Do not make it again.']);
		expect(done).toEqual([]);
	});

	it('ends with a plain question too, and the answer becomes the observation', async () => {
		const model = scriptedModel([{ calls: [{ name: 'ask_user', args: { question: 'Which pump?' } }] }]);
		const asked = await runWorkflow(workflow(model, [], { ask: 'end' }));
		const [item] = asked.items('Agent');
		expect(item?.json).toMatchObject({ output: 'Which pump?', question: { kind: 'question', question: 'Which pump?' }, run: { stoppedBy: 'question' } });
		const { token } = item?.json.question as { token: string };
		const next = scriptedModel([(request) => ({ text: `heard ${texts(request).join()}` })]);
		const run = await runWorkflow(workflow(next, [], { ask: 'end', parameters: { operation: 'resume' }, input: { token, answer: 'P101' } }));
		expect(run.items('Agent')[0]?.json.output).toBe('heard P101');
	});

	it.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'])('can be resumed again after its model failed, with On Error set to %s', async (onError) => {
		const asked = await runWorkflow(workflow(scriptedModel([callOrder]), []));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const resume = (model: ScriptedModel, done: unknown[]): WorkflowCase => {
			const given = workflow(model, done, { parameters: { operation: 'resume' }, input: { token, approved: 'yes' } });
			return { ...given, nodes: given.nodes.map((one) => (one.name === 'Agent' ? { ...one, onError: onError as 'stopWorkflow' } : one)) };
		};
		// The model is asked again only after the approved call; a model that cannot be had at all fails before.
		const broken = { ...scriptedModel([]), get capabilities(): never { throw new Error('503 from the model'); } };
		await runWorkflow(resume(broken as never, []));
		const done: unknown[] = [];
		const run = await runWorkflow(resume(scriptedModel([{ text: 'ordered' }]), done));
		expect(done).toEqual([order]);
		expect(run.items('Agent')[0]?.json.output).toBe('ordered');
	});

	it('can be answered again when the model failed on the answer and the workflow went on', async () => {
		const asked = await runWorkflow(workflow(scriptedModel([{ calls: [{ name: 'ask_user', args: { question: 'Which pump?' } }] }]), [], { ask: 'end' }));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const answer = (model: ScriptedModel): WorkflowCase => {
			const given = workflow(model, [], { ask: 'end', parameters: { operation: 'resume' }, input: { token, answer: 'P101' } });
			return { ...given, nodes: given.nodes.map((one) => (one.name === 'Agent' ? { ...one, onError: 'continueRegularOutput' as const } : one)) };
		};
		const failed = await runWorkflow(answer(scriptedModel([{ error: new Error('503 from the model') }])));
		expect(failed.items('Agent')[0]?.json.error).toContain('503');
		expect((await runWorkflow(answer(scriptedModel([{ text: 'done' }])))).items('Agent')[0]?.json.output).toBe('done');
		expect((await runWorkflow(answer(scriptedModel([{ text: 'done' }])))).items('Agent')[0]?.json.error).toContain('already');
	});

	it('is kept with its large observations', async () => {
		const large = 'x'.repeat(5_000);
		const big = tool('big', () => ({ text: large }));
		const model = scriptedModel([{ calls: [{ name: 'big', args: {} }] }, { calls: [{ name: 'ask_user', args: { question: 'ok?' } }] }]);
		const given = workflow(model, [], { ask: 'end' });
		const asked = await runWorkflow({ ...given, nodeTypes: { ...given.nodeTypes, 'p.tools': toolNode(() => [big]) } });
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const next = scriptedModel([{ text: 'done' }]);
		const resumed = workflow(next, [], { ask: 'end', parameters: { operation: 'resume' }, input: { token, answer: 'yes' } });
		await runWorkflow({ ...resumed, nodeTypes: { ...resumed.nodeTypes, 'p.tools': toolNode(() => [big]) } });
		expect(texts(next.requests[0])).toEqual([large, 'yes']);
	});
});

describe('in queue mode, where a folder of one worker cannot keep a question', () => {
	beforeEach(() => void (process.env.EXECUTIONS_MODE = 'queue'));
	afterEach(() => void delete process.env.EXECUTIONS_MODE);
	const refusal = 'n8n runs in queue mode: a run that waits for an answer in a folder of one machine may be missing on another';

	it('an agent that ends with its question is refused before any work', async () => {
		const model = scriptedModel([{ text: 'hello' }]);
		expect((await runWorkflow(workflow(model, [], { ask: 'end' }))).error?.message).toBe(refusal);
		expect(model.requests).toEqual([]);
	});

	it('one that needs an approval is refused when it comes to it, and the tool does not run', async () => {
		const done: unknown[] = [];
		expect((await runWorkflow(workflow(scriptedModel([{ text: 'nothing to order' }]), done))).items('Agent')[0]?.json.output).toBe('nothing to order');
		expect((await runWorkflow(workflow(scriptedModel([callOrder]), done))).error?.message).toBe(refusal);
		expect(done).toEqual([]);
	});

	it('one that waits needs no storage', async () => {
		const waiting = await runWorkflow(workflow(scriptedModel([callOrder]), [], { ask: 'wait' }));
		expect(waiting.error).toBeUndefined();
		expect(waiting.runData.Ask).toHaveLength(1);
	});
});

describe('approval by name', () => {
	it('can be asked for any tool, and switched off for destructive ones', async () => {
		const done: unknown[] = [];
		const free = scriptedModel([callOrder, { text: 'ordered' }]);
		await runWorkflow(workflow(free, done, { parameters: { options: { approval: 'never' } } }));
		expect(done).toHaveLength(1);
		const named = await runWorkflow(workflow(scriptedModel([callOrder]), done, { parameters: { options: { approval: 'never', approvalTools: 'order_part' } } }));
		expect(named.items('Agent')[0]?.json).toMatchObject({ run: { stoppedBy: 'approval' } });
		expect(done).toHaveLength(1);
	});
});
