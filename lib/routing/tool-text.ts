import type { Tool } from '../core/tool';

/** What is matched against a query: the words that describe a tool, in order of weight. */

/** A name as words: `search_workOrders` → `search work orders`. */
export function nameWords(name: string): string {
	return name.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/[_\-./]+/g, ' ').trim();
}

/** Text for the lexical side: name as words, intent, description, names and descriptions of the parameters. */
export function lexicalText(tool: Tool): string {
	const description = tool.description === tool.intent ? '' : tool.description;
	return [nameWords(tool.name), tool.intent, description, ...parameterTexts(tool), tool.tags.join(' ')].join('\n');
}

/** Text for the encoder: name as words and what the tool is for; parameters would only blur it. */
export function semanticText(tool: Tool): string {
	const purpose = tool.description.startsWith(tool.intent) ? tool.description : `${tool.intent} ${tool.description}`;
	return `${nameWords(tool.name)}: ${purpose}`.slice(0, 1_000);
}

function parameterTexts({ inputSchema }: Tool): string[] {
	const properties = (inputSchema.properties ?? {}) as Record<string, { description?: unknown }>;
	return Object.entries(properties).map(([name, schema]) =>
		typeof schema?.description === 'string' ? `${nameWords(name)} ${schema.description}` : nameWords(name),
	);
}
