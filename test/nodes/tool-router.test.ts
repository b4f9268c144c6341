import type { IDataObject } from 'n8n-workflow';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { ToolRouter } from '../../nodes/ToolRouter/ToolRouter.node';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tools = ['pump', 'valve', 'motor', 'filter', 'crane'].map((name) =>
	tool(`check_${name}`, ({ text }) => ({ text: `${name}:${String(text)}` }), { intent: `Checks a ${name}.`, inputSchema: schema }),
);

async function route(model: ScriptedModel, router: IDataObject, query = 'check the pump'): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.router': new ToolRouter(), 'p.tools': toolNode(() => tools) },
		nodes: [start(), node('Agent', 'p.agent'), node('Model', 'p.model'), node('Router', 'p.router', router), node('Tools', 'p.tools')],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Router', 'ai_tool', 'Agent'], ['Tools', 'ai_tool', 'Router']),
		input: [{ json: { query } }],
	});
}
const offered = (model: ScriptedModel, turn = 0) => model.requests[turn]?.tools?.map(({ name }) => name);
const routed = (run: WorkflowRun) => JSON.stringify(run.runData.Router?.map(({ data }) => data));

describe('Tool Router', () => {
	it('shows the few tools that fit, and in its run what it spared', async () => {
		const model = scriptedModel([{ text: 'ok' }]);
		const run = await route(model, { topK: 1, options: { passthroughUpTo: 2, alwaysOn: 'check_crane' } });
		expect(run.error).toBeUndefined();
		expect(offered(model)).toEqual(['check_crane', 'check_pump']);
		expect(routed(run)).toMatch(/2 of 5 tools, about \d+ tokens saved/);
	});

	it('runs a tool that was not shown when the agent asks for it, as a visible run of its node', async () => {
		const model = scriptedModel([{ calls: [{ name: 'check_motor', args: { text: 'M1' } }] }, { text: 'ok' }]);
		const run = await route(model, { topK: 1, options: { passthroughUpTo: 2 } });
		expect(run.error).toBeUndefined();
		expect(offered(model)).toEqual(['check_pump']);
		expect(JSON.stringify(model.requests[1]?.messages)).toContain('motor:M1');
		expect(run.runData.Tools).toHaveLength(1);
		expect(offered(model, 1)).toEqual(['check_pump', 'check_motor']);
	});

	it('tells the agent when no tool fits, and still admits one by name', async () => {
		const model = scriptedModel([{ calls: [{ name: 'check_valve', args: { text: 'V' } }] }, { text: 'ok' }]);
		const run = await route(model, { topK: 2, options: { passthroughUpTo: 2 } }, 'bonjour !');
		expect(run.error).toBeUndefined();
		expect(offered(model)).toBeUndefined();
		expect(JSON.stringify(model.requests[0]?.messages)).toContain('None of the 5 other connected tools fits the question');
		expect(JSON.stringify(model.requests[1]?.messages)).toContain('valve:V');
		expect(routed(run)).toContain('"noneRelevant":true');
	});

	it('takes intents from its table or as JSON, tags, and refuses what is no IntentMap with words', async () => {
		const rows = [{ tool: 'check_crane', intent: 'Levage', tags: 'chantier', examples: 'Peut-on lever demain ?' }];
		const table = scriptedModel([{ text: 'ok' }]);
		await route(table, { topK: 1, intentsFrom: 'table', intents: { rows }, options: { passthroughUpTo: 2 } }, 'Peut-on lever ?');
		expect(offered(table)).toEqual(['check_crane']);
		expect(table.requests[0]?.tools?.[0]?.description).toBe('Levage Does check_crane in full.');
		const json = scriptedModel([{ text: 'ok' }]);
		await route(json, { topK: 1, intentsFrom: 'json', intentsJson: JSON.stringify(rows), options: { passthroughUpTo: 2, tags: 'bureau' } }, 'check the crane or the pump');
		expect(offered(json)).not.toContain('check_crane');
		const wrong = await route(scriptedModel([]), { topK: 1, intentsFrom: 'json', intentsJson: 'nothing' });
		expect(JSON.stringify(wrong.error)).toContain('not a table of tools: nothing');
	});
});
