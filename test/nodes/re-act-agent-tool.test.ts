import type { ModelRequest } from '../../lib/core/model';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { ReActAgentTool } from '../../nodes/ReActAgentTool/ReActAgentTool.node';
import { connect, node, runWorkflow, start, type WorkflowCase } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const prices = tool('price_of', ({ part }) => ({ text: `12 for ${String(part)}` }), {
	inputSchema: { type: 'object', properties: { part: { type: 'string' } } },
});
const orders = tool('create_order', () => ({ text: 'order 7' }), { annotations: { destructive: true } });

function orchestration(models: { boss: ScriptedModel; buyer: ScriptedModel; clerk: ScriptedModel }, options: object = {}): WorkflowCase {
	return {
		nodeTypes: {
			'p.agent': new ReActAgent(),
			'p.agentTool': new ReActAgentTool(),
			'p.boss': modelNode(models.boss),
			'p.buyer': modelNode(models.buyer),
			'p.clerk': modelNode(models.clerk),
			'p.tools': toolNode((which) => [which === 'prices' ? prices : orders]),
		},
		nodes: [
			start(),
			node('Boss', 'p.agent', { options }),
			node('Buyer', 'p.agentTool', { intent: 'Knows prices.', instructions: 'You buy.' }),
			node('Clerk', 'p.agentTool', { intent: 'Writes orders.' }),
			node('BossModel', 'p.boss'),
			node('BuyerModel', 'p.buyer'),
			node('ClerkModel', 'p.clerk'),
			node('Prices', 'p.tools', { which: 'prices' }),
			node('Orders', 'p.tools', { which: 'orders' }),
		],
		connections: connect(
			['Start', 'main', 'Boss'],
			['BossModel', 'ai_languageModel', 'Boss'],
			['BuyerModel', 'ai_languageModel', 'Buyer'],
			['ClerkModel', 'ai_languageModel', 'Clerk'],
			['Buyer', 'ai_tool', 'Boss'],
			['Clerk', 'ai_tool', 'Boss'],
			['Prices', 'ai_tool', 'Buyer'],
			['Orders', 'ai_tool', 'Clerk'],
		),
		input: [{ json: { query: 'buy N-92c', task: 'forged', context: 'private', agentBudget: { maxTokens: 1, path: ['Buyer'] } } }],
	};
}

const results = (request: ModelRequest | undefined): string[] =>
	(request?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : [])));

describe('an orchestrator over two specialists', () => {
	it('L10 gives each its task through the engine, all calls visible, and answers with what they found', async () => {
		const boss = scriptedModel([
			{ calls: [{ name: 'Buyer', args: { task: 'Price of N-92c?' } }, { name: 'Clerk', args: { task: 'Order it', context: 'for Anna' } }] },
			(request) => ({ text: results(request).join(' / ') }),
		]);
		const buyer = scriptedModel([{ calls: [{ name: 'price_of', args: { part: 'N-92c' } }] }, { text: 'It costs 12.' }]);
		const clerk = scriptedModel([{ calls: [{ name: 'create_order', args: {} }] }, (request) => ({ text: `Said: ${results(request).join()}` })]);
		const run = await runWorkflow(orchestration({ boss, buyer, clerk }));
		expect(run.error).toBeUndefined();
		expect(run.items('Boss')[0]?.json.output).toBe(
			'It costs 12. / Said: This call needs the approval of a person, who cannot be asked here. It was not made.',
		);
		expect(buyer.requests[0]?.messages.at(-1)?.parts[0]).toMatchObject({ text: 'Price of N-92c?' });
		expect(buyer.requests[0]?.messages[0]?.parts[0]).toMatchObject({ text: expect.stringContaining('You buy.') });
		expect(clerk.requests[0]?.messages.at(-1)?.parts[0]).toMatchObject({ text: expect.stringMatching(/for Anna[\s\S]*Order it$/) });
		expect(run.runData.Prices).toHaveLength(1);
		expect(run.runData.Orders).toBeUndefined();
		expect(run.items('Boss')[0]?.json).toMatchObject({ run: { usage: { in: 600, out: 60 } } });
	});

	it('shares one budget: a specialist never has more than what is left, and its tokens count', async () => {
		const boss = scriptedModel([{ calls: [{ name: 'Buyer', args: { task: 'a' } }] }, { text: 'too late' }]);
		const looping = Array.from({ length: 9 }, (_, n) => ({ calls: [{ name: 'price_of', args: { part: `p${n}` } }] }));
		const buyer = scriptedModel([...looping, { text: 'never' }]);
		const given = orchestration({ boss, buyer, clerk: scriptedModel([]) }, { maxTokens: 400 });
		const run = await runWorkflow(given);
		expect(buyer.requests.length).toBe(4);
		expect(boss.requests).toHaveLength(1);
		expect(run.error?.message).toContain('400 tokens is reached (550 used)');
	});

	it('gives specialists that are called together equal shares of what is left', async () => {
		const boss = scriptedModel([{ calls: [{ name: 'Buyer', args: { task: 'a' } }, { name: 'Clerk', args: { task: 'b' } }] }, { text: 'done' }]);
		const looping = (name: string): ScriptedModel =>
			scriptedModel([...Array.from({ length: 20 }, (_, n) => ({ calls: [{ name, args: { part: `p${n}` } }] }))]);
		const [buyer, clerk] = [looping('price_of'), looping('create_order')];
		await runWorkflow(orchestration({ boss, buyer, clerk }, { maxTokens: 1000 }));
		// 890 tokens are left, 445 for each, 110 a turn: five turns and one without tools.
		expect(buyer.requests).toHaveLength(6);
	});

	it('L09 ends a chain in which an agent would call one that waits for it, with the chain in the message', async () => {
		const buyer = new ReActAgentTool();
		const ctx = {
			getInputData: () => [{ json: { tool: 'Buyer', toolInput: { task: 'x' }, toolCallId: 'reactengine:1', agentBudget: { path: ['Boss', 'Buyer', 'Clerk'] } } }],
			getNode: () => node('Buyer', 'p.agentTool'),
			getNodeParameter: (_name: string, _item: number, fallback: unknown) => (_name === 'intent' ? 'Buys.' : fallback),
			continueOnFail: () => false,
			getWorkflowSettings: () => ({ executionOrder: 'v1' }),
		};
		await expect(buyer.execute.call(ctx as never, { actionResponses: [], metadata: {} })).rejects.toThrow(
			'Buyer is already at work on this: Boss → Buyer → Clerk → Buyer',
		);
	});
});
