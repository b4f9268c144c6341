import type { McpServer } from './server';

/** What the builder sets for tools whose name fits: fields that are absent stay as the server says. */
export interface OneToolSettings {
	/** Name or pattern with *, as the server calls its tools. */
	readonly name: string;
	/** What it is for in the user's business, one line. */
	readonly intent?: string;
	readonly timeoutMs?: number;
}

export interface McpToolSettings {
	readonly server: McpServer;
	/** Names or patterns with *; [] takes all. */
	readonly include: readonly string[];
	readonly exclude: readonly string[];
	/** Put before every name, e.g. `erp` for erp_search; '' for none. */
	readonly prefix: string;
	/** The first that fits a tool counts. */
	readonly perTool?: readonly OneToolSettings[];
	/** Longest text of a result; 0 or absent leaves the cap to the agent. */
	readonly maxCharacters?: number;
	/** False gives long results without their handle, for readers that are no model. */
	readonly handles?: boolean;
	/** Offers list_resources and read_resource, where the server has resources. */
	readonly offerResources?: boolean;
	/** Offers list_prompts and get_prompt, where the server has prompts. */
	readonly offerPrompts?: boolean;
}

/** True when include and exclude let the name through. */
export function isWanted(name: string, { include, exclude }: Pick<McpToolSettings, 'include' | 'exclude'>): boolean {
	const matches = (patterns: readonly string[]): boolean => patterns.some((pattern) => fits(pattern, name));
	return (include.length === 0 || matches(include)) && !matches(exclude);
}

/** The settings of one tool; {} without any. */
export function settingsFor(name: string, { perTool = [] }: McpToolSettings): Partial<OneToolSettings> {
	return perTool.find((entry) => fits(entry.name, name)) ?? {};
}

function fits(pattern: string, name: string): boolean {
	const parts = pattern.trim().split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`).test(name);
}
