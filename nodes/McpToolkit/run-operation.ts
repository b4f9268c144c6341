import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../../lib/core/errors';
import type { ToolOutput } from '../../lib/core/tool';
import { mcpTools } from '../../lib/mcp/mcp-tools';
import { expandTemplate, promptOutput, resourceOutput } from '../../lib/mcp/resources';
import { openSession, type NodeSession } from '../../lib/n8n/mcp/session';
import { toToolItems } from '../../lib/n8n/tool-item';
import { validateInput } from '../../lib/shape/validate-input';
import { perToolIn, selectionIn } from './read-tools';
import { chosen } from './search-server';

/** One item of the flow: what a list has becomes an item each, what is called or read is added to the item. */
export async function runOperation(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const opened = await openSession(ctx, itemIndex);
	const operation = ctx.getNodeParameter('operation', itemIndex) as string;
	const signal = ctx.getExecutionCancelSignal();
	switch (operation) {
		case 'listTools':
			return await listTools(opened, signal);
		case 'listResources':
			return [...(await opened.session.listOf('resources', signal)), ...(await opened.session.listOf('resourceTemplates', signal))].map(toItem);
		case 'listPrompts':
			return (await opened.session.listOf('prompts', signal)).map(toItem);
		case 'readResource':
			return added(ctx, itemIndex, 'resource', await readResource(ctx, itemIndex, opened));
		case 'getPrompt':
			return added(ctx, itemIndex, 'prompt', await getPrompt(ctx, itemIndex, opened));
		default:
			return added(ctx, itemIndex, 'result', await callTool(ctx, itemIndex, opened));
	}
}

async function listTools({ session, server, options }: NodeSession, signal?: AbortSignal): Promise<INodeExecutionData[]> {
	const settings = { server, ...selectionIn(options), prefix: '', perTool: perToolIn(options) };
	const { entries } = await mcpTools(session, settings, signal);
	return entries.map(({ declared, tool, reason }) =>
		toItem({ ...declared, ...(tool && { intent: tool.intent }), usable: tool !== undefined, ...(reason !== undefined && { reason }) }));
}

async function callTool(ctx: IExecuteFunctions, itemIndex: number, { session, server, options }: NodeSession): Promise<ToolOutput> {
	const name = chosen(ctx.getNodeParameter('toolName', itemIndex));
	const signal = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	const settings = { server, ...selectionIn(options), prefix: '', perTool: perToolIn(options), handles: false };
	const { entries } = await mcpTools(session, settings, signal);
	const entry = entries.find(({ declared }) => declared.name === name);
	if (entry === undefined) throw unknown(name, entries.map(({ declared }) => String(declared.name)));
	const { tool, reason } = entry;
	if (tool === undefined) throw new CodedError('BAD_INPUT', `The tool ${name} cannot be used: ${reason ?? 'unknown reason'}.`);
	const checked = validateInput(tool.inputSchema, jsonParameter(ctx, 'toolArguments', itemIndex));
	if (!checked.ok) throw new CodedError('BAD_INPUT', checked.message);
	const output = await tool.run(checked.value, { signal });
	if (output.isError) throw new CodedError('UPSTREAM', output.text);
	return output;
}

async function readResource(ctx: IExecuteFunctions, itemIndex: number, { session }: NodeSession): Promise<ToolOutput> {
	const uri = expandTemplate(chosen(ctx.getNodeParameter('uri', itemIndex)), jsonParameter(ctx, 'uriValues', itemIndex));
	const output = resourceOutput(await session.ask('resources/read', { uri }, ctx.getExecutionCancelSignal()));
	return { ...output, data: { uri, ...(output.data !== undefined && { json: output.data }) } };
}

async function getPrompt(ctx: IExecuteFunctions, itemIndex: number, { session }: NodeSession): Promise<ToolOutput> {
	const name = chosen(ctx.getNodeParameter('promptName', itemIndex));
	const given = jsonParameter(ctx, 'promptArguments', itemIndex);
	const texts = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]));
	return promptOutput(await session.ask('prompts/get', { name, arguments: texts }, ctx.getExecutionCancelSignal()));
}

function toItem(declared: object): INodeExecutionData {
	return { json: declared as IDataObject };
}

function added(ctx: IExecuteFunctions, itemIndex: number, field: string, output: ToolOutput): INodeExecutionData[] {
	const [made] = toToolItems(output, itemIndex);
	const given = ctx.getInputData()[itemIndex];
	const binary = { ...given?.binary, ...made?.binary };
	const value = { text: output.text, ...(output.data !== undefined && { data: output.data as IDataObject }) };
	const item = { json: { ...given?.json, [field]: value }, pairedItem: { item: itemIndex } };
	return [Object.keys(binary).length > 0 ? { ...item, binary } : item];
}

function jsonParameter(ctx: IExecuteFunctions, name: string, itemIndex: number): Record<string, unknown> {
	const given: unknown = ctx.getNodeParameter(name, itemIndex, '{}');
	const value = typeof given === 'string' ? readObject(given) : given;
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	throw new CodedError('BAD_INPUT', 'The arguments are not a JSON object.', { remedy: 'Write { "name": "value" }.' });
}

function readObject(text: string): unknown {
	if (text.trim() === '') return {};
	try {
		return JSON.parse(text);
	} catch {
		// Told in our own words, with what to write instead.
		return undefined;
	}
}

function unknown(name: string, names: readonly string[]): CodedError {
	const known = names.slice(0, 30).join(', ') || 'none';
	return new CodedError('BAD_INPUT', `The server offers no tool "${name}" here; it has: ${known}${names.length > 30 ? '…' : ''}.`);
}
