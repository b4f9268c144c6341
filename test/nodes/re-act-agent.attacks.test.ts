import { AskUser } from '../../nodes/AskUser/AskUser.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start, type WorkflowCase } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { foreignToolNode, modelNode, tool, toolNode } from '../support/test-nodes';
import type { ModelRequest } from '../../lib/core/model';

/** Ways that were tried to get around an approval, or to make an effect happen twice. */

const order = (done: unknown[]) => tool('order', (input) => (done.push(input), { text: 'ordered' }), { inputSchema: { type: 'object', properties: { n: { type: 'integer' } } }, annotations: { destructive: true } });
const texts = (request: ModelRequest | undefined): string[] => (request?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : [])));

function workflow(model: ScriptedModel, nodeTypes: WorkflowCase['nodeTypes'], { parameters = {}, agent = {}, items = [{ query: 'go' }] }: { parameters?: object; agent?: object; items?: object[] } = {}): WorkflowCase {
	const others = Object.keys(nodeTypes).map((type) => node(type.slice(2), type, type === 'p.ask' ? { way: 'end' } : {}));
	return {
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), ...nodeTypes },
		nodes: [start(), node('Agent', 'p.agent', { ...parameters }, agent), node('Model', 'p.model'), ...others],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ...others.map(({ name }) => [name, 'ai_tool', 'Agent'] as const)),
		input: items.map((json) => ({ json: json as never })),
	};
}

describe('approval', () => {
	it('is not got around by an item that, on Resume, allows fewer tools', async () => {
		const done: unknown[] = [];
		const types = { 'p.ask': new AskUser(), 'p.tools': toolNode(() => [order(done)]) };
		const first = scriptedModel([{ calls: [{ name: 'ask_user', args: { question: 'Go on?' } }, { name: 'order', args: { n: 1 } }] }]);
		const asked = await runWorkflow(workflow(first, types));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const next = scriptedModel([{ text: 'done' }]);
		const parameters = { operation: 'resume', options: { allowedTools: '={{ $json.tools }}' } };
		await runWorkflow(workflow(next, types, { parameters, items: [{ token, answer: 'hello', tools: ['ask_user'] }] }));
		expect(done).toEqual([]);
		expect(texts(next.requests[0])).toContain('This tool is not allowed here. The call was not made.');
	});

	it('by name holds when two nodes share the name', async () => {
		const done: unknown[] = [];
		const mail = tool('send_mail', (input) => (done.push(input), { text: 'sent' }));
		const model = scriptedModel([(request) => ({ calls: [{ name: request.tools?.[0]?.name ?? '', args: {} }] })]);
		const types = { 'p.one': toolNode(() => [mail]), 'p.two': toolNode(() => [mail]) };
		const run = await runWorkflow(workflow(model, types, { parameters: { options: { approvalTools: 'send_mail' } } }));
		expect(done).toEqual([]);
		expect(run.items('Agent')[0]?.json).toMatchObject({ run: { stoppedBy: 'approval' } });
	});
});

describe('a list of tools in the item', () => {
	it('holds although nobody added the option that names it', async () => {
		const done: unknown[] = [];
		const model = scriptedModel([{ calls: [{ name: 'send_mail', args: {} }] }, { text: 'ok' }]);
		const tools = [tool('look', () => ({ text: 'seen' })), tool('send_mail', (input) => (done.push(input), { text: 'sent' }))];
		await runWorkflow(workflow(model, { 'p.tools': toolNode(() => tools) }, { items: [{ query: 'go', tools: ['look'] }] }));
		expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look']);
		expect(done).toEqual([]);
		const free = scriptedModel([{ text: 'ok' }]);
		await runWorkflow(workflow(free, { 'p.tools': toolNode(() => tools) }, { items: [{ query: 'go', tools: 'hammer and wrench' }] }));
		expect(free.requests[0]?.tools).toHaveLength(2);
	});
});

describe('a list of tools in the item of a run that asked', () => {
	it('holds when another execution goes on without it', async () => {
		const done: unknown[] = [];
		const mail = tool('send_mail', (input) => (done.push(input), { text: 'sent' }));
		const types = { 'p.ask': new AskUser(), 'p.tools': toolNode(() => [mail]) };
		const asked = await runWorkflow(workflow(scriptedModel([{ calls: [{ name: 'ask_user', args: { question: 'Go on?' } }] }]), types, { items: [{ query: 'go', tools: ['ask_user'] }] }));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const next = scriptedModel([{ calls: [{ name: 'send_mail', args: {} }] }, { text: 'done' }]);
		await runWorkflow(workflow(next, types, { parameters: { operation: 'resume' }, items: [{ token, answer: 'yes' }] }));
		expect(next.requests[0]?.tools?.map(({ name }) => name)).toEqual(['ask_user']);
		expect(done).toEqual([]);
	});
});

describe('a name in a list of the node', () => {
	it('that no tool has is warned of, since it would drop an approval without a word', async () => {
		const mail = tool('send_mail', () => ({ text: 'sent' }));
		const parameters = { options: { approvalTools: 'send_mial', allowedTools: 'send_mail, gone' } };
		const run = await runWorkflow(workflow(scriptedModel([{ text: 'ok' }]), { 'p.tools': toolNode(() => [mail]) }, { parameters }));
		expect(run.items('Agent')[0]?.json).toMatchObject({
			run: { warnings: [expect.stringContaining('not connected: send_mial'), expect.stringContaining('not connected: gone')] },
		});
	});
});

