import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError, raise } from '../../core/errors';
import type { Message } from '../../core/message';
import type { JsonSchema } from '../../core/model';
import type { Granularity } from '../../core/stream-message';
import { DEFAULT_LIMITS, type AgentSetup, type Limits } from '../../react/agent-setup';
import type { ModelPrice } from '../../react/price';
import { detailInstruction } from '../../react/prompts';
import type { RunDetail } from '../../react/report';
import type { StreamChoice } from '../../react/run-stream';
import { detectLanguage, type Language } from '../../text/language';
import { isEmptyHistory, readHistory } from '../read-history';

/** The node's fields for one item, expressions resolved. */
export interface AgentParameters {
	/** Set when the node goes on with a run that ended with a question. */
	readonly resume: ResumeParameters | undefined;
	readonly query: string;
	/** Names of the agents that called this one; [] for a root agent. */
	readonly path: readonly string[];
	readonly context: string;
	readonly instructions: string;
	readonly protocol: AgentSetup['protocol'];
	readonly limits: Limits;
	readonly atLimit: AgentSetup['atLimit'];
	/** A plan is written first and then followed. */
	readonly plansFirst: boolean;
	readonly language: Language;
	readonly history: readonly Message[];
	/** The history was given and is empty: a memory is not read, and its conversation begins anew. */
	readonly startsFresh: boolean;
	/** Names of the only tools this item may use; undefined allows all connected ones. */
	readonly allowedTools: readonly string[] | undefined;
	/** Which calls a person must approve first. */
	readonly approval: { readonly destructive: boolean; readonly tools: readonly string[] };
	readonly detail: RunDetail;
	/** The figures of the answer are traced to what the model was given. */
	readonly checksFigures: boolean;
	readonly temperature: number;
	readonly prices: readonly ModelPrice[];
	readonly stream: { readonly choice: StreamChoice; readonly granularity: Granularity };
	/** The JSON Schema that the answer must fit; undefined for text. */
	readonly outputSchema: JsonSchema | undefined;
}

/** The answer to a question, or the decision about a call, with the token of the question. */
export interface ResumeParameters {
	readonly token: string;
	readonly answer: string;
	readonly approved: boolean;
	readonly arguments: Record<string, unknown> | undefined;
	readonly by: string;
}

/** What an agent works on, where its node's fields do not say it. */
export interface Task {
	readonly query: string;
	readonly context: string;
	/** The run goes on: what only its beginning needs (instructions, answers) is left empty, since each expression takes time. */
	readonly hasBegun?: boolean;
}

/** @throws BAD_INPUT naming the field, when one cannot be used */
export function readAgentParameters(
	ctx: IExecuteFunctions | ISupplyDataFunctions,
	itemIndex: number,
	task?: Task,
): AgentParameters {
	const get = (name: string, fallback: unknown = ''): unknown => ctx.getNodeParameter(name, itemIndex, fallback as never) as unknown;
	const options = get('options', {}) as IDataObject;
	const query = (task?.query ?? asText(get('query'))).trim();
	const resume = !task?.hasBegun && get('operation', 'run') === 'resume' ? readResume(get) : undefined;
	if (query === '' && !resume && !task?.hasBegun) throw emptyQuery();
	const language = readLanguage(options.language, query);
	return {
		resume,
		query,
		path: [],
		context: task?.context ?? asText(get('context')),
		instructions: task?.hasBegun ? '' : instructionsOf(asText(get('instructions')), language, options.answerDetail),
		protocol: (options.protocol as AgentSetup['protocol'] | undefined) ?? 'auto',
		limits: readLimits(options),
		atLimit: (get('atLimit', 'fail') as AgentSetup['atLimit']) ?? 'fail',
		plansFirst: get('planFirst', false) === true,
		language,
		history: readHistory(options.history),
		startsFresh: isEmptyHistory(options.history),
		allowedTools: readToolNames(options.allowedTools),
		approval: { destructive: options.approval !== 'never', tools: readToolNames(options.approvalTools) ?? [] },
		checksFigures: options.checkFigures === true,
		detail: (options.detail as RunDetail | undefined) ?? 'summary',
		temperature: typeof options.temperature === 'number' ? options.temperature : 0,
		prices: readPrices(options.prices),
		stream: {
			choice: (options.streamChoice as StreamChoice | undefined) ?? 'answer',
			granularity: (options.streamGranularity as Granularity | undefined) ?? 'token',
		},
		outputSchema: readSchema(options.outputSchema),
	};
}

/**
 * The same for an agent that gets items of a flow: without the option Allowed Tools a list in the item's own `tools` field
 * counts, since n8n does not apply the default of an option that nobody added. A `tools` field of another kind is no list of ours.
 */
