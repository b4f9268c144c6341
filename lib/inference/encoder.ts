import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers';
import type { ModelOnDisk } from './protocol';
import { splitToFit } from './split-text';
import { loadFrom } from './transformers';
import { toUnit } from './unit-vector';

/** A sentence encoder in memory. Used inside the host process only. */
export interface Encoder {
	/** One unit vector per text; texts must not be blank. */
	encode(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>[]>;
	/** Unit vectors of each token of each text, the added tokens left out; texts that are too long are cut. */
	encodeTokens(texts: readonly string[]): Promise<Float32Array<ArrayBuffer>[][]>;
	/** Gives the memory back; the encoder cannot be used afterwards. */
	dispose(): Promise<void>;
	/** The text in parts that the model can read whole; usually one. */
	split(text: string): string[];
	/** Tokens of a text with those that the model adds. */
	count(text: string): number;
}

/** Attention costs memory with the square of the length; no more even where a model could read more. */
const MOST_TOKENS = 2048;
const FALLBACK_TOKENS = 512;

/** Loads a model from its folder; nothing is fetched. Throws what Transformers.js throws. */
export async function loadEncoder(model: ModelOnDisk): Promise<Encoder> {
	return await loadFrom(model.folder, async ({ AutoModel, AutoTokenizer }, name) => {
		const tokenizer = await AutoTokenizer.from_pretrained(name);
		const network = await AutoModel.from_pretrained(name, { dtype: model.dtype, device: 'cpu' });
		return makeEncoder(tokenizer, network, model.pooling);
	});
}

function makeEncoder(tokenizer: PreTrainedTokenizer, network: PreTrainedModel, pooling: 'mean' | 'cls'): Encoder {
	const limit = tokenLimit(tokenizer, network);
	const count = (text: string): number => tokenizer.encode(text).length;
	const statesOf = async (texts: readonly string[]): Promise<{ states: Tensor; mask: Tensor }> => {
		const inputs = tokenizer([...texts], { padding: true, truncation: true, max_length: limit });
		const output = await network(inputs);
		return { states: (output.last_hidden_state ?? output.token_embeddings ?? output.logits) as Tensor, mask: inputs.attention_mask as Tensor };
	};
	return {
		count,
		dispose: async () => void (await network.dispose()),
		split: (text) => splitToFit(text, limit, count),
		encode: async (texts) => {
			const { states, mask } = await statesOf(texts);
			return pool(states, mask, pooling);
		},
		encodeTokens: async (texts) => {
			const { states, mask } = await statesOf(texts);
			return tokenVectors(states, mask);
		},
	};
}

/** The most tokens that a model can read. Positions of the RoBERTa family begin after the padding index, so two of them cannot be used. */
export function tokenLimit(tokenizer: PreTrainedTokenizer, network: PreTrainedModel): number {
	const config = network.config as unknown as { max_position_embeddings?: number; model_type?: string };
	const unusable = /roberta|camembert|mpnet/.test(config.model_type ?? '') ? 2 : 0;
	const positions = (config.max_position_embeddings ?? FALLBACK_TOKENS) - unusable;
	return Math.min(positions, tokenizer.model_max_length ?? FALLBACK_TOKENS, MOST_TOKENS);
}

/** Mean over the tokens that are not padding, or the first token; then to unit length. */
function pool(states: Tensor, mask: Tensor, pooling: 'mean' | 'cls'): Float32Array<ArrayBuffer>[] {
	const [texts = 0, tokens = 0, size = 0] = states.dims;
	const values = states.data as Float32Array;
	const weights = mask.data as ArrayLike<bigint | number>;
	return Array.from({ length: texts }, (_, text) => {
		const vector = new Float32Array(size);
		const used = pooling === 'cls' ? 1 : tokens;
		for (let token = 0; token < used; token += 1) {
			if (Number(weights[text * tokens + token]) === 0) continue;
			const at = (text * tokens + token) * size;
			for (let i = 0; i < size; i += 1) vector[i] = vector[i]! + values[at + i]!;
		}
		return toUnit(vector);
	});
}

/** The first and the last token of a text are those that the model adds. */
function tokenVectors(states: Tensor, mask: Tensor): Float32Array<ArrayBuffer>[][] {
	const [texts = 0, tokens = 0, size = 0] = states.dims;
	const values = states.data as Float32Array;
	const weights = mask.data as ArrayLike<bigint | number>;
	return Array.from({ length: texts }, (_, text) => {
		const real = Array.from({ length: tokens }, (__, token) => token).filter((token) => Number(weights[text * tokens + token]) !== 0);
		return real.slice(1, -1).map((token) => {
			const at = (text * tokens + token) * size;
			return toUnit(Float32Array.from(values.subarray(at, at + size)));
		});
	});
}
