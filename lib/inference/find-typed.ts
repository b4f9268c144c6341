import { checkModelType, type ModelType } from './model-structure';
import { findModel, modelsFolder } from './model-store';
import type { Dtype } from './protocol';

/** Kinds that can embed a text. */
export const ENCODERS: readonly ModelType[] = ['sentence_transformer', 'hf_encoder'];

/**
 * The folder of a model that is complete and of one of the expected kinds.
 *
 * @throws CodedError BAD_INPUT for the first file that is missing, or when the files are those of another kind
 */
export function findTyped(model: string, dtype: Dtype, types: readonly ModelType[], folder = modelsFolder()): string {
	const place = findModel(model, dtype, folder);
	checkModelType(model, place, types);
	return place;
}

/** The folder of a causal language model. Throws as `findTyped` does. */
export function findLanguageModel(model: string, dtype: Dtype, folder = modelsFolder()): string {
	return findTyped(model, dtype, ['hf_causal_lm'], folder);
}
