import { CodedError } from '../../core/errors';
import type { Tool } from '../../core/tool';
import type { AgentSetup } from '../../react/agent-setup';
import { schemaReader } from '../../react/structured-output';
import { binaryResultStore } from '../binary-result-store';
import { connectedModels, type ConnectedContext } from '../connected';
import { connectedOutputReader } from '../connected-output-reader';
import { toolsByName, type ConnectedTool } from '../connected-tools';
import { portsOf } from '../ports';
import type { AgentParameters } from './parameters';

/** A run's setup for one item, and the nodes behind its tools by the names that the model sees. */
export interface ItemSetup {
	/** Names of the agents that called this one, the first caller first. */
	readonly path: readonly string[];
	readonly setup: AgentSetup;
	readonly toolNodes: ReadonlyMap<string, ConnectedTool>;
}

/** Collects model, fallback and tools of one item. Called again at each turn: n8n supplies sub-nodes anew each time. */
export async function setUpItem(
	ctx: ConnectedContext,
	{ itemIndex, parameters, spentMs }: { itemIndex: number; parameters: AgentParameters; spentMs: number },
): Promise<ItemSetup> {
	const [model, fallbackModel] = await connectedModels(ctx, itemIndex);
	if (!model) throw noModel();
	const toolNodes = await toolsByName(ctx, itemIndex);
	const gated = [...toolNodes.values()].find(({ gatedNodeName }) => gatedNodeName !== undefined);
	if (gated) throw humanReview(gated);
	const allowed = allowedTools(toolNodes, parameters.allowedTools);
	const hidden = hiddenTools(toolNodes, allowed);
	const output = parameters.outputSchema ? schemaReader(parameters.outputSchema) : await connectedOutputReader(ctx, itemIndex);
	return {
		path: parameters.path,
		toolNodes,
		setup: {
			model,
			...(fallbackModel && { fallbackModel }),
			tools: allowed.filter(({ name }) => !toolNodes.get(name)?.hidden),
			...(hidden && { hidden }),
			protocol: parameters.protocol,
			language: parameters.language,
			limits: parameters.limits,
			atLimit: parameters.atLimit,
			needsApproval: (tool) => needsApproval(parameters, tool, toolNodes.get(tool.name)?.tool.name ?? tool.name),
			temperature: parameters.temperature,
			prices: parameters.prices,
			...(output && { output }),
			results: binaryResultStore(ctx),
			ports: portsOf(ctx),
			signal: signalFor(ctx, parameters.limits.maxSeconds * 1000 - spentMs + graceMs(parameters)),
		},
	};
}

/** Warnings for names in the node's lists that no connected tool has: a slip there would drop an approval without a word. */
export function unknownNames({ toolNodes }: ItemSetup, { approval, allowedTools = [] }: AgentParameters): string[] {
	const known = new Set([...toolNodes].flatMap(([name, { tool }]) => [name, tool.name, ...(tool.uses ?? [])]));
	const lists = { 'Approval for Tools': approval.tools, 'Allowed Tools': allowedTools };
	return Object.entries(lists).flatMap(([list, names]) => {
		const unknown = names.filter((name) => !known.has(name));
		return unknown.length === 0 ? [] : [`${list} names tools that are not connected: ${unknown.join(', ')}`];
	});
}

/** By what the tool says of itself, or by name: the model's, its own where two nodes share it, or that of a tool which it runs. */
function needsApproval({ approval }: AgentParameters, { name, annotations, uses = [] }: Tool, ownName: string): boolean {
	if (approval.destructive && annotations?.destructive === true) return true;
	return [name, ownName, ...uses].some((one) => approval.tools.includes(one));
}

/** At the end of its time a run that is to answer needs one more call. */
function graceMs({ atLimit }: AgentParameters): number {
	return atLimit === 'answer' ? 60_000 : 0;
}

/** Ends a model call when the execution is cancelled or the run's time is up. */
function signalFor(ctx: ConnectedContext, leftMs: number): AbortSignal {
	const cancel = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	if (!Number.isFinite(leftMs)) return cancel;
	return AbortSignal.any([cancel, AbortSignal.timeout(Math.max(0, Math.ceil(leftMs)))]);
}

function noModel(): CodedError {
	return new CodedError('BAD_INPUT', 'No chat model is connected', {
		remedy: 'Connect a Chat Model node, or one of n8n\'s chat models, to the Model input.',
	});
}

function humanReview({ nodeName, gatedNodeName }: ConnectedTool): CodedError {
	return new CodedError('BAD_INPUT', `"${nodeName}" puts a human review before "${gatedNodeName}": this agent cannot run it`, {
		remedy: `Connect "${gatedNodeName}" directly, and an Ask User node for what a person must decide.`,
	});
}

function allowedTools(tools: ReadonlyMap<string, ConnectedTool>, names: readonly string[] | undefined): Tool[] {
	const shown = [...tools].map(([name, { tool }]) => ({ ...tool, name }));
	if (!names) return shown;
	const allowed = new Set(names);
	return shown.filter(({ name }) => allowed.has(name) || allowed.has(tools.get(name)?.tool.name ?? ''));
}

/** The setup with no other tools than a run's own item allowed, whatever the item says with which it goes on. */
export function narrowed(itemSetup: ItemSetup, allowed: readonly string[] | undefined): ItemSetup {
	if (!allowed) return itemSetup;
	const { setup, toolNodes } = itemSetup;
	const fits = ({ name }: Tool): boolean => allowed.includes(name) || allowed.includes(toolNodes.get(name)?.tool.name ?? '');
	const hidden = setup.hidden && { ...setup.hidden, tools: setup.hidden.tools.filter(fits) };
	return { ...itemSetup, setup: { ...setup, tools: setup.tools.filter(fits), ...(hidden && { hidden }) } };
}

/** What routers held back, by the names that the model may use; undefined without a router. */
function hiddenTools(tools: ReadonlyMap<string, ConnectedTool>, allowed: readonly Tool[]): AgentSetup['hidden'] {
	const entries = [...tools].filter(([, { hidden }]) => hidden);
	if (entries.length === 0) return undefined;
	const routers = [...new Set(entries.flatMap(([, { hidden }]) => hidden ?? []))];
	return {
		tools: allowed.filter(({ name }) => tools.get(name)?.hidden),
		note: routers.flatMap(({ note }) => note ?? []).join('\n'),
		find: async (need) => {
			const found = new Set((await Promise.all(routers.map(async (router) => await router.find(need)))).flat());
			return entries.flatMap(([name, { tool }]) => (found.has(tool.name) ? [name] : []));
		},
	};
}
