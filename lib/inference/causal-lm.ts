import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers';
import { CodedError } from '../core/errors';
import type { GenerateSpec, ModelOnDisk } from './protocol';
import { loadFrom } from './transformers';

export interface Generated {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly reason: 'stop' | 'length';
}

/** A language model in memory. Used inside the host process only. */
export interface CausalLm {
	/** Writes a reply; `onText` gets it piece by piece. Ends early, without an error, when the signal aborts. */
	generate(spec: GenerateSpec, onText: (text: string) => void, signal: AbortSignal): Promise<Generated>;
	dispose(): Promise<void>;
}

const DEFAULT_MAX_TOKENS = 1024;

/** Loads a causal language model from its folder; nothing is fetched. Throws what Transformers.js throws. */
export async function loadCausalLm(model: ModelOnDisk): Promise<CausalLm> {
	return await loadFrom(model.folder, async (library, name) => {
		const tokenizer = await library.AutoTokenizer.from_pretrained(name);
		const network = await library.AutoModelForCausalLM.from_pretrained(name, { dtype: model.dtype, device: 'cpu' });
		return {
			generate: async (spec, onText, signal) => await generate({ library, tokenizer, network }, spec, onText, signal),
			dispose: async () => void (await network.dispose()),
		};
	});
}

interface Parts {
	readonly library: typeof import('@huggingface/transformers');
	readonly tokenizer: PreTrainedTokenizer;
	readonly network: PreTrainedModel;
}

async function generate(
	{ library, tokenizer, network }: Parts,
	spec: GenerateSpec,
	onText: (text: string) => void,
	signal: AbortSignal,
): Promise<Generated> {
	const inputs = promptOf(tokenizer, spec);
	const inputTokens = inputs.input_ids.dims[1] ?? 0;
	const maxTokens = spec.maxTokens ?? DEFAULT_MAX_TOKENS;
	checkRoom(network, inputTokens);
	const stopping = new library.InterruptableStoppingCriteria();
	const stop = (): void => stopping.interrupt();
	signal.addEventListener('abort', stop, { once: true });
	const streamer = new library.TextStreamer(tokenizer, { skip_prompt: true, skip_special_tokens: true, callback_function: onText });
	const isSampled = spec.temperature !== undefined && spec.temperature > 0;
	const sequences = (await network.generate({
		...inputs,
		max_new_tokens: maxTokens,
		do_sample: isSampled,
		...(isSampled ? { temperature: spec.temperature } : {}),
		streamer,
		stopping_criteria: stopping,
	} as never)) as Tensor;
	signal.removeEventListener('abort', stop);
	const outputTokens = (sequences.dims[1] ?? inputTokens) - inputTokens;
	return { inputTokens, outputTokens, reason: outputTokens >= maxTokens ? 'length' : 'stop' };
}

/** The prompt by the model's own chat template; there is no guessing at another form. */
function promptOf(tokenizer: PreTrainedTokenizer, spec: GenerateSpec): { input_ids: Tensor } {
	const template = JSON.stringify((tokenizer as unknown as { chat_template?: unknown }).chat_template ?? null);
	if (template === 'null') {
		throw new CodedError('BAD_INPUT', 'The model has no chat template, so it does not know a conversation', {
			remedy: 'Choose an "instruct" or "chat" variant of the model.',
		});
	}
	const hasTools = spec.tools.length > 0;
	if (hasTools && !/\btools\b/.test(template)) {
		throw new CodedError('BAD_INPUT', 'The model does not take tools: its chat template has no place for them', {
			remedy: 'Use the text protocol in the agent, or a model that takes tools.',
			reason: 'tools-unsupported',
		});
	}
	return tokenizer.apply_chat_template(spec.messages as never, {
		add_generation_prompt: true,
		return_dict: true,
		...(hasTools ? { tools: spec.tools as never } : {}),
	}) as unknown as { input_ids: Tensor };
}

function checkRoom(network: PreTrainedModel, inputTokens: number): void {
	const { max_position_embeddings: most } = network.config as unknown as { max_position_embeddings?: number };
	if (most === undefined || inputTokens < most) return;
	throw new CodedError('BAD_INPUT', `The request has ${inputTokens} tokens; the model reads at most ${most}`, {
		remedy: 'Shorten the instructions or the tool results, offer fewer tools, or use a model with a longer context.',
		reason: 'context-length',
	});
}
