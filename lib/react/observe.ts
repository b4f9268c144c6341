import type { ToolResult } from '../core/tool';
import type { AgentSetup } from './agent-setup';
import { INLINE_CHARACTERS, SHORT_FORM, withResults, type AgentState, type StoredCallResult } from './agent-state';
import { promptsIn } from './prompts';

/** What tools give when they have nothing to give. */
const BLANK: ReadonlySet<string> = new Set(['', '""', '[]', '{}', 'null']);

/**
 * Takes results of open calls into the run. A result for another call, or a second one for the same call, is dropped, so a
 * retried node cannot observe twice. An empty result says that there was no data.
 */
export async function observe(
	setup: AgentSetup,
	state: AgentState,
	results: readonly ToolResult[],
): Promise<AgentState> {
	const open = new Set(state.turns.at(-1)?.calls.flatMap(({ callId, result }) => (result ? [] : [callId])));
	const stored = new Map<string, StoredCallResult>();
	for (const result of results) {
		if (!open.has(result.callId) || stored.has(result.callId)) continue;
		stored.set(result.callId, await toStored(setup, result));
	}
	return withResults(state, stored);
}

async function toStored(setup: AgentSetup, result: ToolResult): Promise<StoredCallResult> {
	const { isError, durationMs, data, files, usage } = result;
	const isEmpty = !isError && isBlank(result.text);
	const text = isBlank(result.text) ? promptsIn(setup.language).noData : result.text;
	const kept = { isError, durationMs, ...(usage && { usage }) };
	const dataSize = data === undefined ? 0 : JSON.stringify(data).length;
	if (text.length + dataSize <= INLINE_CHARACTERS && !files?.length) {
		return { ...kept, text, ...(isEmpty && { isEmpty }), ...(data !== undefined && { data }) };
	}
	const handle = await setup.results.put({ text, data, files });
	return { ...kept, text: text.slice(0, SHORT_FORM), handle, ...(files?.length && { files: files.length }) };
}

function isBlank(text: string): boolean {
	return BLANK.has(text.trim());
}
