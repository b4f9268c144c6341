import type { JsonSchema } from '../core/model';
import type { Tool, ToolAnnotations } from '../core/tool';
import { toolAliases } from '../shape/tool-names';
import { firstSentence } from '../text/first-sentence';
import { callTool } from './call-tool';
import { resourceTools } from './resource-tools';
import { labelOf } from './server';
import type { DeclaredTool, McpSession } from './session';
import { isWanted, settingsFor, type McpToolSettings } from './tool-settings';

export type { McpToolSettings } from './tool-settings';

export interface McpToolList {
	readonly tools: readonly Tool[];
	/** Tools that cannot be offered, each with the reason; they never hide the others. */
	readonly refused: ReadonlyArray<{ readonly name: string; readonly reason: string }>;
	/** Each wanted tool of the server as it declares it, with what became of it. */
	readonly entries: readonly McpToolEntry[];
}

export interface McpToolEntry {
	readonly declared: DeclaredTool;
	/** Absent when it cannot be offered. */
	readonly tool?: Tool;
	readonly reason?: string;
}

/**
 * The server's tools as core tools, in the server's order; after them, where wanted, tools that read its resources and prompts.
 *
 * Names are made safe for models (the server is called by its own); schemas are passed on untouched; the intent is what the
 * settings say, else the first sentence of the description.
 *
 * @throws CodedError when the list cannot be had
 */
export async function mcpTools(session: McpSession, settings: McpToolSettings, signal?: AbortSignal): Promise<McpToolList> {
	const declared = await session.listTools(signal);
	const wanted = declared.filter((tool) => isWanted(String(tool.name), settings)).map((tool) => ({ tool, reason: faultOf(tool) }));
	const usable = wanted.flatMap(({ tool, reason }) => (reason === undefined ? [tool] : []));
	const more = await resourceTools(session, settings, signal);
	const source = labelOf(settings.server);
	const prefix = settings.prefix.trim() === '' ? '' : `${settings.prefix.trim()}_`;
	const aliases = toolAliases([...usable, ...more].map((tool) => ({ name: prefix + String(tool.name), source })));
	const made = new Map(usable.map((tool, index) => [tool, toTool(tool, aliases[index] ?? '', session, settings)]));
	const extra = more.map((tool, index) => ({ ...tool, name: aliases[usable.length + index] ?? tool.name }));
	const entries = wanted.map(({ tool: one, reason }): McpToolEntry => {
		const tool = made.get(one);
		return { declared: one, ...(tool && { tool }), ...(reason !== undefined && { reason }) };
	});
	const refused = wanted.flatMap(({ tool, reason }) => (reason === undefined ? [] : [{ name: String(tool.name), reason }]));
	return { tools: [...made.values(), ...extra], refused, entries };
}

/** Why a declared tool cannot be offered to any model, or undefined when it can. */
function faultOf(tool: DeclaredTool): string | undefined {
	if (typeof tool.name !== 'string' || tool.name === '') return 'it has no name';
	const schema = tool.inputSchema;
	if (schema === undefined || schema === null) return undefined;
	if (typeof schema !== 'object' || Array.isArray(schema)) return 'its inputSchema is not an object';
	const { type } = schema as JsonSchema;
	const isObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
	return isObject ? undefined : `its inputSchema has the type ${JSON.stringify(type)}, not "object"`;
}

function needsTask({ execution }: DeclaredTool): boolean {
	return typeof execution === 'object' && execution !== null && 'taskSupport' in execution && execution.taskSupport === 'required';
}

function toTool(declared: DeclaredTool, alias: string, session: McpSession, settings: McpToolSettings): Tool {
	const name = String(declared.name);
	const own = settingsFor(name, settings);
	const description = typeof declared.description === 'string' ? declared.description.trim() : '';
	const title = typeof declared.title === 'string' ? declared.title.trim() : '';
	const annotations = annotationsOf(declared.annotations);
	return {
		name: alias,
		intent: own.intent?.trim() || firstSentence(description) || title || name.replace(/[_./-]+/g, ' ').trim(),
		description: description || title || name,
		inputSchema: (declared.inputSchema ?? { type: 'object' }) as JsonSchema,
		tags: ['mcp'],
		annotations,
		run: async (input, { signal }) => {
			const call = { name, args: input, annotations, signal, asTask: needsTask(declared), ...(own.timeoutMs !== undefined && { timeoutMs: own.timeoutMs }) };
			const { maxCharacters = 0, handles = true } = settings;
			return await callTool(session, call, { outputSchema: declared.outputSchema, maxCharacters, handles });
		},
	};
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
