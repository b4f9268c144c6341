import { createRequire } from 'node:module';
import { CodedError, messageOf } from '../../core/errors';
import { isRecord } from '../json';

/** Loads a module when it is first needed, not when this file is. */
const load = createRequire(__filename);

export type Strategy = 'preferred' | 'cheapest' | 'fastest';

/** What is known of a model before it is measured. Prices are per million tokens, in any one currency. */
export interface ModelFacts {
	readonly inputPrice?: number;
	readonly outputPrice?: number;
	/** Expected time to the first token. */
	readonly latencyMs?: number;
}

/** Names are model ids (`mistral/mistral-small-latest`), aliases, or patterns with `*`; case does not matter. */
export interface Policy {
	readonly strategy: Strategy;
	/** First choice first; models that are not named come after, as connected. */
	readonly prefer: readonly string[];
	/** Empty allows all. */
	readonly allow: readonly string[];
	/** Wins over `allow`. */
	readonly deny: readonly string[];
	readonly aliases: { readonly [alias: string]: string };
	/** Goes before all others unless price or latency decide; '' for none. */
	readonly defaultModel: string;
	readonly models: { readonly [name: string]: ModelFacts };
	/** Does a retryable failure lead to the next model? */
	readonly fallback: boolean;
	/** So many failures in a row put a model last for so long. */
	readonly breakAfter: number;
	readonly coolDownMs: number;
}

export const DEFAULT_POLICY: Policy = {
	strategy: 'preferred',
	prefer: [],
	allow: [],
	deny: [],
	aliases: {},
	defaultModel: '',
	models: {},
	fallback: true,
	breakAfter: 3,
	coolDownMs: 60_000,
};

const KEYS = 'strategy, prefer, allow, deny, aliases, default, models, fallback, breakAfter, coolDownSeconds';

/**
 * Reads the rest of a policy from YAML; what it names wins over `base`, maps are merged. Blank text gives `base`.
 *
 * @throws CodedError BAD_INPUT that names the line or the key that is wrong
 */
export function readPolicy(yaml: string, base: Policy): Policy {
	if (yaml.trim() === '') return base;
	const value = parsed(yaml);
	if (!isRecord(value)) throw wrong('it is not a map of keys');
	const { strategy, prefer, allow, deny, aliases, default: defaultModel, models, fallback, breakAfter, coolDownSeconds, ...others } = value;
	const [unknown] = Object.keys(others);
	if (unknown !== undefined) throw wrong(`"${unknown}" is not one of ${KEYS}`);
	return {
		strategy: strategy === undefined ? base.strategy : readStrategy(strategy),
		prefer: namesOf(prefer, 'prefer') ?? base.prefer,
		allow: namesOf(allow, 'allow') ?? base.allow,
		deny: namesOf(deny, 'deny') ?? base.deny,
		aliases: { ...base.aliases, ...mapOf(aliases, 'aliases', (target, at) => text(target, at)) },
		defaultModel: defaultModel === undefined ? base.defaultModel : text(defaultModel, 'default'),
		models: { ...base.models, ...mapOf(models, 'models', readFacts) },
		fallback: fallback === undefined ? base.fallback : truth(fallback, 'fallback'),
		breakAfter: breakAfter === undefined ? base.breakAfter : amount(breakAfter, 'breakAfter'),
		coolDownMs: coolDownSeconds === undefined ? base.coolDownMs : amount(coolDownSeconds, 'coolDownSeconds') * 1000,
	};
}

function parsed(yaml: string): unknown {
	const { parse } = load('yaml') as typeof import('yaml');
	try {
		return parse(yaml, { maxAliasCount: 20 });
	} catch (error) {
		throw wrong(messageOf(error).split('\n', 1)[0] ?? '');
	}
}

function readStrategy(value: unknown): Strategy {
	if (value === 'preferred' || value === 'cheapest' || value === 'fastest') return value;
	throw wrong(`strategy is "${String(value)}" and not preferred, cheapest or fastest`);
}

function readFacts(value: unknown, at: string): ModelFacts {
	if (!isRecord(value)) throw wrong(`${at} is not a map of keys`);
	const { inputPrice, outputPrice, latencyMs, ...others } = value;
	const [unknown] = Object.keys(others);
	if (unknown !== undefined) throw wrong(`${at}: "${unknown}" is not one of inputPrice, outputPrice, latencyMs`);
	return {
		...(inputPrice === undefined ? {} : { inputPrice: amount(inputPrice, `${at}.inputPrice`) }),
		...(outputPrice === undefined ? {} : { outputPrice: amount(outputPrice, `${at}.outputPrice`) }),
		...(latencyMs === undefined ? {} : { latencyMs: amount(latencyMs, `${at}.latencyMs`) }),
	};
}

function namesOf(value: unknown, at: string): string[] | undefined {
	if (value === undefined) return undefined;
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.map((entry) => text(entry, at));
}

function mapOf<T>(value: unknown, at: string, read: (entry: unknown, at: string) => T): { [name: string]: T } {
	if (value === undefined) return {};
	if (!isRecord(value)) throw wrong(`${at} is not a map of keys`);
	return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, read(entry, `${at}.${name}`)]));
}

function text(value: unknown, at: string): string {
	if (typeof value === 'string') return value;
	throw wrong(`${at} is no text`);
}

function truth(value: unknown, at: string): boolean {
	if (typeof value === 'boolean') return value;
	throw wrong(`${at} is neither true nor false`);
}

function amount(value: unknown, at: string): number {
	if (typeof value === 'number' && value >= 0) return value;
	throw wrong(`${at} is no number from 0`);
}

function wrong(what: string): CodedError {
	return new CodedError('BAD_INPUT', `The policy cannot be used: ${what}`, {
		remedy: 'Write YAML such as "deny: [openai/*]" or "aliases: {small: mistral/mistral-small-latest}".',
	});
}
