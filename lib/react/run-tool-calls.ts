import { after } from '../core/after';
import { messageOf, raise } from '../core/errors';
import { innerSignal } from '../core/inner-signal';
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
	const work = innerSignal(signal);
	let callOff = (): void => undefined;
	const late = new Promise<never>((_resolve, reject) => {
		callOff = after(ports.clock, timeoutMs, () => reject(new Error(`${tool.name} did not answer within ${timeoutMs} ms`)));
		work.signal.addEventListener('abort', () => reject(work.signal.reason as Error));
	});
	try {
		const context = { signal: work.signal, ...(budget && tool.isAgent && { budget }) };
		return await Promise.race([tool.run(call.input, context), late]);
	} catch (error) {
		work.abort(OVER);
		return raise(error);
	} finally {
		callOff();
		work.release();
	}
}

/** What a tool that was given up is told. Made once: an error costs more than most calls. */
const OVER = new DOMException('The call is over', 'AbortError');
