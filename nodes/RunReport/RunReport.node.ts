import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { reportItems } from '../../lib/n8n/report-item';
import { properties } from './description';

export class RunReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Run Report',
		name: 'runReport',
		icon: { light: 'file:run-report.svg', dark: 'file:run-report.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["title"] || $parameter["format"] }}',
		description: 'Writes what an agent did, once or for several items, as a report (Markdown, HTML page, e-mail, JSON lines): answer, figures check, tables, charts, sources, steps',
		defaults: { name: 'Run Report' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await reportItems(this)];
	}
}
