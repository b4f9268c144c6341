/**
 * Toolkits: tools that answer exactly, made from plain functions.
 *
 * In: settings of a node (groups, timezone, rows). Out: core tools whose text is the JSON of their data. Numbers and dates
 * that can be read in two ways are refused with a question, never guessed. Nothing here knows n8n or a model; the rooms
 * that call tools validate the arguments first.
 */
import { isCodedError, messageOf } from '../core/errors';
import type { JsonSchema } from '../core/model';
import type { Tool, ToolAnnotations, ToolContext, ToolOutput } from '../core/tool';

/** A tool as its author writes it. */
export interface ToolDefinition<Input> {
	readonly name: string;
	/** One line, as a router matches it. */
	readonly intent: string;
	/** What comes in, what comes out, what is refused; written for the model. */
	readonly description: string;
	/** Properties of the arguments; all keys are required except those in `optional`. */
	readonly input: { readonly [key: string]: JsonSchema };
	readonly optional?: readonly string[];
	readonly tags: readonly string[];
	/** Absent means read-only: most tools only compute. */
	readonly annotations?: ToolAnnotations;
	/** Gives named fields, so that the next tool can use them. */
	run(input: Input, context: ToolContext): object | Promise<object>;
}

const READ_ONLY: ToolAnnotations = { readOnly: true, destructive: false, idempotent: true };

/**
 * Makes a tool. Its text is the result as one line of JSON and `data` the result itself; what it throws becomes an error
 * result that says why, except an abort, which goes on up.
 */
export function makeTool<Input>(definition: ToolDefinition<Input>): Tool {
	const { name, intent, description, tags } = definition;
	return {
		name,
		intent,
		description: `${intent} ${description}`,
		inputSchema: inputSchemaOf(definition),
		tags,
		annotations: definition.annotations ?? READ_ONLY,
		run: (input, context) => runDefinition(definition, input as Input, context),
	};
}

function inputSchemaOf(definition: ToolDefinition<never>): JsonSchema {
	const optional = definition.optional ?? [];
	const required = Object.keys(definition.input).filter((key) => !optional.includes(key));
	return { type: 'object', properties: definition.input, required, additionalProperties: false };
}

async function runDefinition<Input>(
	definition: ToolDefinition<Input>,
	input: Input,
	context: ToolContext,
): Promise<ToolOutput> {
	context.signal.throwIfAborted();
	const output = await outputOf(definition, input, context);
	context.signal.throwIfAborted();
	return output;
}

async function outputOf<Input>(definition: ToolDefinition<Input>, input: Input, context: ToolContext): Promise<ToolOutput> {
	try {
		const data = await definition.run(input, context);
		return { text: JSON.stringify(data), data };
	} catch (error) {
		return { text: textOfError(error), isError: true };
	}
}

/** What went wrong and what to change, as one text for a model. */
export function textOfError(error: unknown): string {
	const remedy = isCodedError(error) ? error.remedy : undefined;
	return remedy === undefined ? messageOf(error) : `${messageOf(error)} ${remedy}`;
}
