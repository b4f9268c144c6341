import { createHash } from 'node:crypto';

import type { Message } from '../core/message';
import { cleanHistory, lastTurns } from '../shape/turn-borders';
import { estimateTokens } from '../text/estimate-tokens';
import type { AgentInput, AgentSetup } from './agent-setup';
import type { AgentState } from './agent-state';
import { promptsIn } from './prompts';
import { protocolOf } from './protocol';

/** The first messages of a run, kept in the result store. */
export interface RunBase {
	readonly instructions: string;
	readonly today: string;
	readonly question: string;
	readonly history: readonly Message[];
	/** What the planner needs, in a run that plans first. */
	readonly task?: { readonly query: string; readonly context: string };
}

/** A run that has not called the model yet. Its clock starts now. */
export async function startRun(setup: AgentSetup, input: AgentInput): Promise<AgentState> {
	const mark = setup.ports.ids().slice(0, 8);
	const base: RunBase = {
		instructions: [input.instructions, setup.output?.instructions ?? ''].filter(Boolean).join('\n\n'),
		today: input.today,
		question: questionOf(setup, input, mark),
		history: lastTurns(cleanHistory(input.history), setup.limits.maxHistoryTokens, costOfMessage),
		...(input.plansFirst && { task: { query: input.query, context: input.context } }),
	};
	return {
		version: 1,
		protocol: protocolOf(setup),
		base: await setup.results.put({ text: JSON.stringify(base) }),
		promptHash: promptHash(setup, input.instructions),
		mark,
		turns: [],
		startedAt: setup.ports.clock.now(),
		spentMs: 0,
		firstTokenMs: null,
		models: [],
		warnings: [],
		...(input.plansFirst && { plan: { todo: 'plan', replanned: false, steps: [], notes: [], current: null } }),
		ending: null,
	};
}

const bases = new WeakMap<AgentSetup, { readonly handle: string; readonly base: RunBase }>();

/** Reads back what `startRun` kept; from the store once for each setup. */
export async function readBase(setup: AgentSetup, state: AgentState): Promise<RunBase> {
	const known = bases.get(setup);
	if (known?.handle === state.base) return known.base;
	const base = JSON.parse((await setup.results.get(state.base)).text) as RunBase;
	bases.set(setup, { handle: state.base, base });
	return base;
}

function questionOf(setup: AgentSetup, { query, context }: AgentInput, mark: string): string {
	if (context.trim() === '') return query;
	const fence = `=== documents ${mark} ===`;
	return `${promptsIn(setup.language).context(fence, context)}\n\n${query}`;
}

function costOfMessage({ parts }: Message): number {
	return parts.reduce((sum, part) => sum + estimateTokens(JSON.stringify(part)), 0);
}

function promptHash({ tools }: AgentSetup, instructions: string): string {
	const shown = tools.map(({ name, intent, inputSchema }) => ({ name, intent, inputSchema }));
	return createHash('sha256').update(JSON.stringify([instructions, shown])).digest('hex').slice(0, 16);
}
