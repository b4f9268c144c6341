/** Which model the example runs with: a key, else a local server, else a script. */

const OLLAMA = 'http://127.0.0.1:11434';

/**
 * MISTRAL_API_KEY → Mistral; an Ollama that answers on this machine and has a model → Ollama; else Replay.
 *
 * @returns {provider, model, title, sentence, phrase}: `title` names the node on the canvas, `sentence` is said at the start,
 *          `phrase` is the same in French
 */
export async function chooseModel(environment) {
	if (environment.MISTRAL_API_KEY) {
		const model = environment.MISTRAL_MODEL ?? 'mistral-small-latest';
		const said = { sentence: `The model is ${model} at Mistral.`, phrase: `Le modèle est ${model}, chez Mistral.` };
		return { provider: 'mistral', model, apiKey: environment.MISTRAL_API_KEY, title: `Chat Model: Mistral`, ...said };
	}
	const model = await firstOllamaModel();
	const said = { sentence: `The model is ${model} in your local Ollama.`, phrase: `Le modèle est ${model}, dans votre Ollama local.` };
	if (model) return { provider: 'ollama', model, title: 'Chat Model: Ollama', ...said };
	return {
		provider: 'replay',
		model: 'maintenance-report',
		title: 'Chat Model: Replay',
		sentence:
			'No model is called: neither MISTRAL_API_KEY nor a local Ollama was found, so a script plays the turns of the model.\n' +
			'Tools, index, retrieval, compression and the MCP server run for real, and the tables of figures are filled from them.',
		phrase:
			'Aucun modèle n’est appelé : ni MISTRAL_API_KEY ni Ollama local n’ont été trouvés, un script joue donc les tours du modèle.\n' +
			'Outils, index, recherche, compression et serveur MCP tournent pour de vrai, et les tableaux en sont remplis.',
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
