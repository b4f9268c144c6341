import { textOf } from '../../core/message';
import type { ModelRequest } from '../../core/model';
import type { ScriptTurn } from './script';

const REFERENCE = /\s*\{\{[^}]*\}\}/g;
const FENCED = /<data [\da-z]+>\n?([\s\S]*?)\n?<\/data [\da-z]+>/;
const JOINED = 'No model joined these results; the replayed script has no words for them.';

/**
 * What a script of tool calls says where it is asked for text alone, so that the whole way of a plan can be shown without a model: to
 * a planner, its calls as the steps of a plan; to whoever joins results, those results. Undefined for any other request.
 */
export function replyWithoutTools(turns: readonly ScriptTurn[], { messages }: ModelRequest): string | undefined {
	const system = messages.find(({ role }) => role === 'system');
	if (system && /"steps"[\s\S]*"depends_on"/.test(textOf(system))) return JSON.stringify({ steps: stepsOf(turns) });
	const asked = messages.findLast(({ role }) => role === 'user');
	const results = asked && FENCED.exec(textOf(asked))?.[1];
	return results === undefined ? undefined : `${JOINED}\n\n${results}`;
}

function stepsOf(turns: readonly ScriptTurn[]): object[] {
	return turns
		.filter(({ calls }) => calls.length > 0)
		.map(({ thought, calls }, at) => {
			const tools = [...new Set(calls.map(({ tool }) => tool))];
			const said = thought.replace(REFERENCE, '').trim();
			return { id: `s${at + 1}`, title: said || tools.join(', '), task: `${said} (${tools.join(', ')})`.trim(), depends_on: at > 0 ? [`s${at}`] : [], tools, success: '' };
		});
}
