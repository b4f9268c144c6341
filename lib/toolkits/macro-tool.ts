import { CodedError, messageOf } from '../core/errors';
import type { JsonSchema } from '../core/model';
import type { Tool, ToolOutput } from '../core/tool';
import { validateInput } from '../shape/validate-input';
import { fillArguments, placeholdersIn, type Known } from './fill-arguments';

/** One step: a call of a connected tool, with arguments that may reach input and earlier results. */
export interface MacroStep {
	/** By this later steps reach the result: `{steps.find_part.id}`. */
	readonly id: string;
	readonly tool: string;
	readonly arguments: Readonly<Record<string, unknown>>;
}

export interface MacroDefinition {
	/** '' for a name made from the tools': `find_part_then_order_part`. */
	readonly name: string;
	/** '' for one made from theirs. */
	readonly intent: string;
	readonly steps: readonly MacroStep[];
}

/** A step that can be called now, or the result. */
export type MacroTurn =
	| { readonly done: false; readonly step: MacroStep; readonly input: Record<string, unknown> }
	| { readonly done: true; readonly output: ToolOutput };

/**
 * One tool made of several steps over other tools. Its input is what the steps ask for as `{input.…}`, with the schema of the
 * argument that it fills; it gives the result of the last step.
 *
 * @throws CodedError BAD_INPUT for no steps, a tool that is not there, two steps of one id, or a path to no earlier step
 */
export function macroTool(definition: MacroDefinition, tools: readonly Tool[]): Tool {
	const { steps } = definition;
	checkSteps(steps, tools);
	const members = steps.map((step) => toolOf(step, tools));
	const intent = definition.intent || members.map(({ intent: own }, at) => chained(own, at)).join(', then ');
	const lines = steps.map((step, at) => `${at + 1}. ${step.tool}: ${members[at]?.intent ?? ''}`);
	return {
		name: definition.name || composedName(steps),
		intent,
		description: `${intent} Steps:\n${lines.join('\n')}\nReturns what the last step gives. When a step fails the later ones are not run.`,
		inputSchema: inputSchemaOf(steps, tools),
		tags: ['macro'],
		uses: [...new Set(members.map(({ name }) => name))],
		annotations: {
			readOnly: members.every(({ annotations }) => annotations?.readOnly === true),
			destructive: members.some(({ annotations }) => annotations?.destructive === true),
		},
		run: async (input, context) => {
			const results: Record<string, unknown> = {};
			for (;;) {
				context.signal.throwIfAborted();
				const turn = nextTurn(steps, tools, { input, steps: results });
				if (turn.done) return turn.output;
				const output = await runStep(toolOf(turn.step, tools), turn.input, context);
				if (output.isError) return stepFailed(steps, turn.step, output.text);
				results[turn.step.id] = valueOf(output);
			}
		},
	};
}

/** What comes next: the first step without a result, its arguments filled and checked; else the result of the last one. */
export function nextTurn(steps: readonly MacroStep[], tools: readonly Tool[], known: Known): MacroTurn {
	const step = steps.find(({ id }) => !Object.hasOwn(known.steps, id));
	if (!step) {
		const result = known.steps[steps.at(-1)?.id ?? ''] ?? null;
		return { done: true, output: { text: typeof result === 'string' ? result : JSON.stringify(result), data: { result } } };
	}
	try {
		const filled = fillArguments(step.arguments, known);
		const checked = validateInput(toolOf(step, tools).inputSchema, filled);
		if (checked.ok) return { done: false, step, input: checked.value };
		return { done: true, output: stepFailed(steps, step, checked.message) };
	} catch (error) {
		return { done: true, output: stepFailed(steps, step, messageOf(error)) };
	}
}

/** An error result that says which step failed and which were done. */
export function stepFailed(steps: readonly MacroStep[], step: MacroStep, why: string): ToolOutput {
	const at = steps.indexOf(step);
	const done = steps.slice(0, at).map(({ id }) => id).join(', ');
	return { isError: true, text: `Step ${at + 1} of ${steps.length}, ${step.id} (${step.tool}), failed: ${why}${done === '' ? '' : ` Done before it: ${done}.`}` };
}

/** A result as later steps reach it: data, else text that is JSON, else text. */
export function valueOf({ data, text }: Pick<ToolOutput, 'data' | 'text'>): unknown {
	if (data !== undefined) return data;
	try {
		return JSON.parse(text);
	} catch {
		// Plain text is a result too.
		return text;
	}
}

async function runStep(tool: Tool, input: Record<string, unknown>, context: Parameters<Tool['run']>[1]): Promise<ToolOutput> {
	try {
		return await tool.run(input, context);
	} catch (error) {
		context.signal.throwIfAborted();
		return { text: messageOf(error), isError: true };
	}
}

function checkSteps(steps: readonly MacroStep[], tools: readonly Tool[]): void {
	if (steps.length === 0) throw new CodedError('BAD_INPUT', 'The macro has no steps', { remedy: 'Add a step: the name of a connected tool and its arguments.' });
	steps.forEach((step, at) => {
		toolOf(step, tools);
		const earlier = steps.slice(0, at).map(({ id }) => id);
		if (earlier.includes(step.id)) throw new CodedError('BAD_INPUT', `Two steps have the name "${step.id}"`, { remedy: 'Give each step its own name.' });
		for (const { root, path } of placeholdersIn(step.arguments)) {
			if (root !== 'steps' || earlier.includes(path[0] ?? '')) continue;
			throw new CodedError('BAD_INPUT', `Step ${at + 1} asks for the result of "${path[0] ?? ''}", which is no earlier step`, { remedy: `Earlier steps: ${earlier.join(', ') || 'none'}.` });
		}
	});
}

function toolOf({ tool }: MacroStep, tools: readonly Tool[]): Tool {
	const found = tools.find(({ name }) => name === tool);
	if (found) return found;
	const names = tools.map(({ name }) => name).slice(0, 20).join(', ') || 'none';
	throw new CodedError('BAD_INPUT', `No tool named "${tool}" is connected to this macro; it has: ${names}`);
}

function composedName(steps: readonly MacroStep[]): string {
	const name = steps.map(({ tool }) => tool).join('_then_').replace(/[^a-zA-Z0-9_]+/g, '_').toLowerCase();
	return name.length <= 64 ? name : `${name.slice(0, 55).replace(/_+$/, '')}_${steps.length}_steps`;
}

function chained(intent: string, at: number): string {
	const bare = intent.replace(/[.\s]+$/, '');
	return at === 0 ? bare : bare.charAt(0).toLowerCase() + bare.slice(1);
}

/** One property per `{input.…}`; where it fills a whole argument it has that argument's schema. */
function inputSchemaOf(steps: readonly MacroStep[], tools: readonly Tool[]): JsonSchema {
	const properties: Record<string, unknown> = {};
	for (const step of steps) {
		const own = (toolOf(step, tools).inputSchema.properties ?? {}) as Record<string, unknown>;
		for (const { root, path, argument } of placeholdersIn(step.arguments)) {
			if (root === 'input' && path[0] !== undefined) properties[path[0]] ??= (argument !== undefined && path.length === 1 && own[argument]) || { type: 'string' };
		}
	}
	return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
