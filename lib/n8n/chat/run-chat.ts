/**
 * The Chat Engine node for one item: reads the conversation, runs the chat, streams its text when n8n streams, keeps the turn.
 *
 * However it ends (an answer, an error, a client that went away, a cancelled execution), the chat's generator is closed.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { chat, type ChatParts } from '../../chat/chat-engine';
import type { ChatResult } from '../../chat/chat-result';
import { languageOf } from '../../chat/condense';
import { CodedError } from '../../core/errors';
import type { ConversationMemory } from '../../core/memory';
import { textMessage, type Message } from '../../core/message';
import { Regrouper } from '../../text/regroup';
import { connectedMemory, connectedModel } from '../connected';
import { connectedRetriever } from '../connected-retriever';
import { portsOf } from '../ports';
import { readChatParameters, type ChatParameters } from './read-chat';

/** Answers the question of one item. Throws CodedError for what ends the item. */
export async function runChatItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const parameters = readChatParameters(ctx, itemIndex);
	const memory = await connectedMemory(ctx, itemIndex);
	const said = parameters.isResetCommand ? ((await memory?.load()) ?? []) : [];
	if (parameters.resets) await memory?.clear();
	if (parameters.isResetCommand) return [await forgotten(ctx, { itemIndex, parameters, history: said })];
	if (parameters.question === '') throw noQuestion();
	const history = await historyOf(parameters, memory);
	const result = await run(ctx, { itemIndex, parameters, history });
	await memory?.save(turnOf(ctx, { itemIndex, result, question: parameters.question }), parameters.startsFresh);
	for (const message of result.run.warnings) ctx.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	return [outputItem(ctx, { itemIndex, result, parameters })];
}

function noQuestion(): CodedError {
	return new CodedError('BAD_INPUT', 'The question is empty', {
		remedy: 'Let the field Question give a text or a message, for example {{ $json.chatInput }}; behind a Webhook {{ $json.body.query }}.',
	});
}

/** Given turns count instead of the memory's; an empty list or a reset means that there are none. */
async function historyOf({ history, startsFresh, resets }: ChatParameters, memory: ConversationMemory | undefined): Promise<readonly Message[]> {
	if (history) return history;
	return startsFresh || resets ? [] : ((await memory?.load()) ?? []);
}

interface ChatItem {
	readonly itemIndex: number;
	readonly parameters: ChatParameters;
	readonly history: readonly Message[];
}

async function run(ctx: IExecuteFunctions, { itemIndex, parameters, history }: ChatItem): Promise<ChatResult> {
	const retrieve = parameters.documents ? undefined : await connectedRetriever(ctx, itemIndex);
	const parts: ChatParts = {
		model: await connectedModel(ctx, itemIndex),
		...(retrieve && { retrieve }),
		ports: portsOf(ctx),
		signal: signalFor(ctx, parameters.maxSeconds),
	};
	const { language, documents, unknownAnswer, ...rest } = parameters;
	const optional = { ...(language && { language }), ...(documents && { documents }), ...(unknownAnswer && { unknownAnswer }) };
	const running = chat(parts, { ...rest, ...optional, history });
	const stream = streamOf(ctx, itemIndex, parameters);
	try {
		for (;;) {
			const next = await running.next();
			if (next.done) {
				await stream.end();
				return next.value;
			}
			if (next.value.type === 'text-delta') await stream.send(next.value.text);
		}
	} finally {
		// Where sending failed, because nobody listens any more, the model's stream is still open.
		await running.return(undefined as never);
	}
}

function signalFor(ctx: IExecuteFunctions, maxSeconds: number): AbortSignal {
	const limit = AbortSignal.timeout(Math.max(1, Math.ceil(maxSeconds * 1000)));
	const cancel = ctx.getExecutionCancelSignal();
	return cancel ? AbortSignal.any([cancel, limit]) : limit;
}

/** One begin and one end around the text, when n8n streams the response; else nothing is sent. */
function streamOf(ctx: IExecuteFunctions, itemIndex: number, { granularity }: ChatParameters) {
	const streams = ctx.isStreaming();
	const regrouper = new Regrouper(granularity);
	let hasBegun = false;
	const pass = async (pieces: readonly string[]): Promise<void> => {
		for (const piece of streams ? pieces : []) {
			if (!hasBegun) await ctx.sendChunk('begin', itemIndex);
			hasBegun = true;
			await ctx.sendChunk('item', itemIndex, piece);
		}
	};
	return {
		send: async (text: string) => await pass(regrouper.add(text)),
		end: async () => {
			await pass(regrouper.end());
			if (hasBegun) await ctx.sendChunk('end', itemIndex);
		},
	};
}

/** The user's own words: those before Condense Question, when the item came through it. */
function turnOf(ctx: IExecuteFunctions, { itemIndex, result, question }: { itemIndex: number; result: ChatResult; question: string }): Message[] {
	const { query, originalQuery } = ctx.getInputData()[itemIndex]?.json ?? {};
	const asked = query === question && typeof originalQuery === 'string' && originalQuery !== '' ? originalQuery : question;
	return [textMessage('user', asked), textMessage('assistant', result.answer)];
}

function outputItem(
	ctx: IExecuteFunctions,
	{ itemIndex, result, parameters }: { itemIndex: number; result: ChatResult; parameters: ChatParameters },
): INodeExecutionData {
	const item = ctx.getInputData()[itemIndex];
	const { answer, known, sources, query, originalQuery, run: report } = result;
	const { error: inputError, ...json } = item?.json ?? {};
	const added = { output: answer, sources, known, query, originalQuery: json.originalQuery ?? originalQuery, run: shownRun(report, parameters.detailOfRun) };
	return {
		...item,
		json: { ...json, ...(inputError !== undefined && { inputError }), ...(added as unknown as IDataObject) },
		pairedItem: { item: itemIndex },
	};
}

/** `summary` leaves out what the stages were given and gave, `none` the stages themselves. */
function shownRun({ stages, ...run }: ChatResult['run'], detail: ChatParameters['detailOfRun']): object {
	if (detail === 'none') return run;
	return { ...run, stages: detail === 'full' ? stages : stages.map(({ name, durationMs }) => ({ name, durationMs })) };
}

const FORGOTTEN = { en: 'Our conversation is forgotten. What can I do for you?', fr: 'Notre conversation est oubliée. Que puis-je faire pour vous ?' } as const;

/** Said in the language of the conversation that is over. */
async function forgotten(ctx: IExecuteFunctions, { itemIndex, parameters, history }: ChatItem): Promise<INodeExecutionData> {
	const item = ctx.getInputData()[itemIndex];
	const output = FORGOTTEN[parameters.language ?? languageOf('', history)];
	const stream = streamOf(ctx, itemIndex, parameters);
	await stream.send(output);
	await stream.end();
	return { ...item, json: { ...item?.json, output, sources: [], reset: true }, pairedItem: { item: itemIndex } };
}
