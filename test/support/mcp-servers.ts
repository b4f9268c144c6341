import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonSchema } from '../../lib/core/model';
import type { Tool } from '../../lib/core/tool';
import { firstSentence } from '../../lib/text/first-sentence';
import { startFakeServer, type FakeServer } from '../mcp/fake-server';

export interface ListedTool {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
}

export interface ToolList {
	readonly package: string;
	readonly tools: readonly ListedTool[];
}

/** What 20 real MCP servers list: 518 tools. */
export function realToolLists(): ToolList[] {
	const packed = readFileSync(path.resolve(__dirname, '../fixtures/mcp-servers/tools.json.gz'));
	return (JSON.parse(gunzipSync(packed).toString('utf8')) as { servers: ToolList[] }).servers;
}

/** The 518 tools as core tools that do nothing. */
export function realTools(): Tool[] {
	return realToolLists().flatMap(({ tools }) => tools).map((tool) => ({
		...tool,
		intent: firstSentence(tool.description),
		tags: [],
		run: async () => await Promise.resolve({ text: '' }),
	}));
}

export interface CalledTool {
	readonly server: string;
	readonly name: string;
	readonly input: unknown;
}

export interface RunningServers {
	readonly servers: ReadonlyArray<{ readonly name: string; readonly url: string }>;
	/** Calls in their order. */
	readonly calls: readonly CalledTool[];
	stop(): Promise<void>;
}

/** Starts a server on 127.0.0.1 for each list; a tool answers with what `answers` has for its name, an error otherwise. */
export async function startRealLists(answers: { readonly [tool: string]: string }): Promise<RunningServers> {
	const calls: CalledTool[] = [];
	const running: Array<{ name: string; url: string; server: FakeServer }> = [];
	for (const { package: name, tools } of realToolLists()) {
		const server = await startFakeServer(({ message, reply, refuse }) => {
			if (message.method === 'tools/list') return reply({ tools });
			const called = String(message.params?.name);
			calls.push({ server: name, name: called, input: message.params?.arguments });
			const text = answers[called];
			return text === undefined ? refuse(-32602, `nothing is known of ${called}`) : reply({ content: [{ type: 'text', text }] });
		});
		running.push({ name, url: server.url, server });
	}
	const stop = async (): Promise<void> => void (await Promise.all(running.map(async ({ server }) => await server.stop())));
	return { servers: running, calls, stop };
}
