/**
 * Suite `mcp-schemas`: what becomes of real tool lists, `{servers: [{package, tools: [{name, inputSchema, …}]}]}`.
 *
 * Every list goes through the toolkit as a server's would. `usable` tools are offered, `refused` are not; `adapted` of the usable
 * differ for some provider from what the server declares, and `changed` differ already before any provider (for the model or the
 * validator), once local references are put in. `providers` splits the same tools by provider.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from '../examples/setup/places.mjs';

const load = createRequire(import.meta.url);
const PROVIDERS = { mistral: 'plain', local: 'plain', 'openai-compatible': 'openai', ollama: 'ollama' };

/** @returns {servers, tools, usable, adapted, refused, changed, reasons, providers, ms, msPerTool, parseMs, ratioToParse} */
export async function run({ data, say }) {
	if (!Array.isArray(data?.servers)) throw new Error('mcp-schemas needs --data <file> with {"servers": [{"package", "tools": […]}]}.');
	const { mcpTools } = load(path.join(root, 'dist/lib/mcp/mcp-tools.js'));
	const { adaptSchema } = load(path.join(root, 'dist/lib/shape/adapt-schema.js'));
	const { compileSchema } = load(path.join(root, 'dist/lib/shape/compile-schema.js'));
	const entries = [];
	const startedAt = performance.now();
	for (const { package: name, tools } of data.servers) {
		const session = { listTools: async () => tools, can: async () => false };
		const server = { transport: 'stdio', command: name, args: [], env: {} };
		entries.push(...(await mcpTools(session, { server, include: [], exclude: [], prefix: '' })).entries.map((entry) => ({ ...entry, package: name })));
	}
	const usable = entries.filter(({ tool }) => tool !== undefined);
	const reports = usable.map(({ tool }) => Object.fromEntries(Object.entries(PROVIDERS).map(([provider, dialect]) => [provider, adaptSchema(tool.inputSchema, dialect).notes])));
	const ms = performance.now() - startedAt;
	const text = JSON.stringify(data);
	const parseMs = timed(() => JSON.parse(text));
	for (const { tool } of usable) compileSchema(tool.inputSchema)({});
	const refused = entries.filter(({ tool }) => tool === undefined);
	const changed = usable.filter(({ declared, tool }) => isChanged(declared.inputSchema, tool.inputSchema, adaptSchema(tool.inputSchema, 'plain').schema));
	const result = {
		servers: data.servers.length,
		tools: entries.length,
		usable: usable.length,
		adapted: reports.filter((report) => Object.values(report).some((notes) => notes.length > 0)).length,
		refused: refused.length,
		changed: changed.length,
		reasons: countReasons(refused.map(({ reason }) => reason)),
		providers: Object.fromEntries(Object.keys(PROVIDERS).map((provider) => [provider, split(reports.map((report) => report[provider]), refused.length)])),
		ms: rounded(ms), msPerTool: rounded(ms / entries.length), parseMs: rounded(parseMs), ratioToParse: rounded(ms / parseMs),
	};
	for (const [provider, { asDeclared, adapted, refused: out, reasons }] of Object.entries(result.providers)) {
		say(`${provider.padEnd(18)} as declared ${asDeclared}, adapted ${adapted}, refused ${out}`);
		for (const [reason, count] of Object.entries(reasons)) say(`${' '.repeat(20)}${String(count).padStart(4)} × ${reason}`);
	}
	for (const { package: name, declared, reason } of refused) say(`refused: ${name} ${declared.name}: ${reason}`);
	say(`${result.tools} tools of ${result.servers} servers: ${result.usable} usable, ${result.refused} refused, ${result.changed} changed`);
	return result;
}

/** True when the tool's own schema is not the declared one, or the model's differs by more than references put in. */
function isChanged(declared, own, shown) {
	if (own !== declared && !isDeepStrictEqual(own, declared ?? { type: 'object' })) return true;
	return !isDeepStrictEqual(shown, withRefs(declared ?? { type: 'object' }));
}

/** An own, simple way to put local references in; what contains itself ends as an object. */
function withRefs(root) {
	const uses = JSON.stringify(root).includes('"$ref":"');
	if (!uses) return root.type === undefined ? { ...root, type: 'object' } : root;
	const walk = (value, open) => {
		if (Array.isArray(value)) return value.map((entry) => walk(entry, open));
		if (typeof value !== 'object' || value === null) return value;
		const { $ref, ...beside } = value;
		if (typeof $ref !== 'string') return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$defs' && key !== 'definitions').map(([key, entry]) => [key, walk(entry, open)]));
		if (open.includes($ref)) return { type: 'object', ...beside };
		const target = $ref.slice(2).split('/').reduce((at, key) => at?.[decodeURIComponent(key)], root);
		return { ...walk(target, [...open, $ref]), ...walk(beside, open) };
	};
	return walk(root, []);
}

function split(notes, refused) {
	const adapted = notes.filter((list) => list.length > 0);
	// A place is not a kind: "n: minimum said in the description" counts as "minimum said in the description".
	const kinds = adapted.flatMap((list) => [...new Set(list.map((note) => note.replace(/^[^:]*: /, '').replace(/^#\/\S+/, 'a reference')))]);
	return { asDeclared: notes.length - adapted.length, adapted: adapted.length, refused, reasons: countReasons(kinds) };
}

function countReasons(reasons) {
	const counts = new Map();
	for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]));
}

function timed(work) {
	const startedAt = performance.now();
	work();
	return performance.now() - startedAt;
}

function rounded(value) {
	return Math.round(value * 100) / 100;
}
