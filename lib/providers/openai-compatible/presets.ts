/** What one server or service needs to be spoken to. Data only: a new service is a new line. */
export interface Preset {
	/** As shown to the builder and named in errors. */
	readonly label: string;
	readonly baseUrl: string;
	/** True when an account is needed; the node warns when the key is empty. */
	readonly needsKey: boolean;
	readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
	/** Asks for token counts at the end of the stream. */
	readonly streamUsage: boolean;
	readonly tools: 'yes' | 'no' | 'unknown';
	readonly responseSchema: 'yes' | 'no' | 'unknown';
	/** Field in which the reasoning of earlier turns goes back; absent: it is not sent. */
	readonly reasoningField?: string;
	/** Field that takes a bare schema instead of response_format; its server takes `grammar` too. */
	readonly schemaField?: string;
}

const LOCAL = {
	needsKey: false,
	maxTokensField: 'max_tokens',
	streamUsage: true,
	tools: 'unknown',
	responseSchema: 'yes',
} as const;

const SERVICE = { ...LOCAL, needsKey: true, responseSchema: 'unknown' } as const;

export const PRESETS = {
	generic: { ...LOCAL, label: 'OpenAI-compatible server', baseUrl: '', responseSchema: 'unknown' },
	openai: {
		...SERVICE,
		label: 'OpenAI',
		baseUrl: 'https://api.openai.com/v1',
		maxTokensField: 'max_completion_tokens',
		tools: 'yes',
		responseSchema: 'yes',
	},
	ollama: { ...LOCAL, label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
	deepinfra: { ...SERVICE, label: 'DeepInfra', baseUrl: 'https://api.deepinfra.com/v1/openai' },
	openrouter: { ...SERVICE, label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', reasoningField: 'reasoning' },
	vllm: { ...LOCAL, label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
	lmstudio: { ...LOCAL, label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
	llamacpp: { ...LOCAL, label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', schemaField: 'json_schema' },
} as const satisfies { readonly [name: string]: Preset };

export type PresetName = keyof typeof PRESETS;

/** The preset of a name; the generic one for an unknown or absent name. */
export function presetOf(name: string | undefined): Preset {
	return name !== undefined && Object.hasOwn(PRESETS, name) ? PRESETS[name as PresetName] : PRESETS.generic;
}