export function readRootParameters(ctx: IExecuteFunctions, itemIndex: number, task?: Task): AgentParameters {
	const parameters = readAgentParameters(ctx, itemIndex, task);
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const own = ctx.getInputData()[itemIndex]?.json.tools;
	if ('allowedTools' in options || !Array.isArray(own)) return parameters;
	return { ...parameters, allowedTools: readToolNames(own) };
}

function readResume(get: (name: string) => unknown): ResumeParameters {
	const token = asText(get('token')).trim();
	if (token === '') {
		throw new CodedError('BAD_INPUT', 'The token is empty', {
			remedy: 'Give the "token" of the question that the agent ended with, as it stands in its output under "question".',
		});
	}
	const edited = get('editedArguments');
	const given = typeof edited === 'string' && edited.trim() !== '' ? parseList('editedArguments', edited) : edited;
	return {
		token,
		answer: asText(get('answer')).trim(),
		approved: isYes(get('approved')),
		arguments: typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : undefined,
		by: asText(get('by')).trim(),
	};
}

/** Only a clear yes approves: `true`, "yes", "oui", "approve(d)". */
function isYes(given: unknown): boolean {
	return given === true || (typeof given === 'string' && /^\s*(?:true|yes|oui|ok|approved?|approuv\S*)\s*$/i.test(given));
}

function instructionsOf(written: string, language: Language, detail: unknown): string {
	const isChosen = detail === 'brief' || detail === 'standard' || detail === 'expert';
	return isChosen ? `${written}\n${detailInstruction(language, detail)}` : written;
}

function emptyQuery(): CodedError {
	return new CodedError('BAD_INPUT', 'The query is empty', {
		remedy: 'Fill the Query field, or give items with a "query" or "chatInput" field. Behind a Webhook set Query to {{ $json.body.query }}.',
	});
}

/** An object without fields is no text: a Webhook gives one as `query` when its address has no parameters. */
function asText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'object' && Object.keys(value).length === 0) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function readLimits(options: IDataObject): Limits {
	const positive = (name: keyof Limits): number => {
		const value = options[name];
		if (value === undefined || value === '') return DEFAULT_LIMITS[name];
		if (typeof value === 'number' && value > 0) return value;
		throw new CodedError('BAD_INPUT', `"${name}" must be a number above 0, not ${JSON.stringify(value)}`);
	};
	return {
		maxSteps: positive('maxSteps'),
		maxSeconds: positive('maxSeconds'),
		maxTokens: positive('maxTokens'),
		maxCost: positive('maxCost'),
		maxHistoryTokens: positive('maxHistoryTokens'),
		maxContextTokens: positive('maxContextTokens'),
		maxObservationCharacters: positive('maxObservationCharacters'),
		maxCorrections: DEFAULT_LIMITS.maxCorrections,
	};
}

function readLanguage(chosen: unknown, query: string): Language {
	if (chosen === 'en' || chosen === 'fr') return chosen;
	return detectLanguage(query) ?? 'en';
}

function readToolNames(given: unknown): string[] | undefined {
	const list = typeof given === 'string' && given.trim().startsWith('[') ? parseList('allowedTools', given) : given;
	if (list === undefined || list === null || list === '') return undefined;
	if (typeof list === 'string') return list.split(/[,\n]/).map((name) => name.trim()).filter(Boolean);
	if (!Array.isArray(list)) throw notAList('Allowed Tools', list);
	return list.map((entry: unknown) => (typeof entry === 'string' ? entry : String((entry as IDataObject).name ?? '')));
}

function readPrices(given: unknown): ModelPrice[] {
	const { price } = (given ?? {}) as { price?: Array<Partial<Record<'model' | 'in' | 'out' | 'cached', unknown>>> };
	return (price ?? []).map((row) => ({
		model: String(row.model ?? '').trim(),
		inPerMillion: Number(row.in ?? 0),
		outPerMillion: Number(row.out ?? 0),
		...(typeof row.cached === 'number' && row.cached > 0 && { cachedPerMillion: row.cached }),
	}));
}

function readSchema(given: unknown): JsonSchema | undefined {
	const schema = typeof given === 'string' && given.trim() !== '' ? parseList('outputSchema', given) : given;
	if (schema === undefined || schema === null || schema === '') return undefined;
	if (typeof schema === 'object' && !Array.isArray(schema)) return Object.keys(schema).length > 0 ? (schema as JsonSchema) : undefined;
	throw new CodedError('BAD_INPUT', `Output Schema must be a JSON Schema object, not ${JSON.stringify(schema).slice(0, 100)}`);
}

function parseList(field: string, text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		return raise(new CodedError('BAD_INPUT', `"${field}" is not valid JSON: ${text.slice(0, 100)}`, { cause: error }));
	}
}

function notAList(field: string, given: unknown): CodedError {
	return new CodedError('BAD_INPUT', `${field} must be a list, not ${JSON.stringify(given).slice(0, 100)}`);
}
