import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SharedBudget, Tool, ToolOutput, ToolUsage } from '../core/tool';
import { declaredKeys } from '../shape/declared-keys';
import { asRecord } from './as-record';

/**
 * How a tool call travels through n8n's engine: the item a tool node gets, and the item it gives back.
 *
 * The engine's tool item is `{...item of the agent, ...input of the call, toolCallId}`. Calls from our own nodes put the
 * arguments under `toolInput`, so no argument can pass for a field of the item; n8n's own agent spreads them.
 */

/** Ids of calls made by our nodes start with this; n8n sets `toolCallId` last, so neither item nor arguments can forge it. */
export const CALL_ID_PREFIX = 'reactengine:';

export interface ToolCallItem {
	/** '' when the caller did not say and the node has one tool. */
	readonly tool: string;
	readonly input: Record<string, unknown>;
	readonly fromOurs: boolean;
	readonly callId: string;
	/** What an agent of ours hands on to an agent; never taken from arguments. */
	readonly budget?: SharedBudget;
}

/**
 * Reads a tool item. From our nodes: `tool` and `toolInput`. From n8n's: `tool` when it names one of the tools, and of the
 * rest only what that tool's schema knows, since the whole item of the agent is mixed in.
 */
export function readToolItem(json: IDataObject, tools: readonly Tool[]): ToolCallItem {
	const callId = typeof json.toolCallId === 'string' ? json.toolCallId : '';
	if (callId.startsWith(CALL_ID_PREFIX)) {
		const budget = json.agentBudget as SharedBudget | undefined;
		return { tool: String(json.tool ?? ''), input: asRecord(json.toolInput), fromOurs: true, callId, ...(budget && { budget }) };
	}
	const named = tools.find((tool) => tool.name === json.tool);
	const tool = named ?? (tools.length === 1 ? tools[0] : undefined);
	if (!tool) return { tool: String(json.tool ?? ''), input: {}, fromOurs: false, callId };
	return { tool: tool.name, input: pickKnown(json, tool, named !== undefined), fromOurs: false, callId };
}

function pickKnown(json: IDataObject, tool: Tool, toolKeyIsName: boolean): Record<string, unknown> {
	const known = declaredKeys(tool.inputSchema) ?? Object.keys(json).filter((key) => key !== 'toolCallId');
	const taken = known.filter((key) => key in json && !(key === 'tool' && toolKeyIsName));
	return Object.fromEntries(taken.map((key) => [key, json[key]]));
}

/** The json of a tool node's output: the data when the text is only its JSON, else the text with the data beside it. */
export function responseOf(output: ToolOutput): IDataObject {
	const more = { ...(output.isError && { isError: true }), ...(output.usage && { usage: { ...output.usage } }) };
	if (output.data === undefined || output.data === null) return { response: output.text, ...more };
	if (output.text === JSON.stringify(output.data)) return { response: output.data as IDataObject, ...more };
	return { response: output.text, data: output.data as IDataObject, ...more };
}

/** The opposite of `responseOf`, for the items of one of our tool nodes. */
export function outputOf(json: IDataObject): ToolOutput {
	const { response, data } = json;
	const more = { ...(json.isError === true && { isError: true }), ...(json.usage && { usage: json.usage as unknown as ToolUsage }) };
	if (typeof response === 'string') return { text: response, ...(data !== undefined && { data }), ...more };
	return { text: JSON.stringify(response ?? null), data: response, ...more };
}

/** Items of a tool node with a file of the output as binary data each; the first item holds the json. */
export function toToolItems(output: ToolOutput, itemIndex: number): INodeExecutionData[] {
	const binary = Object.fromEntries(
		(output.files ?? []).map((file, position) => [
			position === 0 ? 'data' : `data_${position}`,
			{ data: file.data, mimeType: file.mediaType, fileName: file.name },
		]),
	);
	const item: INodeExecutionData = { json: responseOf(output), pairedItem: { item: itemIndex } };
	return [output.files?.length ? { ...item, binary } : item];
}
