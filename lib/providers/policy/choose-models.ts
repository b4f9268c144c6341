import { CodedError } from '../../core/errors';
import type { ChatModel, ModelRequest } from '../../core/model';
import { promptTokens } from '../ollama/context-size';
import type { ModelRecords } from './model-records';
import type { ModelFacts, Policy } from './policy';

/** A model that may be used, and why it stands where it does. */
export interface Choice {
	readonly model: ChatModel;
	readonly why: string;
	readonly facts: ModelFacts;
}

/** Tokens of a reply, for prices, when the request names no limit. */
const REPLY_TOKENS = 500;

/**
 * The models that a policy allows for a request, in the order in which they are to be tried.
 *
 * `cheapest` goes by the expected price of this request, `fastest` by the time to the first token as measured, else as declared; models
 * without one come after. Equals go by default, preference, then connection. Models that failed too often go last.
 *
 * @throws CodedError BAD_INPUT when nothing is connected or allowed, or the default is unknown or not allowed
 */
export function chooseModels(models: readonly ChatModel[], policy: Policy, records: ModelRecords, request: ModelRequest): Choice[] {
	const allowed = allowedModels(models, policy);
	const ranked = allowed.map((model, at) => {
		const facts = factsOf(model.id, policy);
		const preference = preferenceOf(model.id, policy);
		const measure = measureOf(model.id, facts, { policy, records, request });
		const isOpen = records.isOpen(model.id, policy.breakAfter, policy.coolDownMs);
		const why = isOpen ? `failed ${policy.breakAfter} times in a row; tried last` : (measure.why ?? preference.why);
		return { choice: { model, facts, why }, keys: [isOpen ? 1 : 0, measure.value, preference.value, at] };
	});
	return ranked.sort((a, b) => compare(a.keys, b.keys)).map(({ choice }) => choice);
}

/**
 * The connected models that the policy allows, as connected.
 *
 * @throws as `chooseModels`
 */
export function allowedModels(models: readonly ChatModel[], policy: Policy): ChatModel[] {
	const ids = models.map(({ id }) => id);
	const isAllowed = ({ id }: ChatModel): boolean =>
		(policy.allow.length === 0 || matchesAny(id, policy.allow, policy)) && !matchesAny(id, policy.deny, policy);
	if (policy.defaultModel !== '') {
		const found = models.filter(({ id }) => matches(id, policy.defaultModel, policy));
		if (found.length === 0) throw noDefault(policy.defaultModel, `is not connected (connected: ${ids.join(', ')})`);
		if (!found.some(isAllowed)) throw noDefault(policy.defaultModel, 'is not allowed by the policy');
	}
	const allowed = models.filter(isAllowed);
	if (allowed.length > 0) return allowed;
	throw new CodedError('BAD_INPUT', `The policy allows none of the connected models (${ids.join(', ') || 'none is connected'})`, {
		remedy: 'Connect a Chat Model that is allowed, or change Allow and Deny.',
	});
}

/** What the policy says of a model, its exact name before patterns. */
export function factsOf(id: string, policy: Policy): ModelFacts {
	const entries = Object.entries(policy.models).filter(([name]) => matches(id, name, policy));
	return Object.assign({}, ...entries.reverse().map(([, facts]) => facts), policy.models[id]) as ModelFacts;
}

function noDefault(name: string, what: string): CodedError {
	return new CodedError('BAD_INPUT', `The default model "${name}" ${what}`, {
		remedy: 'Name a connected model as provider/model (such as mistral/mistral-small-latest), and allow it.',
	});
}

interface Circumstances {
	readonly policy: Policy;
	readonly records: ModelRecords;
	readonly request: ModelRequest;
}

/** What price or speed say of a model; lower is better, the same for all when neither decides. */
function measureOf(id: string, facts: ModelFacts, { policy, records, request }: Circumstances): { value: number; why?: string } {
	switch (policy.strategy) {
		case 'preferred':
			return { value: 0 };
		case 'cheapest': {
			const price = priceOf(facts, promptTokens(request), request.maxTokens ?? REPLY_TOKENS);
			return price === null ? { value: Infinity, why: 'its price is not known' } : { value: price, why: `expected price ${price.toPrecision(3)}` };
		}
		case 'fastest': {
			const measured = records.firstTokenMs(id);
			const value = measured ?? facts.latencyMs ?? Infinity;
			if (value === Infinity) return { value, why: 'its speed is not known' };
			return { value, why: `first token after ${Math.round(value)} ms (${measured === null ? 'declared' : 'measured'})` };
		}
	}
}

/** The price of so many tokens; null when one of the two prices is not known. */
export function priceOf(facts: ModelFacts, inputTokens: number, outputTokens: number): number | null {
	if (facts.inputPrice === undefined || facts.outputPrice === undefined) return null;
	return (inputTokens * facts.inputPrice + outputTokens * facts.outputPrice) / 1e6;
}

function preferenceOf(id: string, policy: Policy): { value: number; why: string } {
	if (policy.defaultModel !== '' && matches(id, policy.defaultModel, policy)) return { value: -1, why: 'the default' };
	const at = policy.prefer.findIndex((name) => matches(id, name, policy));
	return at < 0 ? { value: policy.prefer.length, why: 'in the order of connection' } : { value: at, why: `preference ${at + 1}` };
}

function matchesAny(id: string, names: readonly string[], policy: Policy): boolean {
	return names.some((name) => matches(id, name, policy));
}

/** An alias stands for what it names; `*` for any characters; a name without provider fits the model of any provider. */
function matches(id: string, name: string, policy: Policy): boolean {
	const meant = Object.hasOwn(policy.aliases, name) ? (policy.aliases[name] ?? name) : name;
	const pattern = meant.trim().toLowerCase().split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*');
	if (pattern === '') return false;
	return new RegExp(`^${pattern}$`).test(id.toLowerCase()) || new RegExp(`^[^/]+/${pattern}$`).test(id.toLowerCase());
}

function compare(a: readonly number[], b: readonly number[]): number {
	const at = a.findIndex((value, i) => value !== b[i]);
	return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}
