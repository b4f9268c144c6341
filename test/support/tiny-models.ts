import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onnxModel, type OnnxGraph } from './onnx-writer';

/** Models of a few kilobytes in the layout of the hub: what they compute is simple enough to be foretold. */

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '</s>', '<|go|>', '<|after|>'];
const IDS = { name: 'input_ids', type: 'int64', dims: ['batch', 'length'] } as const;
const MASK = { name: 'attention_mask', type: 'int64', dims: ['batch', 'length'] } as const;

function writeModel(folder: string, files: { readonly [name: string]: object | Buffer }): string {
	for (const [name, content] of Object.entries(files)) {
		const file = path.join(folder, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, Buffer.isBuffer(content) ? content : JSON.stringify(content));
	}
	return folder;
}

/** An encoder whose token vectors point along the axis of their word: texts are near each other when they share words. */
export function writeEncoder(folder: string, words: readonly string[], more: { readonly [file: string]: object } = {}): string {
	const vocab = [...SPECIAL, ...words];
	const size = vocab.length;
	const table = vocab.flatMap((_, row) => vocab.map((__, column) => (row === column ? 1 : 0.01)));
	const graph: OnnxGraph = {
		nodes: [{ op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['last_hidden_state'] }],
		initializers: [{ name: 'table', type: 'float', dims: [size, size], values: table }],
		inputs: [IDS, MASK],
		outputs: [{ name: 'last_hidden_state', type: 'float', dims: ['batch', 'length', size] }],
	};
	return writeModel(folder, { ...common(vocab), 'config.json': bert('BertModel', size), 'onnx/model.onnx': onnxModel(graph), ...more });
}

/** A cross-encoder that adds up the weights of the words of query and text; words without one weigh 0. */
export function writeCrossEncoder(folder: string, weights: { readonly [word: string]: number }): string {
	const vocab = [...SPECIAL, ...Object.keys(weights)];
	const graph: OnnxGraph = {
		nodes: [
			{ op: 'Gather', inputs: ['weights', 'input_ids'], outputs: ['each'] },
			{ op: 'ReduceSum', inputs: ['each', 'axes'], outputs: ['logits'], attributes: { keepdims: 0 } },
		],
		initializers: [
			{ name: 'weights', type: 'float', dims: [vocab.length, 1], values: vocab.map((word) => weights[word] ?? 0) },
			{ name: 'axes', type: 'int64', dims: [1], values: [1] },
		],
		inputs: [IDS, MASK],
		outputs: [{ name: 'logits', type: 'float', dims: ['batch', 1] }],
	};
	const config = { ...bert('BertForSequenceClassification', 4), id2label: { 0: 'LABEL_0' }, label2id: { LABEL_0: 0 } };
	return writeModel(folder, { ...common(vocab), 'config.json': config, 'onnx/model.onnx': onnxModel(graph) });
}

/**
 * A language model that writes `first` after a question and `second` after a tool's result, piece by piece, then ends.
 *
 * Its template has a place for tools unless `template` is another.
 */
