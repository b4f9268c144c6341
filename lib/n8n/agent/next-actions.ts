import { needsDecision } from '../../react/approval';
import type { SharedBudget } from '../../core/tool';
import { openCalls, type OpenCall } from '../../react/agent-state';
import { budgetLeft } from '../../react/budget-left';
import { toAction, type Action } from '../engine-calls';
import { approvalQuestion, waitingNode } from './ask-person';
import type { ItemSetup } from './item-setup';
import type { AdvancedItem } from './progress';

/**
 * The actions to send now: all open calls of all items that do not wait for a person; when only such are left, the first of
 * them alone, since n8n answers just one wait of a request.
 */
export function nextActions(advanced: readonly AdvancedItem[], agentName: string): Action[] {
	const open = advanced.flatMap(({ progress, setup }, itemIndex) => {
		if (progress.status !== 'running' || !setup) return [];
		const turn = progress.state.turns.length;
		const calls = openCalls(progress.state);
		const agents = calls.filter(({ name }) => setup.toolNodes.get(name)?.tool.isAgent).length;
		const budget = budgetLeft(setup.setup, progress.state, [...setup.path, agentName], Math.max(1, agents));
		return calls.flatMap((call, position) => {
			const key = `${itemIndex}.${turn}.${position}.${call.callId}`;
			return actionFor(setup, { call, itemIndex, key, budget }) ?? [];
		});
	});
	const free = open.filter(({ waits }) => !waits);
	return (free.length > 0 ? free : open.slice(0, 1)).map(({ action }) => action);
}

function actionFor(
	setup: ItemSetup,
	{ call, itemIndex, key, budget }: { call: OpenCall; itemIndex: number; key: string; budget: SharedBudget },
): { action: Action; waits: boolean } | undefined {
	if (needsDecision(setup.setup, call)) return askFor(setup, { call, itemIndex, key });
	const connected = setup.toolNodes.get(call.name);
	if (!connected || connected.tool.endsRun) return undefined;
	return { action: toAction(connected, { ...call, itemIndex, budget }, key), waits: connected.tool.waits === true };
}

/** The approval of a call goes out as a question to the Ask User node; its result is a decision. */
function askFor(
	setup: ItemSetup,
	{ call, itemIndex, key }: { call: OpenCall; itemIndex: number; key: string },
): { action: Action; waits: true } | undefined {
	const node = waitingNode(setup);
	if (!node) return undefined;
	const { language } = setup.setup;
	const input = { question: approvalQuestion(call, language), approval: { tool: call.name, arguments: call.input, language } };
	const asked = { callId: call.callId, input, itemIndex, asksAbout: call.callId };
	return { action: toAction(node, asked, `${key}.approval`), waits: true };
}
