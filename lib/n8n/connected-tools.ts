import { NodeConnectionTypes } from 'n8n-workflow';

import { portValueOf, type HiddenTools } from '../core/ports';
import type { Tool, ToolOutput } from '../core/tool';
import { toolAliases } from '../shape/tool-names';
import { firstSentence } from '../text/first-sentence';
import { asRecord } from './as-record';
import { asList, type ConnectedContext } from './connected';
import { jsonSchemaOf } from './json-schema-of';

/** A tool with the node that runs it. */
export interface ConnectedTool {
	readonly tool: Tool;
	/** The node directly connected to the one that asked. */
	readonly nodeName: string;
	/** How the arguments travel: under `toolInput` to our nodes, spread to all others. */
	readonly style: 'ours' | 'toolkit' | 'single';
	/** Set when n8n's human review stands before the tool: the node that really runs it. */
	readonly gatedNodeName?: string;
	/** Set for a tool that a router held back: what it says of them. */
	readonly hidden?: HiddenTools;
}

interface N8nTool {
	readonly name: string;
	readonly description: string;
	readonly schema?: unknown;
	readonly metadata?: { sourceNodeName?: string; gatedToolNodeName?: string };
	invoke(args: unknown): Promise<unknown>;
}

/**
 * All connected tools, toolkits flattened, in the order of their connections (n8n gives it reversed). [] when none is
 * connected. Names are the tools' own and may occur twice. Tools that a router held back come too, marked.
 */
export async function connectedTools(ctx: ConnectedContext, itemIndex: number): Promise<ConnectedTool[]> {
	const supplied = asList(await ctx.getInputConnectionData(NodeConnectionTypes.AiTool, itemIndex));
	return supplied.reverse().flatMap(toConnectedTools);
}

/**
 * All connected tools by the names a model may use: their own, or an alias where two nodes share a name. Aliases come from
 * name and node only, so they do not change with the order of the connections.
 */
export async function toolsByName(ctx: ConnectedContext, itemIndex: number): Promise<Map<string, ConnectedTool>> {
	const connected = await connectedTools(ctx, itemIndex);
	const names = toolAliases(connected.map(({ tool, nodeName }) => ({ name: tool.name, source: nodeName })));
	return new Map(connected.map((entry, at) => [names[at] ?? entry.tool.name, entry]));
}

function toConnectedTools(supplied: unknown): ConnectedTool[] {
	const members = membersOf(supplied);
	const marked = portValueOf(supplied);
	if (marked?.kind === 'tools') {
		const nodeName = members?.[0]?.metadata?.sourceNodeName ?? '';
		const { hidden } = marked;
		const held = (hidden?.tools ?? []).map((tool): ConnectedTool => {
			return { tool, nodeName: nodeName || (hidden?.nodeName ?? ''), style: 'ours', hidden };
		});
		return [...marked.value.map((tool): ConnectedTool => ({ tool, nodeName, style: 'ours' })), ...held];
	}
	if (members) return members.map((member) => fromN8nTool(member, 'toolkit'));
	return isN8nTool(supplied) ? [fromN8nTool(supplied, 'single')] : [];
}

function membersOf(supplied: unknown): N8nTool[] | undefined {
	const { tools, getTools } = asRecord(supplied);
	if (!Array.isArray(tools) || typeof getTools !== 'function') return undefined;
	return tools.filter(isN8nTool);
}

function isN8nTool(supplied: unknown): supplied is N8nTool {
	const { name, description, invoke } = asRecord(supplied);
	return typeof name === 'string' && typeof description === 'string' && typeof invoke === 'function';
}

function fromN8nTool(member: N8nTool, style: 'toolkit' | 'single'): ConnectedTool {
	const tool: Tool = {
		name: member.name,
		intent: firstSentence(member.description),
		description: member.description,
		inputSchema: jsonSchemaOf(member.schema),
		tags: [],
		run: async (input) => toOutput(await member.invoke(input)),
	};
	const gatedNodeName = member.metadata?.gatedToolNodeName;
	return { tool, nodeName: member.metadata?.sourceNodeName ?? '', style, ...(gatedNodeName && { gatedNodeName }) };
}

function toOutput(result: unknown): ToolOutput {
	if (typeof result === 'string') return { text: result };
	return { text: JSON.stringify(result ?? null), data: result };
}