describe('a refusal', () => {
	it('answers the same call made twice in one turn for both', async () => {
		const done: unknown[] = [];
		const types = { 'p.tools': toolNode(() => [order(done)]) };
		const twice = scriptedModel([{ calls: [{ name: 'order', args: { n: 1 } }, { name: 'order', args: { n: 1 } }] }]);
		const asked = await runWorkflow(workflow(twice, types));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const next = scriptedModel([{ text: 'not ordered' }]);
		await runWorkflow(workflow(next, types, { parameters: { operation: 'resume' }, items: [{ token, approved: false }] }));
		expect(done).toEqual([]);
		expect(texts(next.requests[0])).toEqual([expect.stringContaining('refused'), expect.stringContaining('refused')]);
	});
});

describe('an effect', () => {
	it('of a tool that only supplies data is not repeated by Retry On Fail', async () => {
		let charged = 0;
		const charge = foreignToolNode('charge', () => ({ n: ++charged }));
		delete charge.execute;
		const model = scriptedModel([{ calls: [{ name: 'charge', args: {} }] }, { error: new Error('down') }, { text: 'charged' }]);
		const run = await runWorkflow(workflow(model, { 'p.charge': charge }, { agent: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } }));
		expect(run.items('Agent')[0]?.json.output).toBe('charged');
		expect(charged).toBe(1);
	});

	it('is not taken over from another round of a loop, whose calls have the same ids', async () => {
		const asked: unknown[] = [];
		const look = foreignToolNode('look', ({ part }) => (asked.push(part), { found: part }), { type: 'object', properties: { part: { type: 'string' } } });
		delete look.execute;
		for (const part of ['a', 'b']) {
			const model = scriptedModel([{ calls: [{ name: 'look', args: { part }, id: 'call_0' }] }, { text: 'done' }]);
			await runWorkflow(workflow(model, { 'p.look': look }));
			expect(texts(model.requests[1])).toEqual([`{"found":"${part}"}`]);
		}
		expect(asked).toEqual(['a', 'b']);
	});

	it('of a finished run is not repeated because the input item has an error field', async () => {
		const model = scriptedModel([{ text: 'fin' }]);
		const run = await runWorkflow(workflow(model, {}, { agent: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }, items: [{ query: 'q', error: 'the step before failed' }] }));
		expect(run.items('Agent')[0]?.json).toMatchObject({ output: 'fin', inputError: 'the step before failed' });
		expect(model.requests).toHaveLength(1);
	});
});

describe('a token', () => {
	it('stays good when the run fails before anything came of the answer', async () => {
		const done: unknown[] = [];
		const types = { 'p.tools': toolNode(() => [order(done)]) };
		const asked = await runWorkflow(workflow(scriptedModel([{ calls: [{ name: 'order', args: { n: 1 } }] }]), types));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const parameters = { operation: 'resume' };
		const failing = await runWorkflow(workflow(scriptedModel([{ error: new Error('503') }]), types, { parameters, items: [{ token, approved: false }] }));
		expect(failing.error?.message).toBe('503');
		const model = scriptedModel([{ text: 'left it' }]);
		const run = await runWorkflow(workflow(model, types, { parameters, items: [{ token, approved: false }] }));
		expect(run.items('Agent')[0]?.json.output).toBe('left it');
		expect(done).toEqual([]);
	});

	it('of a question is not used up by an empty answer', async () => {
		const types = { 'p.ask': new AskUser() };
		const asked = await runWorkflow(workflow(scriptedModel([{ calls: [{ name: 'ask_user', args: { question: 'Which?' } }] }]), types));
		const { token } = asked.items('Agent')[0]?.json.question as { token: string };
		const parameters = { operation: 'resume' };
		const empty = await runWorkflow(workflow(scriptedModel([]), types, { parameters, items: [{ token }] }));
		expect(empty.error?.message).toBe('The answer is empty');
		const run = await runWorkflow(workflow(scriptedModel([{ text: 'ok' }]), types, { parameters, items: [{ token, answer: 'P101' }] }));
		expect(run.items('Agent')[0]?.json).toMatchObject({ output: 'ok' });
		expect(run.items('Agent')[0]?.json.question).toBeUndefined();
	});
});

describe('a tool of another package', () => {
	it('that passes its item through is read as what it gave, not as a time-out', async () => {
		const model = scriptedModel([{ calls: [{ name: 'hash', args: {} }] }, { text: 'ok' }]);
		await runWorkflow(workflow(model, { 'p.hash': foreignToolNode('hash', (json) => ({ ...json, hash: 'abc' })) }));
		expect(texts(model.requests[1])[0]).toContain('"hash":"abc"');
	});
});

describe("n8n's legacy execution order", () => {
	it('is refused at once, since tools would silently not run in it', async () => {
		const ctx = { getNode: () => node('Agent', 'p.agent'), getWorkflowSettings: () => ({}), getInputData: () => [] };
		await expect(new ReActAgent().execute.call(ctx as never, { actionResponses: [], metadata: {} })).rejects.toMatchObject({
			message: expect.stringContaining('legacy execution order'),
			description: expect.stringContaining('set Execution Order to v1'),
		});
	});
});