export function writeCausalLm(folder: string, first: readonly string[], second: readonly string[] = first, template = TEMPLATE): string {
	const tagged = [...first.map((piece) => `1${piece}`), ...second.map((piece) => `2${piece}`)];
	// Each piece is a token of its own, so that a pair of tokens always tells what follows.
	const vocab = [...SPECIAL, ...tagged];
	const size = vocab.length;
	const end = SPECIAL.indexOf('</s>');
	const at = (index: number, list: readonly string[], offset: number): number => (index < list.length ? SPECIAL.length + offset + index : end);
	const next = vocab.map(() => end);
	next[SPECIAL.indexOf('<|go|>')] = at(0, first, 0);
	next[SPECIAL.indexOf('<|after|>')] = at(0, second, first.length);
	first.forEach((_, i) => (next[at(i, first, 0)] = at(i + 1, first, 0)));
	second.forEach((_, i) => (next[at(i, second, first.length)] = at(i + 1, second, first.length)));
	const cache = (name: string, length: string) => ({ name, type: 'float', dims: ['batch', 1, length, 1] }) as const;
	const graph: OnnxGraph = {
		nodes: [
			{ op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['logits'] },
			{ op: 'Cast', inputs: ['input_ids'], outputs: ['real'], attributes: { to: 1 } },
			{ op: 'Unsqueeze', inputs: ['real', 'axes'], outputs: ['state'] },
			{ op: 'Concat', inputs: ['past_key_values.0.key', 'state'], outputs: ['present.0.key'], attributes: { axis: 2 } },
			{ op: 'Concat', inputs: ['past_key_values.0.value', 'state'], outputs: ['present.0.value'], attributes: { axis: 2 } },
		],
		initializers: [
			{ name: 'table', type: 'float', dims: [size, size], values: next.flatMap((to) => vocab.map((_, column) => (column === to ? 9 : 0))) },
			{ name: 'axes', type: 'int64', dims: [2], values: [1, 3] },
		],
		inputs: [IDS, { ...MASK, dims: ['batch', 'total'] }, cache('past_key_values.0.key', 'past'), cache('past_key_values.0.value', 'past')],
		outputs: [{ name: 'logits', type: 'float', dims: ['batch', 'length', size] }, cache('present.0.key', 'total'), cache('present.0.value', 'total')],
	};
	const config = {
		architectures: ['LlamaForCausalLM'],
		model_type: 'llama',
		vocab_size: size,
		hidden_size: 1,
		head_dim: 1,
		num_attention_heads: 1,
		num_key_value_heads: 1,
		num_hidden_layers: 1,
		max_position_embeddings: 4096,
		eos_token_id: end,
		pad_token_id: 0,
	};
	const [tokenizer, settings] = [tokenizerOf(vocab), { ...TOKENIZER_CONFIG, ...(template === '' ? {} : { chat_template: template }) }];
	return writeModel(folder, {
		'config.json': config,
		'generation_config.json': { eos_token_id: end, pad_token_id: 0 },
		'tokenizer.json': { ...tokenizer, post_processor: null, decoder: { type: 'Sequence', decoders: [UNTAG, { type: 'Fuse' }] } },
		'tokenizer_config.json': settings,
		'onnx/model.onnx': onnxModel(graph),
	});
}

/** The tag that makes pieces different tokens is taken off again. */
const UNTAG = { type: 'Replace', pattern: { Regex: '^[12]' }, content: '' };
const TEMPLATE =
	"{% if tools %}{{ tools | tojson }} {% endif %}{% for message in messages %}{{ message.role }} {{ message.content }} {% endfor %}{% if messages[-1].role == 'tool' %}<|after|>{% else %}<|go|>{% endif %}";

const TOKENIZER_CONFIG = { tokenizer_class: 'PreTrainedTokenizerFast', unk_token: '[UNK]', pad_token: '[PAD]', eos_token: '</s>', model_max_length: 4096 };

function common(vocab: readonly string[]): { readonly [name: string]: object } {
	const config = { ...TOKENIZER_CONFIG, tokenizer_class: 'BertTokenizer', cls_token: '[CLS]', sep_token: '[SEP]', model_max_length: 64 };
	return { 'tokenizer.json': tokenizerOf(vocab), 'tokenizer_config.json': config };
}

function bert(architecture: string, size: number): object {
	return { architectures: [architecture], model_type: 'bert', hidden_size: size, num_attention_heads: 1, num_hidden_layers: 1, max_position_embeddings: 64, vocab_size: size };
}

function tokenizerOf(vocab: readonly string[]): object {
	const special = (id: string, type: number): object => ({ SpecialToken: { id, type_id: type } });
	const sequence = (id: string, type: number): object => ({ Sequence: { id, type_id: type } });
	return {
		version: '1.0',
		added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false })),
		normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
		pre_tokenizer: { type: 'BertPreTokenizer' },
		post_processor: {
			type: 'TemplateProcessing',
			single: [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0)],
			pair: [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0), sequence('B', 1), special('[SEP]', 1)],
			special_tokens: { '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] }, '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] } },
		},
		decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
		model: {
			type: 'WordPiece',
			unk_token: '[UNK]',
			continuing_subword_prefix: '##',
			max_input_chars_per_word: 100,
			vocab: Object.fromEntries(vocab.map((word, id) => [word, id])),
		},
	};
}
