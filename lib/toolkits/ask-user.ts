import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import type { Language } from '../text/language';

/** The question that an agent puts to a person: the tool, and what comes back from the page that a person fills in. */

/** Which way the answer comes: the execution waits, or the run ends and another execution goes on with the answer. */
export type AskWay = 'wait' | 'end';

const DEFAULT_INTENT = 'Ask a person a question and wait for the answer.';

/** The tool as the model sees it. It never runs by itself: the node that supplies it, or the agent, waits for the answer. */
export function askUserTool(intent: string, way: AskWay): Tool {
	return {
		name: 'ask_user',
		intent: intent || DEFAULT_INTENT,
		description: `${intent || DEFAULT_INTENT} One question at a time, complete in itself.`,
		inputSchema: {
			type: 'object',
			properties: {
				question: { type: 'string', minLength: 1, description: 'The question, with all that is needed to answer it.' },
			},
			required: ['question'],
			additionalProperties: false,
		},
		tags: ['person'],
		...(way === 'wait' ? { waits: true } : { endsRun: true }),
		run: async () => {
			throw new CodedError('BAD_INPUT', 'Ask User can wait only for an agent that runs its tools through the n8n engine', {
				remedy: "Connect it to a ReAct Agent or to n8n's AI Agent, not to a sub-agent or an MCP Server Trigger.",
			});
		},
	};
}

/** A call that a person is asked about. */
export interface AskedCall {
	readonly tool: string;
	readonly arguments: Record<string, unknown>;
	/** Of the run that asks. */
	readonly language?: Language;
}

/** What a person decided on the page. */
export interface PageDecision {
	readonly approved: boolean;
	readonly at: string;
	readonly by?: string;
	readonly note?: string;
	/** Only when they were changed. */
	readonly arguments?: Record<string, unknown>;
}

type Body = Readonly<Record<string, unknown>>;

/** The answer in a form's or a program's request body; undefined when it holds none. */
export function answerOf(body: Body): string | undefined {
	return textOf(body.answer) || undefined;
}

/**
 * The decision in a request body: `decision` is `approve` or `refuse`; any other value is none.
 *
 * @throws BAD_INPUT when the edited arguments are not one JSON object
 */
export function decisionOf(body: Body, asked: AskedCall, now: number): PageDecision | undefined {
	const choice = textOf(body.decision);
	if (choice !== 'approve' && choice !== 'refuse') return undefined;
	const by = textOf(body.by);
	const note = textOf(body.note);
	const edited = choice === 'approve' ? editedArguments(body.arguments, asked) : undefined;
	return {
		approved: choice === 'approve',
		at: new Date(now).toISOString(),
		...(by !== '' && { by }),
		...(note !== '' && { note }),
		...(edited && { arguments: edited }),
	};
}

function editedArguments(given: unknown, asked: AskedCall): Record<string, unknown> | undefined {
	const value = typeof given === 'string' ? parse(given) : given;
	if (value === undefined || JSON.stringify(value) === JSON.stringify(asked.arguments)) return undefined;
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	throw new CodedError('BAD_INPUT', 'The arguments must be one JSON object');
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
