import type { Tool } from '../core/tool';

/** What is matched against a query: the words that describe a tool. */

/** Characters of a description that are matched: what a tool is for stands at its beginning, and long ones cost time. */
const DESCRIPTION_READ = 1_500;
const DESCRIPTION_EMBEDDED = 400;
/** In sets of thousands less is embedded, and the intent only where it opens the description: the first time must end soon. */
const LARGE_SET = 1_000;
const EMBEDDED_IN_LARGE_SET = 240;

/** A name as words: `search_workOrders` → `search work orders`. */
export function nameWords(name: string): string {
	return name.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/[_\-./]+/g, ' ').trim();
}

/**
 * Text for the lexical side: name as words, intent, description, names of the parameters, tags, example questions. The intent
 * stands twice where the description begins with it: its words count more.
 */
export function lexicalText(tool: Tool & { readonly examples?: readonly string[] }): string {
	const { name, intent, description, tags, examples = [] } = tool;
	return [nameWords(name), intent, description.slice(0, DESCRIPTION_READ), parameterWords(tool), tags.join(' '), ...examples].join('\n');
}

/** One thing that is said of a tool, and how much it counts. */
export interface View {
	readonly text: string;
	readonly weight: number;
}

/**
 * What the encoder sees of a tool. Three short views, each its own vector, are surer than one long text: averaged they beat
 * every single one on all sets measured. Weights sum to 1; a view that would say nothing new is left out.
 *
 * @param tools  how many there are in the set
 */
export function semanticViews(tool: Tool, tools = 1): View[] {
	const name = nameWords(tool.name);
	const purpose = purposeOf(tool);
	const isLarge = tools > LARGE_SET;
	const whole = `${name}: ${purpose}`.slice(0, isLarge ? EMBEDDED_IN_LARGE_SET : DESCRIPTION_EMBEDDED);
	const intent = tool.intent.trim() === '' ? name : `${name}: ${tool.intent}`;
	const views = [
		{ text: whole, weight: 0.5 },
		{ text: isLarge ? whole : intent, weight: 0.3 },
		{ text: name, weight: 0.2 },
	];
	const merged = new Map<string, number>();
	for (const { text, weight } of views) merged.set(text, (merged.get(text) ?? 0) + weight);
	return [...merged].map(([text, weight]) => ({ text, weight }));
}

function purposeOf({ intent, description }: Tool): string {
	return description.startsWith(intent) ? description : `${intent} ${description}`;
}

function parameterWords({ inputSchema }: Tool): string {
	const { properties } = inputSchema;
	return typeof properties === 'object' && properties !== null ? Object.keys(properties).map(nameWords).join(' ') : '';
}
