import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { connectedEmbedder } from '../../lib/n8n/connected';
import { toolsByName } from '../../lib/n8n/connected-tools';
import { eachItem } from '../../lib/n8n/each-item';
import { portsOf } from '../../lib/n8n/ports';
import { readIntents } from '../../lib/n8n/read-routing';
import { auditTable } from '../../lib/routing/audit-table';
import { auditTools, type Audit } from '../../lib/routing/audit-tools';
import { areaFolder } from '../../lib/storage/paths';
import { properties } from './description';
import { rowItems } from './row-items';

export class ToolAudit implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Tool Audit',
		name: 'toolAudit',
		icon: { light: 'file:tool-audit.svg', dark: 'file:tool-audit.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter.output === "tools" ? "one item per tool" : "the whole audit" }}',
		description: 'Lists the tools of an agent with their cost, weak names and tools that are too alike; ranks them for a query',
		defaults: { name: 'Tool Audit' },
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiTool, displayName: 'Tools', required: true },
			{ type: NodeConnectionTypes.AiEmbedding, displayName: 'Embeddings', maxConnections: 1 },
		],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [
			await eachItem(this, async (itemIndex) => {
				const audit = await auditOf(this, itemIndex);
				const { json = {} } = this.getInputData()[itemIndex] ?? {};
				if (this.getNodeParameter('output', itemIndex) === 'tools') return rowItems(audit, itemIndex);
				return { ...json, audit: audit as unknown as IDataObject, table: auditTable(audit) };
			}),
		];
	}
}

async function auditOf(ctx: IExecuteFunctions, itemIndex: number): Promise<Audit> {
	const connected = [...(await toolsByName(ctx, itemIndex))];
	const embedder = await connectedEmbedder(ctx, itemIndex);
	const signal = ctx.getExecutionCancelSignal();
	return await auditTools(
		connected.map(([name, { tool, nodeName }]) => ({ tool: { ...tool, name }, originalName: tool.name, node: nodeName })),
		{
			query: String(ctx.getNodeParameter('query', itemIndex, '') ?? ''),
			topK: ctx.getNodeParameter('topK', itemIndex, 20) as number,
			intents: readIntents(ctx, itemIndex),
			vectorsFolder: areaFolder('tool-vectors'),
			log: portsOf(ctx).log,
			...(embedder && { embedder }),
			...(signal && { signal }),
		},
	);
}
