import { CodedError } from '../../core/errors';
import type { ModelRequest } from '../../core/model';
import { estimateTokens } from '../../text/estimate-tokens';

/** Room for the reply when the request names no limit. */
const REPLY_TOKENS = 2048;
/** The server loads the model anew for each other length, so lengths are few and only grow. */
const SMALLEST = 4096;
/** Below this the template of the model weighs more than the text. */
const ENOUGH_TO_LEARN = 500;
/** A prompt that fills this share of the context was probably cut. */
const FULL = 0.95;

export const DEFAULT_MAX_CONTEXT = 32_768;

/**
 * Chooses num_ctx for one model, since Ollama cuts what does not fit without a word: its own default is often 4,096 tokens.
 *
 * The need is estimated from the text, then corrected by what the server counts (prompt_eval_count).
 */
export class ContextSize {
	/** Real tokens for one estimated; never under 1, so that a cached prompt, which counts less, does no harm. */
	private ratio = 1;
	private size = 0;

	constructor(private readonly maxTokens: number) {}

	/**
	 * The context length for a request: 4,096, 8,192 … and at most `maxTokens`; never less than before.
	 *
	 * @throws CodedError BAD_INPUT with reason `context-length` when the prompt alone cannot fit
	 */
	forRequest(request: ModelRequest, replyTokens = REPLY_TOKENS): number {
		const prompt = Math.ceil(promptTokens(request) * this.ratio);
		if (prompt * 0.75 > this.maxTokens) throw this.tooLong(prompt);
		let size = Math.max(this.size, SMALLEST);
		while (size < prompt + replyTokens) size *= 2;
		this.size = Math.min(size, this.maxTokens);
		return this.size;
	}

	/**
	 * Learns from what the server counted for the request.
	 *
	 * @returns a warning when the prompt filled the context, so that its beginning was probably cut
	 */
	learn(request: ModelRequest, countedTokens: number | null): string | undefined {
		if (countedTokens === null) return undefined;
		const estimated = promptTokens(request);
		if (estimated >= ENOUGH_TO_LEARN) this.ratio = Math.max(this.ratio, Math.min(2, countedTokens / estimated));
		if (countedTokens < this.size * FULL) return undefined;
		this.ratio = Math.max(this.ratio, 1.25);
		const isLargest = this.size >= this.maxTokens;
		return (
			`The prompt filled the context of ${this.size} tokens (${countedTokens} counted), so its beginning may have been cut. ` +
			(isLargest ? 'Raise Longest Context in the options of the model.' : 'The next request gets a longer one.')
		);
	}

	private tooLong(prompt: number): CodedError {
		return new CodedError('BAD_INPUT', `The request needs about ${prompt} tokens; the longest context is ${this.maxTokens}`, {
			remedy: 'Raise Longest Context in the options of the model, or shorten the instructions, documents and tool results.',
			reason: 'context-length',
		});
	}
}

/** Estimated tokens of everything a request sends; a picture counts 1,000. */
export function promptTokens(request: ModelRequest): number {
	const tools = (request.tools ?? []).map((tool) => estimateTokens(tool.name + tool.description + JSON.stringify(tool.inputSchema)) + 8);
	const messages = request.messages.map(({ parts }) =>
		parts.reduce((sum, part) => {
			if (part.type === 'file') return sum + 1000;
			if (part.type === 'tool-call') return sum + estimateTokens(part.name + part.argumentsText) + 8;
			return sum + estimateTokens(part.text);
		}, 4),
	);
	return [...tools, ...messages].reduce((sum, count) => sum + count, 0);
}
