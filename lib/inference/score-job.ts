import type { CrossEncoder } from './cross-encoder';
import type { Encoder } from './encoder';
import { maxSim } from './late-interaction';

const BATCH_TEXTS = 8;

/** One request for scores while it is worked on, a batch at a time. */
export interface ScoreJob {
	/** Works on the next batch; true when that was the last. */
	step(): Promise<boolean>;
	/** Scores in the order of the texts; valid when `step` gave true. */
	result(): { readonly scores: Float32Array };
}

type ScoreTexts = (texts: readonly string[]) => Promise<number[]>;

/** Scores by a cross-encoder, 0..1. Texts are sorted by length, so that little is padded. */
export function crossEncoderJob(model: CrossEncoder, query: string, texts: readonly string[]): ScoreJob {
	return jobOf(texts, async (batch) => await model.score(query, batch));
}

/** Scores by late interaction with an encoder, −1..1. A long text counts by its best part, so nothing of it is cut. */
export function lateInteractionJob(encoder: Encoder, query: string, texts: readonly string[]): ScoreJob {
	let asked: Float32Array[] | undefined;
	return jobOf(texts, async (batch) => {
		asked ??= (await encoder.encodeTokens([query]))[0] ?? [];
		const parts = batch.flatMap((text, owner) => encoder.split(text).map((part) => ({ part, owner })));
		const vectors = await encoder.encodeTokens(parts.map(({ part }) => part));
		const best = batch.map(() => -1);
		parts.forEach(({ owner }, i) => (best[owner] = Math.max(best[owner]!, maxSim(asked!, vectors[i]!))));
		return best;
	});
}

function jobOf(texts: readonly string[], score: ScoreTexts): ScoreJob {
	const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length);
	const scores = new Float32Array(texts.length);
	let next = 0;
	return {
		step: async () => {
			const batch = order.slice(next, next + BATCH_TEXTS);
			next += BATCH_TEXTS;
			const found = batch.length === 0 ? [] : await score(batch.map((at) => texts[at]!));
			batch.forEach((at, i) => (scores[at] = found[i]!));
			return next >= texts.length;
		},
		result: () => ({ scores }),
	};
}
