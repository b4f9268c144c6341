import type { JsonSchema } from '../core/model';
import type { ToolOutput } from '../core/tool';
import { compileSchema } from '../shape/compile-schema';
import { toToolOutput } from './content';
import type { McpCall, McpSession } from './session';

/** Results from here on are announced with a handle, so that they can be passed on without being written out. */
const WORTH_A_HANDLE = 10_000;
const FAULTS_SHOWN = 3;

export interface CallLimits {
	/** As the server declares it; a result that does not fit is a warning, never a failure. */
	readonly outputSchema?: unknown;
	/** Longest text of a result; 0 for no limit here. */
	readonly maxCharacters: number;
	/** False gives a long text without a line on its handle. */
	readonly handles?: boolean;
}

/**
 * Calls a tool and turns its answer into an output.
 *
 * Arguments that are a handle (`{{result_1}}`) are filled with that result. A text that is too long is cut, with the handle of
 * the whole. Questions that the server put to the user in vain are told at the end.
 */
export async function callTool(session: McpSession, call: McpCall, limits: CallLimits): Promise<ToolOutput> {
	const { result, notes } = await session.callTool({ ...call, args: session.results.fill(call.args) });
	const mismatch = mismatchOf(result, limits.outputSchema);
	if (mismatch !== undefined) session.log('warn', `MCP result of ${call.name} does not fit its output schema`, { faults: mismatch });
	const output = limited(toToolOutput(result), session, limits);
	return notes.length === 0 ? output : { ...output, text: [output.text, ...new Set(notes)].join('\n\n') };
}

/** The ways in which structured content breaks the declared schema; undefined when it fits or none was declared. */
export function mismatchOf(result: Record<string, unknown>, outputSchema: unknown): string[] | undefined {
	if (typeof outputSchema !== 'object' || outputSchema === null || result.isError === true) return undefined;
	const { structuredContent } = result;
	if (structuredContent === undefined || structuredContent === null) return ['there is no structured content'];
	const faults = compileSchema(outputSchema as JsonSchema)(structuredContent);
	if (faults.length === 0) return undefined;
	return faults.slice(0, FAULTS_SHOWN).map(({ path, message }) => `${path === '' ? 'the whole' : path} ${message}`);
}

/** What is passed on by handle is the text; data of a text that was cut would bring the rest in by another door. */
function limited(output: ToolOutput, { results }: McpSession, { maxCharacters, handles }: CallLimits): ToolOutput {
	if (maxCharacters > 0 && output.text.length > maxCharacters) {
		const { isError, files } = output;
		return { text: results.cut(output.text, maxCharacters), ...(isError && { isError }), ...(files && { files }) };
	}
	if (handles === false || output.data !== undefined || output.isError) return output;
	return { ...output, text: results.announce(output.text, WORTH_A_HANDLE) };
}
