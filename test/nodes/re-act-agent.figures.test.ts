import type { IDataObject } from 'n8n-workflow';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const rows = Array.from({ length: 400 }, (_, i) => ({ machine: `M-${i}`, cost: 1_000.5 + i * 7 }));

async function answered(answer: string, options: IDataObject): Promise<IDataObject> {
	const model = scriptedModel([{ calls: [{ name: 'costs', args: {} }] }, { text: answer }]);
	const run = await runWorkflow({
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.tools': toolNode(() => [tool('costs', () => ({ text: JSON.stringify(rows) }))]) },
		nodes: [start(), node('Agent', 'p.agent', { options }), node('Model', 'p.model'), node('Tools', 'p.tools')],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent']),
		input: [{ json: { query: 'Combien coûte la machine M-399 en 2012 ?' } }],
	});
	return run.items('Agent')[0]?.json.run as IDataObject;
}

describe('ReAct Agent with Check Figures', () => {
	it('traces figures to the whole of a large result, whatever the report keeps of it', async () => {
		const run = await answered('M-399 a coûté 3 793,50 € en 2012.', { checkFigures: true });
		expect(run.figures).toEqual({ checked: 3, unsupported: [] });
		expect(run.warnings).toEqual([]);
	});

	it('lists what is in nothing that the model was given, and warns', async () => {
		const run = await answered('M-399 a coûté 3 973,50 € en 2013.', { checkFigures: true });
		expect((run.figures as { unsupported: Array<{ text: string }> }).unsupported.map(({ text }) => text)).toEqual(['3 973,50 €', '2013']);
		expect(run.warnings).toEqual(['Figures of the answer that are in no result, passage or question: 3 973,50 € · 2013']);
	});

	it('says nothing of figures when it is off', async () => {
		expect(await answered('12', {})).not.toHaveProperty('figures');
	});
});
