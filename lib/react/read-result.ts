import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import type { AgentSetup } from './agent-setup';
import { INLINE_CHARACTERS, SHORT_FORM, type AgentState, type OpenCall, type StoredCallResult } from './agent-state';

export const READ_RESULT = 'read_result';

/** Lets the model page through an observation that was cut. It runs inside the agent, never as a node. */
export function readResultTool(): Tool {
	return {
		name: READ_RESULT,
		intent: 'Read more of an earlier result that was cut.',
		description: 'Read more of an earlier result that was cut: from `offset`, one page.',
		inputSchema: {
			type: 'object',
			properties: {
				handle: { type: 'string', description: 'The handle named where the result was cut.' },
				offset: { type: 'integer', minimum: 0, description: 'The first character wanted.' },
			},
			required: ['handle'],
			additionalProperties: false,
		},
		tags: [],
		annotations: { readOnly: true },
		run: async () => {
			throw new CodedError('INTERNAL', 'read_result runs inside the agent');
		},
	};
}

/** One page of the result that `handle` names: the call's id. The message of a wrong handle lists the right ones. */
export async function readResult(setup: AgentSetup, state: AgentState, call: OpenCall): Promise<StoredCallResult> {
	const stored = state.turns.flatMap(({ calls }) => calls).filter(({ name, result }) => name !== READ_RESULT && result?.handle);
	const found = stored.find(({ callId }) => callId === call.input.handle);
	if (!found?.result?.handle) {
		const handles = stored.map(({ callId }) => callId).join(', ') || 'none';
		return { isError: true, durationMs: null, text: `No result "${String(call.input.handle)}". Handles: ${handles}.` };
	}
	const whole = (await setup.results.get(found.result.handle)).text;
	const offset = typeof call.input.offset === 'number' ? call.input.offset : 0;
	const page = whole.slice(offset, offset + setup.limits.maxObservationCharacters);
	const end = offset + page.length;
	const more = end < whole.length ? `\n… (more from offset ${end} of ${whole.length})` : '';
	const text = page === '' ? `Nothing from offset ${offset}: the result has ${whole.length} characters.` : page + more;
	if (text.length <= INLINE_CHARACTERS) return { isError: false, durationMs: null, text };
	return { isError: false, durationMs: null, text: text.slice(0, SHORT_FORM), handle: await setup.results.put({ text }) };
}
