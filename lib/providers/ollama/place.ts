import { CodedError } from '../../core/errors';
import type { Place } from '../http-errors';
import type { ChatSettings } from '../settings';

export const OLLAMA_URL = 'http://127.0.0.1:11434';

/** The address of an Ollama server without its route; `/v1` and `/api` at the end are taken off, so either form may be entered. */
export function ollamaServer(baseUrl: string | undefined): string {
	return (baseUrl?.trim() || OLLAMA_URL).replace(/\/+$/, '').replace(/\/(?:v1|api)$/, '');
}

/**
 * The address of one native route, with everything that errors name.
 *
 * @param route  begins with /api
 * @throws CodedError BAD_INPUT when the address is none or no model is chosen
 */
export function ollamaPlace(settings: Pick<ChatSettings, 'model' | 'apiKey' | 'baseUrl' | 'credentialName'>, route: string): Place {
	const { model, apiKey, credentialName } = settings;
	const server = ollamaServer(settings.baseUrl);
	if (!URL.canParse(server) || !/^https?:/.test(server)) {
		throw new CodedError('BAD_INPUT', `"${server}" is not a base URL for Ollama`, {
			remedy: `Leave Base URL empty, or enter an address such as ${OLLAMA_URL}.`,
		});
	}
	if (model.trim() === '') {
		throw new CodedError('BAD_INPUT', 'No model is chosen for Ollama', {
			remedy: 'Choose a model of the list or type its name, such as qwen3:8b; pull it first with "ollama pull".',
		});
	}
	return {
		api: 'Ollama',
		url: server + route,
		model,
		...(credentialName ? { credentialName } : {}),
		...(apiKey ? { apiKey } : {}),
	};
}
