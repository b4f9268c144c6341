import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';

/** The question that an agent puts to a person: the tool, the page a person fills in, and what comes back. */

/** The tool as the model sees it. It never runs by itself: the node that supplies it waits for the answer. */
export function askUserTool(intent: string): Tool {
	return {
		name: 'ask_user',
		intent: intent || 'Ask a person a question and wait for the answer.',
		description: `${intent || 'Ask a person a question and wait for the answer.'} One question at a time, complete in itself.`,
		inputSchema: {
			type: 'object',
			properties: {
				question: { type: 'string', minLength: 1, description: 'The question, with all that is needed to answer it.' },
			},
			required: ['question'],
			additionalProperties: false,
		},
		tags: ['person'],
		waits: true,
		run: async () => {
			throw new CodedError('BAD_INPUT', 'Ask User can wait only for an agent that runs its tools through the n8n engine', {
				remedy: 'Connect it to a ReAct Agent or to n8n\'s AI Agent, not to a sub-agent or an MCP Server Trigger.',
			});
		},
	};
}

/** The answer in a form's or a program's request body; undefined when it holds none. */
export function answerOf(body: unknown): string | undefined {
	const { answer } = typeof body === 'object' && body !== null ? (body as { answer?: unknown }) : {};
	return typeof answer === 'string' && answer.trim() !== '' ? answer.trim() : undefined;
}

/** The page behind the answer address: a field to fill in, or thanks. Loads nothing from elsewhere. */
export function questionPage(state: 'ask' | 'thanks'): string {
	const body =
		state === 'thanks'
			? '<h1>Thank you</h1><p>The answer was passed on. You can close this page.</p>'
			: '<h1>Your answer</h1><form method="post"><textarea name="answer" rows="6" required autofocus></textarea><button>Send</button></form>';
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Answer</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem;color:#1d2738}textarea{width:100%;font:inherit;box-sizing:border-box}button{margin-top:1rem;padding:.5rem 1.5rem;font:inherit}</style></head><body>${body}</body></html>`;
}
