import { CodedError } from '../core/errors';
import type { JsonSchema } from '../core/model';
import type { Tool } from '../core/tool';
import { makeTool } from './make-tool';
import { normaliseValue } from './normalise-value';

/** How one export becomes a tool. */
export interface ExportTool {
	/** Name of the export: a function. */
	readonly export: string;
	/** Absent: the export's name in snake_case. */
	readonly name?: string;
	readonly intent: string;
	/** What else the model should know: ranges, what is refused. */
	readonly says?: string;
	/** Arguments by name, in the order of the function's own. */
	readonly input: { readonly [argument: string]: JsonSchema };
	readonly optional?: readonly string[];
	/** Argument that holds a list: its length stands beside the result as `count`. */
	readonly counted?: string;
	/** Name of the field that holds the result. */
	readonly result?: string;
	/** Makes the function's arguments from the checked input, where its order is not enough. */
	readonly toArguments?: (input: Record<string, unknown>) => readonly unknown[];
}

export interface ModuleTools {
	/** For messages: the package's name. */
	readonly module: string;
	/** Loads the module at the first call of a tool. */
	load(): Promise<object>;
	readonly exports: readonly ExportTool[];
	/** Patterns over tool names with `*`; absent or [] takes all. */
	readonly include?: readonly string[];
	/** Patterns to leave out; stronger than `include`. */
	readonly exclude?: readonly string[];
	readonly tags: readonly string[];
}

/**
 * Tools from chosen exports of a module, in the order given. What a function gives is brought to plain JSON and put into a named
 * field; the description says so to the model.
 */
export function toolsFromModule(definition: ModuleTools): Tool[] {
	return definition.exports
		.filter((entry) => isChosen(nameOf(entry), definition))
		.map((entry) => {
			const { intent, says = '', input, optional = [], result = 'result', counted } = entry;
			const description = `${says} Returns {${counted === undefined ? '' : 'count, '}${result}}; null when there is none.`.trim();
			const run = async (given: Record<string, unknown>): Promise<object> => ({
				...(counted !== undefined && { count: (given[counted] as unknown[]).length }),
				[result]: await call(definition, entry, given),
			});
			return makeTool<Record<string, unknown>>({ name: nameOf(entry), intent, description, input, optional, tags: definition.tags, run });
		});
}

async function call({ load, module }: ModuleTools, entry: ExportTool, given: Record<string, unknown>): Promise<unknown> {
	const made = (await load()) as Record<string, unknown>;
	const fn = made[entry.export];
	if (typeof fn !== 'function') throw new CodedError('INTERNAL', `${module} has no function "${entry.export}"`);
	const values = entry.toArguments?.(given) ?? Object.keys(entry.input).map((argument) => given[argument]);
	return normaliseValue(await Reflect.apply(fn, made, [...values]));
}

function nameOf({ name, export: exported }: ExportTool): string {
	return name ?? exported.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1_').toLowerCase();
}

function isChosen(name: string, { include = [], exclude = [] }: ModuleTools): boolean {
	return (include.length === 0 || include.some((pattern) => fits(name, pattern))) && !exclude.some((pattern) => fits(name, pattern));
}

function fits(name: string, pattern: string): boolean {
	const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`, 'i').test(name);
}
