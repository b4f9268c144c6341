import pLimit from 'p-limit';
import type { Hit } from '../core/document';
import { isCodedError, messageOf, raise } from '../core/errors';
import { textMessage } from '../core/message';
import { type ChatModel, collectReply, type JsonSchema, type ModelReply } from '../core/model';
import { fenced } from '../text/fence';
import { type Question, recentTurns, titleOf } from './question';

/** What a model step needs. */
export interface ModelTools {
	readonly model: ChatModel;
	/** Eight hexadecimal digits, new for each run: stands around passages, so that they cannot end the fence. */
	readonly mark: string;
	/** Calls at a time. */
	readonly maxParallel: number;
	readonly signal?: AbortSignal;
}

/** One request for each passage. */
export interface PassageTask {
	readonly instructions: string;
	readonly schema?: JsonSchema;
	/** Most tokens of a reply. */
	readonly maxTokens: number;
}

export interface Tokens {
	readonly calls: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
}

export interface Answers {
	/** One for each passage, in order; undefined where the call failed. */
	readonly replies: readonly (string | undefined)[];
	/** One sentence for each failed passage. */
	readonly failures: readonly string[];
	readonly usage: Tokens;
}

const nameOf = (hit: Hit): string => titleOf(hit) || hit.source || hit.id;

function promptFor(question: Question, hit: Hit, mark: string): string {
	const turns = recentTurns(question);
	return [
		turns === '' ? '' : `The conversation before the question:\n${turns}`,
		`Question: ${question.query}`,
		`Passage ${fenced(mark, `${nameOf(hit)}\n\n${hit.text}`)}`,
	]
		.filter(Boolean)
		.join('\n\n');
}

async function ask(question: Question, hit: Hit, task: PassageTask, tools: ModelTools): Promise<ModelReply> {
	const { model, mark, signal } = tools;
	const request = {
		messages: [textMessage('system', task.instructions.replaceAll('MARK', mark)), textMessage('user', promptFor(question, hit, mark))],
		temperature: 0,
		maxTokens: task.maxTokens,
		...(task.schema && model.capabilities.responseSchema === 'yes' ? { responseSchema: task.schema } : {}),
	};
	return await collectReply(model, request, signal ?? new AbortController().signal);
}

/**
 * Asks the model about each passage on its own, several at a time, under the question and the last turns. A call that fails costs its
 * passage only. [] gives [] and asks nothing.
 *
 * @throws the signal's reason when it aborts; the first error when every call fails
 */
export async function askPassages(question: Question, hits: readonly Hit[], task: PassageTask, tools: ModelTools): Promise<Answers> {
	const limit = pLimit(Math.max(1, tools.maxParallel));
	const settled = await Promise.allSettled(hits.map((hit) => limit(async () => await ask(question, hit, task, tools))));
	tools.signal?.throwIfAborted();
	const failed = settled.filter((one) => one.status === 'rejected');
	if (failed.length > 0 && failed.length === hits.length) raise(failed[0]!.reason);
	const replies = settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
	const sum = (part: 'inputTokens' | 'outputTokens'): number => replies.reduce((total, reply) => total + (reply?.usage[part] ?? 0), 0);
	return {
		replies: replies.map((reply) => reply?.text),
		failures: settled.flatMap((one, position) => (one.status === 'rejected' ? [failure(hits[position]!, one.reason)] : [])),
		usage: { calls: hits.length, inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') },
	};
}

function failure(hit: Hit, error: unknown): string {
	const remedy = isCodedError(error) && error.remedy ? ` ${error.remedy}` : '';
	return `The model failed on passage "${nameOf(hit)}", so its sentences were chosen without it: ${messageOf(error)}.${remedy}`;
}
