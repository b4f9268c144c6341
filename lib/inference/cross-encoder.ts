import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers';
import { tokenLimit } from './encoder';
import type { ModelOnDisk } from './protocol';
import { loadFrom } from './transformers';

/** A model that reads query and text together. Used inside the host process only. */
export interface CrossEncoder {
	/** How well each text answers the query, 0..1, in the order of the texts. */
	score(query: string, texts: readonly string[]): Promise<number[]>;
	dispose(): Promise<void>;
}

/** Loads a cross-encoder from its folder; nothing is fetched. Throws what Transformers.js throws. */
export async function loadCrossEncoder(model: ModelOnDisk): Promise<CrossEncoder> {
	return await loadFrom(model.folder, async ({ AutoModelForSequenceClassification, AutoTokenizer }, name) => {
		const tokenizer = await AutoTokenizer.from_pretrained(name);
		const network = await AutoModelForSequenceClassification.from_pretrained(name, { dtype: model.dtype, device: 'cpu' });
		return {
			score: async (query, texts) => await score({ tokenizer, network }, query, texts),
			dispose: async () => void (await network.dispose()),
		};
	});
}

interface Parts {
	readonly tokenizer: PreTrainedTokenizer;
	readonly network: PreTrainedModel;
}

async function score({ tokenizer, network }: Parts, query: string, texts: readonly string[]): Promise<number[]> {
	const inputs = tokenizer(texts.map(() => query), {
		text_pair: [...texts],
		padding: true,
		truncation: true,
		max_length: tokenLimit(tokenizer, network),
	});
	const { logits } = (await network(inputs)) as { logits: Tensor };
	const [, labels = 1] = logits.dims;
	const values = logits.data as Float32Array;
	return texts.map((_, text) => relevance([...values.subarray(text * labels, (text + 1) * labels)]));
}

/** One label is a logit of relevance; of several the last one means relevant. */
function relevance(logits: readonly number[]): number {
	if (logits.length === 1) return 1 / (1 + Math.exp(-(logits[0] ?? 0)));
	const highest = Math.max(...logits);
	const powers = logits.map((logit) => Math.exp(logit - highest));
	return (powers.at(-1) ?? 0) / powers.reduce((sum, power) => sum + power, 0);
}
