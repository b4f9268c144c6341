import type { TestWorkflow } from './real-n8n';
import { ourModelAt, webhookWorkflow, type Link, type NodeLine } from './webhook-workflow';

const SERVERS_IN_A_ROW = 10;

export interface ManyToolsCanvas {
	readonly id: string;
	/** Ours or n8n's, named Agent. */
	readonly agent: NodeLine;
	readonly modelUrl: string;
	readonly servers: ReadonlyArray<{ readonly name: string; readonly url: string }>;
}

/** MCP servers, a node for each, behind a Tool Router with local embeddings, behind an agent; the webhook has the workflow's id. */
export function manyToolsWorkflow({ id, agent, modelUrl, servers }: ManyToolsCanvas): TestWorkflow {
	const lines: NodeLine[] = [
		agent,
		ourModelAt(modelUrl),
		['Router', 'toolRouter', 1, { query: '={{ $json.body.query }}' }],
		['Embeddings', 'embeddings', 1, { provider: 'local', localModel: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4' }],
		...servers.map(({ name, url }): NodeLine => [name, 'mcpToolkit', 1, { transport: 'http', url }]),
	];
	const links: Link[] = [
		['Webhook', 'main', 'Agent'],
		['Model', 'ai_languageModel', 'Agent'],
		['Router', 'ai_tool', 'Agent'],
		['Embeddings', 'ai_embedding', 'Router'],
		...servers.map(({ name }): Link => [name, 'ai_tool', 'Router']),
	];
	const workflow = webhookWorkflow(id, id.toLowerCase(), lines, links);
	const places: Record<string, [number, number]> = { Webhook: [0, 0], Agent: [240, 0], Model: [160, 240], Router: [480, 240], Embeddings: [960, 480] };
	servers.forEach(({ name }, at) => {
		places[name] = [-480 + (at % SERVERS_IN_A_ROW) * 240, 720 + Math.floor(at / SERVERS_IN_A_ROW) * 240];
	});
	return { ...workflow, nodes: workflow.nodes.map((node) => ({ ...node, position: places[node.name] ?? node.position })) };
}
