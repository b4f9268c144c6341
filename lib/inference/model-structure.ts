import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CodedError, messageOf } from '../core/errors';

/** Kinds of local models, by what is in their folder. */
export const MODEL_TYPES = ['sentence_transformer', 'hf_encoder', 'cross_encoder', 'hf_causal_lm'] as const;
export type ModelType = (typeof MODEL_TYPES)[number];

/**
 * The kind of the model in a folder, from its own files: modules.json with 1_Pooling makes a sentence transformer, the architecture in
 * config.json tells the others apart. Nothing is guessed.
 *
 * @throws CodedError BAD_INPUT when config.json cannot be read, or names an architecture that is none of them
 */
export function detectModelType(folder: string): ModelType {
	const config = readJson(path.join(folder, 'config.json'));
	const architectures = Array.isArray(config['architectures']) ? config['architectures'].map(String) : [];
	if (architectures.some((name) => name.endsWith('ForSequenceClassification'))) return 'cross_encoder';
	if (architectures.some((name) => /ForCausalLM$|LMHeadModel$/.test(name))) return 'hf_causal_lm';
	if (existsSync(path.join(folder, 'modules.json'))) {
		const pooling = path.join(folder, '1_Pooling', 'config.json');
		if (existsSync(pooling)) return 'sentence_transformer';
		throw unknown(folder, 'modules.json is there, but 1_Pooling/config.json is missing');
	}
	if (architectures.length === 0) throw unknown(folder, 'config.json names no architecture');
	if (architectures.some((name) => /Model$|ForMaskedLM$/.test(name))) return 'hf_encoder';
	throw unknown(folder, `its architecture ${architectures.join(', ')} is not one that can be run here`);
}

/**
 * Checks that a folder holds a model of an expected kind.
 *
 * @param declared  the kind that the builder named, or the kinds that can do the work at hand
 * @throws CodedError BAD_INPUT that names both kinds
 */
export function checkModelType(model: string, folder: string, declared: readonly ModelType[]): ModelType {
	const detected = detectModelType(folder);
	if (declared.includes(detected)) return detected;
	throw new CodedError('BAD_INPUT', `Local model "${model}" is declared as ${declared.join(' or ')}, but its files are those of ${detected} (${folder})`, {
		remedy: 'Choose a model of the right kind, or correct the declared type.',
	});
}

/** How a sentence transformer pools its tokens, from 1_Pooling/config.json; undefined when the folder does not say. */
export function declaredPooling(folder: string): 'mean' | 'cls' | undefined {
	const file = path.join(folder, '1_Pooling', 'config.json');
	if (!existsSync(file)) return undefined;
	const config = readJson(file);
	if (config['pooling_mode_cls_token'] === true) return 'cls';
	return config['pooling_mode_mean_tokens'] === true ? 'mean' : undefined;
}

function readJson(file: string): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		value = messageOf(error);
	}
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	throw new CodedError('BAD_INPUT', `${file} cannot be read: ${typeof value === 'string' ? value : 'it is no object'}`, {
		remedy: 'Download the file again from the page of the model.',
	});
}

function unknown(folder: string, why: string): CodedError {
	return new CodedError('BAD_INPUT', `The kind of the model in ${folder} is not clear: ${why}`, {
		remedy: `Use a model whose files are those of ${MODEL_TYPES.join(', ')}.`,
	});
}
