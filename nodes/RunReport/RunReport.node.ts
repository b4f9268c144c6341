import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { readRun } from '../../lib/report/read-run';
import { writeReport, type ReportOptions, type ReportSource } from '../../lib/report/write-report';
import { properties } from './description';

export class RunReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Run Report',
		name: 'runReport',
		icon: { light: 'file:run-report.svg', dark: 'file:run-report.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["title"] || "Markdown" }}',
		description: 'Writes what an agent did as a Markdown report: answer, tables of figures from its tools, sources, steps',
		defaults: { name: 'Run Report' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await eachItem(this, async (itemIndex) => [await reportItem(this, itemIndex)])];
	}
}

async function reportItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const item = ctx.getInputData()[itemIndex];
	const report = writeReport(sourceOf(ctx, itemIndex), optionsOf(ctx, itemIndex));
	const fileName = ctx.getNodeParameter('fileName', itemIndex) as string;
	const file = await ctx.helpers.prepareBinaryData(Buffer.from(report), fileName, 'text/markdown');
	return {
		json: { ...item?.json, report },
		binary: { ...item?.binary, report: file },
		pairedItem: { item: itemIndex },
	};
}

function sourceOf(ctx: IExecuteFunctions, itemIndex: number): ReportSource {
	const read = (name: string): unknown => ctx.getNodeParameter(name, itemIndex, undefined);
	const answer = read('answer');
	const question = read('question');
	const documents = read('documents');
	return {
		run: readRun(read('run')),
		...(typeof answer === 'string' && { answer }),
		...(typeof question === 'string' && { question }),
		...(Array.isArray(documents) && { documents }),
	};
}

function optionsOf(ctx: IExecuteFunctions, itemIndex: number): ReportOptions {
	return {
		language: ctx.getNodeParameter('language', itemIndex) as ReportOptions['language'],
		title: ctx.getNodeParameter('title', itemIndex) as string,
		sections: ctx.getNodeParameter('sections', itemIndex) as ReportOptions['sections'],
		maxRows: ctx.getNodeParameter('options.maxRows', itemIndex, 50) as number,
	};
}
