import type { EngineRequest, EngineResponse, IBinaryData, IDataObject, ITaskData } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { SharedBudget, ToolOutput, ToolResult } from '../core/tool';
import type { ConnectedTool } from './connected-tools';
import { CALL_ID_PREFIX, outputOf } from './tool-item';

/**
 * Tool calls as actions of n8n's engine, and their results as observations. n8n runs the actions one after another, each as
 * a visible run of the tool's node, and then calls the node that asked again.
 */

/** What we need to know again when the result of an action comes back. */
export interface CallMetadata extends IDataObject {
	readonly itemIndex: number;
	readonly callId: string;
	readonly toolName: string;
	readonly style: ConnectedTool['style'];
	/** Set when the call asks a person about another call: its result is a decision, not an observation. */
	readonly asksAbout?: string;
}

export type Action = EngineRequest['actions'][number];

export interface CallToSend {
	readonly callId: string;
	readonly input: Record<string, unknown>;
	readonly itemIndex: number;
	readonly asksAbout?: string;
	/** For tools that are agents. */
	readonly budget?: SharedBudget;
}

/** The action for one call. `key` makes the id unique within the execution of the node. */
export function toAction(
	connected: ConnectedTool,
	call: CallToSend,
	key: string,
): Action {
	const toolName = connected.tool.name;
	const metadata: CallMetadata = { itemIndex: call.itemIndex, callId: call.callId, toolName, style: connected.style, ...(call.asksAbout && { asksAbout: call.asksAbout }) };
	return {
		actionType: 'ExecutionNodeAction',
		nodeName: connected.nodeName,
		type: NodeConnectionTypes.AiTool,
		id: CALL_ID_PREFIX + key,
		input: inputFor(connected, call) as IDataObject,
		metadata,
	};
}

/** To our nodes the arguments travel apart, so that none can pass for a field of the item; n8n's expect them spread. */
function inputFor({ style, tool }: ConnectedTool, { input, budget }: CallToSend): Record<string, unknown> {
	// Always set for an agent, so that a field of the item can never be taken for it; other tools do not read it.
	if (style === 'ours') return { tool: tool.name, toolInput: input, ...(tool.isAgent && { agentBudget: budget ?? null }) };
	return style === 'toolkit' ? { ...input, tool: tool.name } : { ...input };
}

/** An observation that came back, with the files of its items. */
export interface ReturnedCall {
	readonly actionId: string;
	readonly itemIndex: number;
	readonly result: ToolResult;
	readonly files: readonly IBinaryData[];
	/** As in the action's metadata. */
	readonly asksAbout?: string;
	/** True when the tool's node cannot be run by the engine: it only supplies data. */
	readonly notExecutable: boolean;
}

/**
 * Results of a response, each action once: a retried node gets the same ones again. In the order of the actions; [] for the
 * first call of a node.
 */
export function returnedCalls(response: EngineResponse): ReturnedCall[] {
	const byId = new Map(response.actionResponses.map((answered) => [answered.action.id, answered]));
	return [...byId.values()].map(({ action, data }) => {
		const { itemIndex, callId, toolName, style, asksAbout } = action.metadata as CallMetadata;
		const output = readOutput(data, { id: action.id, style });
		const files = itemsOf(data).flatMap((item) => Object.values(item.binary ?? {}));
		const { isError = false } = output;
		return {
			actionId: action.id,
			itemIndex,
			result: { callId, name: toolName, ...output, isError, durationMs: data.executionTime ?? null },
			files,
			...(asksAbout && { asksAbout }),
			notExecutable: /but no "execute" method/.test(data.error?.message ?? ''),
		};
	});
}

function itemsOf(data: ITaskData) {
	return data.data?.[NodeConnectionTypes.AiTool]?.[0] ?? [];
}

function readOutput(data: ITaskData, { id, style }: { id: string; style: ConnectedTool['style'] }): ToolOutput {
	if (data.error) return { text: errorText(data.error), isError: true };
	const jsons = itemsOf(data).map(({ json }) => json);
	const [first] = jsons;
	// A node of ours that waited until its time was up gives back the item it got; others may pass theirs through.
	if (style === 'ours' && first?.toolCallId === id) return { text: 'Nobody answered in time.', isError: true };
	if (jsons.length === 1 && first && style === 'ours') return outputOf(first);
	if (jsons.length === 1 && first) return foreignOutput(first);
	return jsons.length === 0 ? { text: '' } : { text: JSON.stringify(jsons), data: jsons };
}

function foreignOutput(json: IDataObject): ToolOutput {
	const keys = Object.keys(json);
	if (keys.length === 0) return { text: '' };
	if (typeof json.error === 'string' && keys.length === 1) return { text: json.error, isError: true };
	const only = keys.length === 1 && 'response' in json ? json.response : json;
	return typeof only === 'string' ? { text: only } : { text: JSON.stringify(only), data: only };
}

function errorText(error: NonNullable<ITaskData['error']>): string {
	const { message } = error;
	const description = 'description' in error && typeof error.description === 'string' ? error.description : '';
	return description && !message.includes(description) ? `${message}. ${description}` : message;
}

/** The result with a line for each file, so that the model knows of what it cannot see; without files the result itself. */
export function withFileNotes({ result, files }: ReturnedCall): ToolResult {
	if (files.length === 0) return result;
	const notes = files.map(({ fileName, mimeType }) => `[file ${fileName ?? 'without name'} (${mimeType}) is attached to the output]`);
	return { ...result, text: [result.text, ...notes].filter((text) => text !== '').join('\n') };
}
