import type { IBinaryData, IBinaryKeyData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Message } from '../../core/message';
import type { RunReport } from '../../core/run';
import type { AgentEnd } from '../../react/run-agent';
import { toNodeError } from '../to-node-error';
import type { Question } from './ask-person';

/** What an item ended with, as plain JSON; kept in the result store while other items go on. */
export interface EndedItem {
	readonly end: Omit<AgentEnd, 'error'> & { readonly error?: { readonly message: string; readonly remedy?: string } };
	readonly run: RunReport;
	readonly files: readonly IBinaryData[];
	/** The run as a turn of a conversation, for the memory. */
	readonly turn: readonly Message[];
	/** The conversation begins anew with it. */
	readonly startsFresh: boolean;
	/** Set when the run ended with a question to a person. */
	readonly question?: Question;
}

/** The output item of an answered run: the input item with `output`, `run` and `intermediateSteps`, and the tools' files. */
export function answeredItem(input: INodeExecutionData, itemIndex: number, ended: EndedItem): INodeExecutionData {
	const binary = withFiles(input.binary, ended.files);
	return {
		json: { ...input.json, ...resultOf(ended) },
		...(binary && { binary }),
		pairedItem: { item: itemIndex },
	};
}

function resultOf({ end, run, question }: EndedItem): IDataObject {
	return {
		...(question && { question: question as unknown as IDataObject }),
		output: question?.question ?? end.value ?? end.answer,
		...(end.value !== undefined && { rawOutput: end.answer }),
		run: run as unknown as IDataObject,
		intermediateSteps: intermediateSteps(run),
	};
}

/**
 * The output item of a failed run, when the node goes on after errors. n8n takes an item to the error output by an item
 * whose fields are only `error`, `message` and `details`, and adds the input's fields; the work so far is in `details`.
 *
 * With Retry On Fail a truthy `error` field in the first item would start the node again without its state, so there the
 * error stands beside the json.
 */
export function failedRunItem(
	ctx: IExecuteFunctions,
	{ input, itemIndex, isFirst }: { input: INodeExecutionData; itemIndex: number; isFirst: boolean },
	failure: { error: unknown; ended?: EndedItem },
): INodeExecutionData {
	const node = ctx.getNode();
	const error = toNodeError(node, failure.error, itemIndex);
	const details = failure.ended ? resultOf(failure.ended) : {};
	const said = { error: error.message, message: error.description ?? '' };
	const pairedItem = { item: itemIndex };
	if (node.retryOnFail && isFirst) return { json: { ...input.json, ...details }, error, pairedItem };
	if (node.onError === 'continueErrorOutput') return { json: { ...said, details }, pairedItem };
	return { json: { ...input.json, ...details, ...said }, pairedItem };
}

function withFiles(binary: IBinaryKeyData | undefined, files: readonly IBinaryData[]): IBinaryKeyData | undefined {
	if (files.length === 0) return binary;
	return { ...binary, ...Object.fromEntries(files.map((file, at) => [`file_${at + 1}`, file])) };
}

/** The steps in the shape that n8n's own agent gives and its evaluations read. */
function intermediateSteps(run: RunReport): IDataObject[] {
	return run.steps.flatMap((step) =>
		step.calls.map((call) => ({
			action: {
				tool: call.name,
				toolInput: (call.input ?? {}) as IDataObject,
				toolCallId: call.callId,
				log: step.thought,
				type: 'tool_call',
			},
			observation: call.result.text,
		})),
	);
}
