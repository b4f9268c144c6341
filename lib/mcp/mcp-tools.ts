import type { JsonSchema } from '../core/model';
import type { Tool, ToolAnnotations } from '../core/tool';
import { toolAliases } from '../shape/tool-names';
import { toToolOutput } from './content';
import { labelOf, type McpServer } from './server';
import type { DeclaredTool, McpSession } from './session';

export interface McpToolSettings {
	readonly server: McpServer;
	/** Names or patterns with *; [] takes all. */
	readonly include: readonly string[];
	readonly exclude: readonly string[];
	/** Put before every name, e.g. `erp` for erp_search; '' for none. */
	readonly prefix: string;
}

export interface McpToolList {
	readonly tools: readonly Tool[];
	/** Tools that cannot be offered, each with the reason; they never hide the others. */
	readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * The server's tools as core tools, in the server's order.
 *
 * Names are made safe for models (the server is called by its own); schemas are passed on untouched; the intent is the first
 * sentence of the description.
 *
 * @throws CodedError when the list cannot be had
 */
export async function mcpTools(session: McpSession, settings: McpToolSettings, signal?: AbortSignal): Promise<McpToolList> {
	const declared = await session.listTools(signal);
	const wanted = declared.filter((tool) => isWanted(String(tool.name), settings));
	const faults = wanted.map(faultOf);
	const usable = wanted.filter((_, index) => faults[index] === undefined);
	const source = labelOf(settings.server);
	const prefix = settings.prefix.trim() === '' ? '' : `${settings.prefix.trim()}_`;
	const aliases = toolAliases(usable.map((tool) => ({ name: prefix + String(tool.name), source })));
	const refused = wanted.flatMap((tool, index) => {
		const reason = faults[index];
		return reason === undefined ? [] : [{ name: String(tool.name), reason }];
	});
	return { tools: usable.map((tool, index) => toTool(tool, aliases[index] ?? '', session)), refused };
}

function isWanted(name: string, { include, exclude }: McpToolSettings): boolean {
	const matches = (patterns: readonly string[]): boolean => patterns.some((pattern) => patternOf(pattern).test(name));
	return (include.length === 0 || matches(include)) && !matches(exclude);
}

function patternOf(pattern: string): RegExp {
	const parts = pattern.trim().split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`);
}

function faultOf(tool: DeclaredTool): string | undefined {
	if (typeof tool.name !== 'string' || tool.name === '') return 'it has no name';
	const schema = tool.inputSchema;
	if (schema === undefined || schema === null) return undefined;
	if (typeof schema !== 'object' || Array.isArray(schema)) return 'its inputSchema is not an object';
	const { type } = schema as JsonSchema;
	if (type !== undefined && type !== 'object') return `its inputSchema has the type ${JSON.stringify(type)}, not "object"`;
	const { execution } = tool;
	const needsTask = typeof execution === 'object' && execution !== null && 'taskSupport' in execution && execution.taskSupport === 'required';
	return needsTask ? 'it can only run as a task, which is not supported yet' : undefined;
}

function toTool(declared: DeclaredTool, alias: string, session: McpSession): Tool {
	const name = String(declared.name);
	const description = typeof declared.description === 'string' ? declared.description.trim() : '';
	const title = typeof declared.title === 'string' ? declared.title.trim() : '';
	const annotations = annotationsOf(declared.annotations);
	return {
		name: alias,
		intent: firstSentence(description) || title || name.replace(/[_./-]+/g, ' ').trim(),
		description: description || title || name,
		inputSchema: (declared.inputSchema ?? { type: 'object' }) as JsonSchema,
		tags: ['mcp'],
		annotations,
		run: async (input, { signal }) => toToolOutput(await session.callTool(name, input, annotations, signal)),
	};
}

/** Up to the first full stop that ends a sentence, or the first line; at most 200 characters. */
function firstSentence(description: string): string {
	const line = description.split('\n', 1)[0] ?? '';
	const sentence = /^.*?[.!?。](?=\s|$)/.exec(line)?.[0] ?? line;
	return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence;
}

function annotationsOf(value: unknown): ToolAnnotations {
	if (typeof value !== 'object' || value === null) return {};
	const { readOnlyHint, destructiveHint, idempotentHint } = value as Record<string, unknown>;
	return {
		...(typeof readOnlyHint === 'boolean' && { readOnly: readOnlyHint }),
		...(typeof destructiveHint === 'boolean' && { destructive: destructiveHint }),
		...(typeof idempotentHint === 'boolean' && { idempotent: idempotentHint }),
	};
}
