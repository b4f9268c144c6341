import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { runTaskPlanner } from '../../lib/n8n/task-planner';
import { properties } from './description';

export class TaskPlanner implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Task Planner',
		name: 'taskPlanner',
		icon: { light: 'file:task-planner.svg', dark: 'file:task-planner.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Splits a long task into steps, one item each, to see, change and approve before agents do them; then joins their results',
		defaults: { name: 'Task Planner' },
		inputs: `={{ $parameter.operation === 'next' ? [{ type: '${NodeConnectionTypes.Main}' }] : [{ type: '${NodeConnectionTypes.Main}' }, { type: '${NodeConnectionTypes.AiLanguageModel}', displayName: 'Model', required: true, maxConnections: 1 }, ...($parameter.operation === 'synthesise' ? [] : [{ type: '${NodeConnectionTypes.AiTool}', displayName: 'Tools' }])] }}`,
		outputs: `={{ $parameter.operation === 'next' ? [{ type: '${NodeConnectionTypes.Main}', displayName: 'Steps' }, { type: '${NodeConnectionTypes.Main}', displayName: 'Finished' }] : [{ type: '${NodeConnectionTypes.Main}' }] }}`,
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runTaskPlanner(this);
	}
}
