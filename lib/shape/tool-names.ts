import { createHash } from 'node:crypto';
import { groupBy } from './group-by';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** A tool by its original name; `source` tells equal names of two servers or nodes apart. */
export interface ToolIdentity {
	readonly name: string;
	readonly source?: string;
}

/** True when every provider takes the name as it is: 1 to 64 characters of [a-zA-Z0-9_-]. */
export function isSafeToolName(name: string): boolean {
	return /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}

/**
 * Names that a model may use, in the order of the tools; the original name stays with the tool.
 *
 * A safe name that is unique stays as it is. Any other one becomes `<readable part>_<8 characters of its hash>`, made from
 * its own name (and source, where two tools share a name) only: neither connection order nor other tools change it. All
 * aliases differ; two tools that share name and source are numbered in their order.
 */
export function toolAliases(tools: readonly ToolIdentity[]): string[] {
	const groups = groupBy(tools, (tool) => tool.name);
	const taken = new Set([...groups].filter(([name, group]) => isSafeToolName(name) && group.length === 1).map(([name]) => name));
	return tools.map((tool) => {
		if (taken.has(tool.name)) return tool.name;
		const shared = (groups.get(tool.name)?.length ?? 0) > 1;
		return firstFree(taken, tool.name, shared ? `${tool.source ?? ''}\n${tool.name}` : tool.name);
	});
}

function firstFree(taken: Set<string>, name: string, identity: string): string {
	for (let number = 1; ; number++) {
		const alias = hashedAlias(name, number === 1 ? identity : `${identity}\n${number}`);
		if (taken.has(alias)) continue;
		taken.add(alias);
		return alias;
	}
}

function hashedAlias(name: string, identity: string): string {
	const readable = name
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/[^a-zA-Z0-9_-]+/g, '_')
		.slice(0, MAX_LENGTH - HASH_LENGTH - 1)
		.replace(/^_+|_+$/g, '');
	const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_LENGTH);
	return `${readable || 'tool'}_${hash}`;
}
