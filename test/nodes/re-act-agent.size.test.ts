import type { EngineResponse, IExecuteFunctions } from 'n8n-workflow';

import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel, type ScriptedTurn } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const STEPS = 30;
const LIMIT = 64 * 1024;

/** The agent, with the size of what it asks n8n to keep at each step. */
function measured(sizes: number[]): ReActAgent {
	const agent = new ReActAgent();
	const execute = agent.execute;
	agent.execute = async function (this: IExecuteFunctions, response?: EngineResponse) {
		const output = await execute.call(this, response);
		if ('actions' in output) sizes.push(Buffer.byteLength(JSON.stringify(output.metadata)));
		return output;
	};
	return agent;
}

/** Runs thirty steps whose results have `characters` each; gives the sizes of the state and the last request. */
async function sizesWith(characters: number) {
	const calls: ScriptedTurn[] = Array.from({ length: STEPS }, (_, at) => ({ text: `Machine ${at + 1} is next, as the list says.`, calls: [{ name: 'read_machine', args: { id: at + 1, fields: ['cost', 'hours'] } }] }));
	const model = scriptedModel([...calls, { text: 'done' }]);
	const read = tool('read_machine', ({ id }) => ({ text: `${String(id)} ${'é'.repeat(10)}`.padEnd(characters, 'x') }), { inputSchema: { type: 'object' } });
	const sizes: number[] = [];
	const run = await runWorkflow({
		nodeTypes: { 'p.agent': measured(sizes), 'p.model': modelNode(model), 'p.tools': toolNode(() => [read]) },
		nodes: [start(), node('Agent', 'p.agent', { options: { maxSteps: STEPS + 1 } }), node('Model', 'p.model'), node('Tools', 'p.tools')],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent']),
		input: [{ json: { query: 'Read all machines.' } }],
	});
	expect(run.items('Agent')[0]?.json.output).toBe('done');
	return { sizes, last: model.requests.at(-1) };
}

describe('the state that n8n keeps between two steps', () => {
	it.each([
		['as large as the state itself holds', 1_000],
		['too large for it', 50_000],
	])('is under 64 KB after thirty steps with results %s', async (_name, characters) => {
		const { sizes, last } = await sizesWith(characters);
		expect(sizes).toHaveLength(STEPS);
		expect(sizes.at(-1)).toBeLessThan(LIMIT);
		expect(Math.max(...sizes)).toBe(sizes.at(-1));
		const newest = last?.messages.at(-1)?.parts[0];
		expect(newest?.type === 'tool-result' && newest.text.length).toBeGreaterThanOrEqual(Math.min(characters, 20_000));
	});
});
