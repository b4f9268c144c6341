import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { wantsStepChart, writeHtml, writeHtmlOfAll } from '../report/html-report';
import { writeJsonLines } from '../report/json-lines';
import { readRun } from '../report/read-run';
import type { ReportOptions, ReportSource } from '../report/report-source';
import { answerOf, writeReport, writeReports } from '../report/write-report';
import { asRecord } from './as-record';
import { eachItem, failedItem } from './each-item';
import { ReportPictures } from './report-pictures';
import { toNodeError } from './to-node-error';

const FILES = {
	jsonl: { ending: 'jsonl', type: 'application/x-ndjson' },
	mail: { ending: 'html', type: 'text/html' },
	markdown: { ending: 'md', type: 'text/markdown' },
	page: { ending: 'html', type: 'text/html' },
} as const;

type Format = keyof typeof FILES;

/** One report for each item, or one of all of them. */
export async function reportItems(ctx: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (ctx.getInputData().length === 0) return [];
	if (ctx.getNodeParameter('items', 0, 'each') === 'all') return await reportOfAll(ctx);
	return await eachItem(ctx, async (itemIndex) => [await reportItem(ctx, itemIndex)]);
}

/** The item with its report, as text and as a file, in the format that the node asks for. */
async function reportItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const item = ctx.getInputData()[itemIndex];
	const paper = paperOf(ctx, itemIndex);
	const source = await sourceOf(paper, itemIndex);
	const report = await write(paper, [source]);
	return await withReport(paper, { json: { ...item?.json }, binary: { ...item?.binary }, pairedItem: { item: itemIndex } }, report);
}

/** One item for all; its options are those of the first. Items without a run are an error, or left out and named. */
async function reportOfAll(ctx: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const paper = paperOf(ctx, 0);
	const sources: ReportSource[] = [];
	const failed: INodeExecutionData[] = [];
	for (const itemIndex of ctx.getInputData().keys()) {
		try {
			sources.push(await sourceOf(paper, itemIndex));
		} catch (error) {
			if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, itemIndex);
			failed.push(failedItem(error, itemIndex));
		}
	}
	if (sources.length === 0) return failed;
	const pairedItem = [...ctx.getInputData().keys()].map((item) => ({ item }));
	return [await withReport(paper, { json: { runs: sources.length }, pairedItem }, await write(paper, sources)), ...failed];
}

interface Paper {
	readonly ctx: IExecuteFunctions;
	readonly format: Format;
	readonly options: ReportOptions;
	readonly pictures: ReportPictures;
	readonly itemIndex: number;
}

function paperOf(ctx: IExecuteFunctions, itemIndex: number): Paper {
	const format = formatOf(ctx.getNodeParameter('format', itemIndex, 'markdown'));
	const options = optionsOf(ctx, itemIndex);
	const attach = format === 'mail' && ctx.getNodeParameter('options.mailPictures', itemIndex, 'attached') === 'attached';
	const form = format === 'mail' ? 'mail' : 'page';
	return { ctx, format, options, itemIndex, pictures: new ReportPictures(ctx, { form, attach, language: options.language }) };
}

function formatOf(given: unknown): Format {
	if (typeof given === 'string' && Object.hasOwn(FILES, given)) return given as Format;
	throw new CodedError('BAD_INPUT', `There is no format ${JSON.stringify(given)}`, { remedy: `Give one of ${Object.keys(FILES).join(', ')}: page is the HTML page, mail the e-mail.` });
}

async function write({ ctx, format, options, pictures, itemIndex }: Paper, sources: readonly ReportSource[]): Promise<string> {
	const [only] = sources;
	const isOne = sources.length === 1 && only !== undefined;
	if (format === 'jsonl') return sources.map((source) => writeJsonLines({ ...source.run, answer: answerOf(source) }, options.show)).join('');
	if (format === 'markdown') return isOne ? writeReport(only, options) : writeReports(sources, options);
	const logo = await pictures.logo(itemIndex, ctx.getNodeParameter('options.logoField', itemIndex, 'logo') as string);
	const how = { ...options, form: format, ...(logo !== undefined && { logo }) };
	return isOne ? await writeHtml(only, how) : await writeHtmlOfAll(sources, how);
}

/** The item with the report, its file, and the pictures that belong to it; `attachments` names those for a mail node. */
async function withReport({ ctx, format, pictures, itemIndex }: Paper, item: INodeExecutionData, report: string): Promise<INodeExecutionData> {
	const name = ctx.getNodeParameter('fileName', itemIndex) as string;
	const fileName = /\.[a-z\d]{1,5}$/i.test(name) ? name : `${name}.${FILES[format].ending}`;
	const file = await ctx.helpers.prepareBinaryData(Buffer.from(report), fileName, FILES[format].type);
	const attachments = Object.keys(pictures.attached).join(',');
	return {
		...item,
		json: { ...item.json, report, ...(format === 'mail' && { attachments }) },
		binary: { ...item.binary, ...pictures.attached, report: file },
	};
}

async function sourceOf({ ctx, format, options, pictures }: Paper, itemIndex: number): Promise<ReportSource> {
	const read = (name: string): unknown => ctx.getNodeParameter(name, itemIndex, undefined);
	const json = ctx.getInputData()[itemIndex]?.json ?? {};
	const answer = read('answer');
	const question = read('question');
	const documents = read('documents');
	const run = readRun(read('run'));
	const isHtml = format === 'page' || format === 'mail';
	return {
		run,
		...(typeof answer === 'string' && { answer }),
		...(typeof question === 'string' && { question }),
		...(Array.isArray(documents) && { documents }),
		...errorOf(json),
		...waitsFor(json, run.stoppedBy),
		...(isHtml && { pictures: await pictures.ofRun(itemIndex, run, wantsStepChart(run, options)) }),
	};
}

/** What an agent's error output says of why its run failed. */
function errorOf({ error, message }: IDataObject): Pick<ReportSource, 'error'> {
	if (typeof error !== 'string' || error === '') return {};
	return { error: { message: error, ...(typeof message === 'string' && message !== '' && { remedy: message }) } };
}

/** The question of a run that ended with one. */
function waitsFor({ question }: IDataObject, stoppedBy: string): Pick<ReportSource, 'waitsFor'> {
	if (stoppedBy !== 'question' && stoppedBy !== 'approval') return {};
	const asked = asRecord(question).question;
	return { waitsFor: typeof asked === 'string' ? asked : '…' };
}

function optionsOf(ctx: IExecuteFunctions, itemIndex: number): ReportOptions {
	return {
		language: ctx.getNodeParameter('language', itemIndex) as ReportOptions['language'],
		title: ctx.getNodeParameter('title', itemIndex) as string,
		sections: ctx.getNodeParameter('sections', itemIndex) as ReportOptions['sections'],
		maxRows: ctx.getNodeParameter('options.maxRows', itemIndex, 50) as number,
		show: ctx.getNodeParameter('options.show', itemIndex, 'everything') as NonNullable<ReportOptions['show']>,
		timezone: ctx.getTimezone(),
	};
}
