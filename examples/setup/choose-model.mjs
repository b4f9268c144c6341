/** Which model the example runs with: a key, else a local server, else a script. */

const OLLAMA = 'http://127.0.0.1:11434';

/**
 * MISTRAL_API_KEY → Mistral; an Ollama that answers on this machine and has a model → Ollama; else Replay.
 *
 * @returns {provider, model, title, sentence}: `title` names the node on the canvas, `sentence` is said at the start
 */
export async function chooseModel(environment) {
	if (environment.MISTRAL_API_KEY) {
		const model = environment.MISTRAL_MODEL ?? 'mistral-small-latest';
		return { provider: 'mistral', model, apiKey: environment.MISTRAL_API_KEY, title: `Chat Model: Mistral`, sentence: `The model is ${model} at Mistral.` };
	}
	const model = await firstOllamaModel();
	if (model) return { provider: 'ollama', model, title: 'Chat Model: Ollama', sentence: `The model is ${model} in your local Ollama.` };
	return {
		provider: 'replay',
		model: 'maintenance-report',
		title: 'Chat Model: Replay (no model is called)',
		sentence:
			'No model is called: neither MISTRAL_API_KEY nor a local Ollama was found, so a script plays the turns of the model.\n' +
			'Tools, index, retrieval, compression and the MCP server run for real, and the tables of figures are filled from them.',
	};
}

async function firstOllamaModel() {
	try {
		const response = await fetch(`${OLLAMA}/api/tags`, { signal: AbortSignal.timeout(1500) });
		const { models } = await response.json();
		return models?.[0]?.name;
	} catch {
		return undefined;
	}
}
