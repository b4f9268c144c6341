import { messageOf } from '../core/errors';
import type { SharedBudget, Tool, ToolResult } from '../core/tool';
import type { Ports } from '../core/ports';
import type { OpenCall } from './agent-state';

export interface DirectCalls {
	readonly ports: Ports;
	readonly signal: AbortSignal;
	/** For each call. */
	readonly timeoutMs: number;
	/** Handed on to tools that are agents. */
	readonly budget?: SharedBudget;
}

/**
 * Direct mode: runs the calls of one turn in parallel, each with a timeout; results come in the order of the calls. A tool
 * that throws, or is unknown, gives an error result; this never throws.
 */
export async function runToolCalls(
	tools: readonly Tool[],
	calls: readonly OpenCall[],
	how: DirectCalls,
): Promise<ToolResult[]> {
	const { ports } = how;
	return await Promise.all(
		calls.map(async (call): Promise<ToolResult> => {
			const began = ports.clock.now();
			const done = { callId: call.callId, name: call.name };
			try {
				const output = await withTimeout(toolNamed(tools, call.name), call, how);
				const durationMs = ports.clock.now() - began;
				return { ...done, ...output, isError: output.isError ?? false, durationMs };
			} catch (error) {
				return { ...done, text: messageOf(error), isError: true, durationMs: ports.clock.now() - began };
			}
		}),
	);
}

function toolNamed(tools: readonly Tool[], name: string): Tool {
	const tool = tools.find((candidate) => candidate.name === name);
	if (!tool) throw new Error(`There is no tool named "${name}"`);
	return tool;
}

async function withTimeout(
	tool: Tool,
	call: OpenCall,
	{ ports, signal, timeoutMs, budget }: DirectCalls,
): ReturnType<Tool['run']> {
	const over = new AbortController();
	const late = ports.clock.sleep(timeoutMs, over.signal).then(
		() => {
			throw new Error(`${tool.name} did not answer within ${timeoutMs} ms`);
		},
		() => new Promise<never>(() => undefined),
	);
	const stop = new AbortController();
	try {
		const context = { signal: AbortSignal.any([signal, stop.signal]), ...(budget && tool.isAgent && { budget }) };
		return await Promise.race([tool.run(call.input, context), late]);
	} finally {
		over.abort();
		stop.abort();
	}
}
