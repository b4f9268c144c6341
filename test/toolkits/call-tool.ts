import type { Tool, ToolOutput } from '../../lib/core/tool';
import { validateInput } from '../../lib/shape/validate-input';

/** Calls a tool by name the way the engine does: arguments are checked first. */
export async function callTool(tools: readonly Tool[], name: string, input: unknown): Promise<ToolOutput> {
	const tool = tools.find((candidate) => candidate.name === name);
	if (tool === undefined) throw new Error(`no tool named ${name}`);
	const check = validateInput(tool.inputSchema, input);
	if (!check.ok) return { text: check.message, isError: true };
	return tool.run(check.value, { signal: new AbortController().signal });
}

/** The data of a call that must succeed. */
export async function dataOf(tools: readonly Tool[], name: string, input: unknown): Promise<Record<string, unknown>> {
	const output = await callTool(tools, name, input);
	if (output.isError) throw new Error(output.text);
	expect(JSON.parse(output.text)).toEqual(output.data);
	return output.data as Record<string, unknown>;
}
