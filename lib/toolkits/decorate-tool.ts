import type { Tool, ToolOutput } from '../core/tool';
import { validateInput } from '../shape/validate-input';
import { textOfError } from './make-tool';
import { normaliseValue } from './normalise-value';

/** A tool made from another one. */
export type ToolDecorator = (tool: Tool) => Tool;

/** Applies decorators from the inside out: the last one is met first by a call. */
export function decorate(tool: Tool, ...decorators: readonly ToolDecorator[]): Tool {
	return decorators.reduce((made, decorator) => decorator(made), tool);
}

/** Checks the arguments by the tool's schema (lossless coercion, as agents do); what does not fit is an error result that says why. */
export const withInputValidation: ToolDecorator = (tool) => ({
	...tool,
	run: async (input, context) => {
		const checked = validateInput(tool.inputSchema, input);
		return checked.ok ? await tool.run(checked.value, context) : { text: checked.message, isError: true };
	},
});

/**
 * One form for whatever a tool gives: named fields as one line of JSON, so that the next tool can use them. A bare value goes
 * into `field`; nothing, null and NaN become `{field: null, note}`; what is thrown becomes an error result, except an abort.
 */
export function withNormalisedOutput(field = 'result'): ToolDecorator {
	return (tool) => ({
		...tool,
		run: async (input, context) => {
			try {
				return normalised(await tool.run(input, context), field);
			} catch (error) {
				context.signal.throwIfAborted();
				return { text: textOfError(error), isError: true };
			}
		},
	});
}

/** Tags in addition to the tool's own. */
export function withTags(...tags: readonly string[]): ToolDecorator {
	return (tool) => ({ ...tool, tags: [...new Set([...tool.tags, ...tags])] });
}

function normalised(output: ToolOutput, field: string): ToolOutput {
	if (output.isError) return output;
	const value = normaliseValue(output.data === undefined ? readJson(output.text) : output.data);
	const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
	const data = isFields ? value : value === null || value === '' ? { [field]: null, note: 'There is no result.' } : { [field]: value };
	return { ...output, text: JSON.stringify(data), data };
}

/** Text of a tool that gave no data: as the JSON it is, else as text. */
function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Plain text is a value too.
		return text;
	}
}
