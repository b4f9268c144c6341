import type { IDataObject, INode } from 'n8n-workflow';

import { CondenseQuestion } from '../../nodes/CondenseQuestion/CondenseQuestion.node';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';

const history = [{ role: 'user', content: 'Which filter has pump N-92c?' }, { role: 'assistant', content: 'Filter HF-12.' }];

async function run(model: ScriptedModel, items: readonly IDataObject[], parameters: IDataObject = {}, more: Partial<INode> = {}): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.condense': new CondenseQuestion(), 'p.model': modelNode(model) },
		nodes: [start(), node('Condense', 'p.condense', parameters, more), node('Model', 'p.model')],
		connections: connect(['Start', 'main', 'Condense'], ['Model', 'ai_languageModel', 'Condense']),
		input: items.map((json) => ({ json })),
	});
}

it('adds query and originalQuery, keeps the rest, and shows what the model was sent', async () => {
	const model = scriptedModel([{ text: 'When was filter HF-12 of pump N-92c changed?' }]);
	const result = await run(model, [{ chatInput: 'When was it changed?', history, site: 'LYO' }]);
	expect(result.items('Condense')).toMatchObject([
		{
			json: {
				query: 'When was filter HF-12 of pump N-92c changed?', originalQuery: 'When was it changed?', chatInput: 'When was it changed?', site: 'LYO', history,
				condensing: { how: 'condensed', usage: { in: 100, out: 10 }, prompt: [{ role: 'system' }, { role: 'user' }] },
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(result.runData.Model).toHaveLength(1);
});

it('H11 runs no model for first questions, orders and skipped ones', async () => {
	const model = scriptedModel([]);
	const items = [{ query: 'When was it changed?' }, { query: 'Create a work order', history }];
	const result = await run(model, items);
	expect(result.items('Condense').map(({ json }) => (json.condensing as IDataObject).reason)).toEqual(['first-question', 'order']);
	expect((await run(model, [{ query: 'Why?', history }], { skip: true })).items('Condense')[0]?.json).toMatchObject({ query: 'Why?', condensing: { reason: 'skipped' } });
});

it('N14 fails single items only', async () => {
	const result = await run(scriptedModel([]), [{ query: ' ' }, { query: 'a', history: { no: 'list' } }, { query: 'Hello', history }], {}, { onError: 'continueRegularOutput' });
	expect(result.items('Condense').map(({ json }) => json.error ?? json.query)).toEqual(['There is no question to condense', expect.stringContaining('History must be a list'), 'Hello']);
});
