import type { Bilingual } from '../core/errors';
import { parseTolerant } from '../text/tolerant-json';
import { hasCircle, type PlanStep } from './plan';
import { splitReasoning } from './split-reasoning';

/** Steps that could be read, and what is wrong with them, as words for the model. */
export interface PlanRead {
	readonly steps: readonly PlanStep[];
	readonly problem?: Bilingual;
}

export interface PlanLimits {
	/** From 1. */
	readonly maxSteps: number;
	/** Names of the tools there are. */
	readonly tools: ReadonlySet<string>;
	/** Ids that are taken already. */
	readonly taken: ReadonlySet<string>;
}

/**
 * Reads a plan in whatever form a model wrote it: the JSON asked for, a bare list of steps, or a numbered or dashed list in prose.
 * Needs that name no step, and tools that do not exist, are left out.
 */
export function readPlan(reply: string, limits: PlanLimits): PlanRead {
	const { text } = splitReasoning(reply);
	const rows = rowsOf(parseTolerant(text)) ?? linesOf(text);
	const steps = withIds(rows.map((row) => toRow(row)).filter(({ task }) => task !== ''), limits);
	const problem = problemOf(steps, limits.maxSteps);
	return { steps, ...(problem && { problem }) };
}

function problemOf(steps: readonly PlanStep[], most: number): Bilingual | undefined {
	const { length } = steps;
	if (length === 0) return { en: 'There were no steps in the reply.', fr: "Il n'y avait pas d'étapes dans la réponse." };
	if (length > most) {
		return {
			en: `There were ${length} steps; at most ${most} are allowed. Join steps that belong together.`,
			fr: `Il y avait ${length} étapes ; ${most} au plus sont permises. Réunis celles qui vont ensemble.`,
		};
	}
	if (!hasCircle(steps)) return undefined;
	return {
		en: 'Steps wait for each other in a circle: depends_on must only name earlier steps.',
		fr: "Des étapes s'attendent en cercle : depends_on ne doit nommer que des étapes précédentes.",
	};
}

/** Fewer steps without losing any: what is too much is joined into the last one. Needs of a circle are left out. */
export function tamePlan(steps: readonly PlanStep[], maxSteps: number): PlanStep[] {
	const free = hasCircle(steps) ? steps.map((step, at) => ({ ...step, dependsOn: at > 0 ? [steps[at - 1]?.id ?? ''] : [] })) : [...steps];
	if (free.length <= maxSteps) return free;
	const kept = free.slice(0, maxSteps - 1);
	const [first, ...others] = free.slice(maxSteps - 1) as [PlanStep, ...PlanStep[]];
	const task = [first, ...others].map((step, at) => `${at + 1}. ${step.task}`).join('\n');
	return [...kept, { ...first, title: `${first.title} …`, task, dependsOn: kept.map(({ id }) => id), tools: [] }];
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (typeof value !== 'object' || value === null) return undefined;
	const { steps, plan, tasks } = value as Row;
	const list = [steps, plan, tasks, (plan as Row | undefined)?.steps].find(Array.isArray);
	return list as unknown[] | undefined;
}

/** Items of a list in prose: `1. …`, `- …`, `Step 2: …`, `Étape 3 : …`. */
function linesOf(text: string): string[] {
	const marked = text.matchAll(/^[^\S\n]*(?:#+[^\S\n]*)?(?:[-*•][^\S\n]+|\**(?:(?:step|étape|etape)[^\S\n]*)?\d{1,3}[^\S\n]*[.):][^\S\n]*)(.+)$/gimu);
	return [...marked].map(([, line = '']) => line.replace(/\*\*/g, '').trim());
}

interface ReadRow {
	readonly name: string;
	readonly title: string;
	readonly task: string;
	readonly needs: readonly string[];
	readonly tools: readonly string[];
	readonly success: string;
}

function toRow(row: unknown): ReadRow {
	if (typeof row === 'string') return { name: '', title: titleOf(row), task: row.trim(), needs: [], tools: [], success: '' };
	const given = (typeof row === 'object' && row !== null ? row : {}) as Row;
	const text = (...keys: string[]): string => keys.map((key) => given[key]).map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')).find(Boolean) ?? '';
	const list = (...keys: string[]): string[] => keys.map((key) => given[key]).flatMap((value) => (Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value])).map(String);
	const task = text('task', 'description', 'instruction', 'step', 'action', 'title');
	return {
		name: text('id', 'step_id', 'number', 'step_number'),
		title: titleOf(text('title', 'name') || task),
		task,
		needs: list('depends_on', 'dependsOn', 'dependencies', 'needs'),
		tools: list('tools', 'tool', 'tool_hints'),
		success: text('success', 'success_test', 'done_when', 'expected'),
	};
}

const LONGEST_TITLE = 80;

function titleOf(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line;
}

function withIds(rows: readonly ReadRow[], { tools, taken }: PlanLimits): PlanStep[] {
	let number = 0;
	const nextId = (): string => {
		do number += 1;
		while (taken.has(`s${number}`));
		return `s${number}`;
	};
	const ids = rows.map(nextId);
	const byName = new Map<string, string>(rows.flatMap(({ name }, at) => [[String(at + 1), ids[at] ?? ''], ...(name === '' ? [] : [[name, ids[at] ?? ''] as [string, string]])] as Array<[string, string]>));
	return rows.map(({ title, task, needs, tools: wanted, success }, at) => {
		const known = needs.map((need) => byName.get(need) ?? (taken.has(need) ? need : byName.get(need.replace(/\D/g, '')) ?? '')).filter((id) => id !== '' && id !== ids[at]);
		return { id: ids[at] ?? '', title, task, dependsOn: [...new Set(known)], tools: wanted.filter((name) => tools.has(name)), success };
	});
}
