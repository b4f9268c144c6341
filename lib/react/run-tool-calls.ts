import { messageOf } from '../core/errors';
import type { Tool, ToolResult } from '../core/tool';
import type { Ports } from '../core/ports';
import type { OpenCall } from './agent-state';

/**
 * Direct mode: runs the calls of one turn in parallel, each with a timeout; results come in the order of the calls. A tool
 * that throws, or is unknown, gives an error result; this never throws.
 *
 * @param timeoutMs  for each call
 */
export async function runToolCalls(
	tools: readonly Tool[],
	calls: readonly OpenCall[],
	{ ports, signal, timeoutMs }: { ports: Ports; signal: AbortSignal; timeoutMs: number },
): Promise<ToolResult[]> {
	return await Promise.all(
		calls.map(async (call): Promise<ToolResult> => {
			const began = ports.clock.now();
			const done = { callId: call.callId, name: call.name };
			try {
				const output = await withTimeout(toolNamed(tools, call.name), call, { ports, signal, timeoutMs });
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
	{ ports, signal, timeoutMs }: { ports: Ports; signal: AbortSignal; timeoutMs: number },
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
		return await Promise.race([tool.run(call.input, { signal: AbortSignal.any([signal, stop.signal]) }), late]);
	} finally {
		over.abort();
		stop.abort();
	}
}
