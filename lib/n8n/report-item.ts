import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { writeHtml, type HtmlOptions } from '../report/html-report';
import { writeJsonLines } from '../report/json-lines';
import { readRun } from '../report/read-run';
import { answerOf, writeReport, type ReportOptions, type ReportSource } from '../report/write-report';

const FILES = {
	jsonl: { ending: 'jsonl', type: 'application/x-ndjson' },
	mail: { ending: 'html', type: 'text/html' },
	markdown: { ending: 'md', type: 'text/markdown' },
	page: { ending: 'html', type: 'text/html' },
} as const;

/** The item with its report, as text and as a file, in the format that the node asks for. */
export async function reportItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const item = ctx.getInputData()[itemIndex];
	const format = formatOf(ctx.getNodeParameter('format', itemIndex, 'markdown'));
	const report = await writeAs(ctx, itemIndex, format);
	const name = ctx.getNodeParameter('fileName', itemIndex) as string;
	const fileName = /\.[a-z\d]{1,5}$/i.test(name) ? name : `${name}.${FILES[format].ending}`;
	const file = await ctx.helpers.prepareBinaryData(Buffer.from(report), fileName, FILES[format].type);
	return {
		json: { ...item?.json, report },
		binary: { ...item?.binary, report: file },
		pairedItem: { item: itemIndex },
	};
}

function formatOf(given: unknown): keyof typeof FILES {
	if (typeof given === 'string' && Object.hasOwn(FILES, given)) return given as keyof typeof FILES;
	throw new CodedError('BAD_INPUT', `There is no format ${JSON.stringify(given)}`, { remedy: `Give one of ${Object.keys(FILES).join(', ')}: page is the HTML page, mail the e-mail.` });
}

async function writeAs(ctx: IExecuteFunctions, itemIndex: number, format: keyof typeof FILES): Promise<string> {
	const source = sourceOf(ctx, itemIndex);
	const options = optionsOf(ctx, itemIndex);
	if (format === 'markdown') return writeReport(source, options);
	if (format === 'jsonl') return writeJsonLines({ ...source.run, answer: answerOf(source) });
	const show = ctx.getNodeParameter('options.show', itemIndex, 'everything') as HtmlOptions['show'];
	const logo = await logoOf(ctx, itemIndex);
	return await writeHtml(source, { ...options, form: format, show, ...(logo && { logo }) });
}

/** The picture as a data address: neither a page that opens offline nor a mail program may fetch it. */
async function logoOf(ctx: IExecuteFunctions, itemIndex: number): Promise<string | undefined> {
	const field = ctx.getNodeParameter('options.logoField', itemIndex, '') as string;
	const picture = field === '' ? undefined : ctx.getInputData()[itemIndex]?.binary?.[field];
	if (!picture?.mimeType.startsWith('image/')) return undefined;
	return `data:${picture.mimeType};base64,${(await ctx.helpers.getBinaryDataBuffer(itemIndex, field)).toString('base64')}`;
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
