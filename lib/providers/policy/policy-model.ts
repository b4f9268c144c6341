/**
 * Several models as one: a policy chooses for each request, and goes to the next when a model fails.
 *
 * In: models, a policy, what past runs showed. Out: core's ChatModel. What was chosen, why, what was tried and the price stand in the
 * notes of each reply as `policy`. A failure after the first piece of a reply cannot be taken back, so it is thrown.
 */
import { CodedError, isCodedError, messageOf, raise } from '../../core/errors';
import type { ChatModel, ModelCapabilities, ModelEvent, ModelRequest } from '../../core/model';
import type { Ports } from '../../core/ports';
import { allowedModels, chooseModels, priceOf, type Choice } from './choose-models';
import type { ModelRecords } from './model-records';
import type { Policy } from './policy';

interface Attempt {
	readonly model: string;
	readonly failure: string;
}

/**
 * One model over several.
 *
 * @throws CodedError BAD_INPUT when the policy allows none of them, or its default is unknown or not allowed
 */
export function policyModel(
	models: readonly ChatModel[],
	policy: Policy,
	records: ModelRecords,
	ports: Pick<Ports, 'clock' | 'log'>,
): ChatModel {
	const allowed = allowedModels(models, policy);
	const [first] = chooseModels(models, policy, records, { messages: [] });
	return {
		id: `policy/${first!.model.id}`,
		capabilities: commonCapabilities(allowed),
		stream: (request, signal) => stream({ models, policy, records, ports }, request, signal),
	};
}

interface Engine {
	readonly models: readonly ChatModel[];
	readonly policy: Policy;
	readonly records: ModelRecords;
	readonly ports: Pick<Ports, 'clock' | 'log'>;
}

async function* stream(engine: Engine, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	const choices = chooseModels(engine.models, engine.policy, engine.records, request);
	const attempts: Attempt[] = [];
	for (const [at, choice] of choices.entries()) {
		const isLast = at === choices.length - 1 || !engine.policy.fallback;
		const progress: Progress = { choice, attempts, hasBegun: false };
		try {
			yield* oneModel(engine, progress, request, signal);
			return;
		} catch (error) {
			signal.throwIfAborted();
			const isTemporary = isCodedError(error) && error.retryable;
			if (isTemporary) engine.records.failed(choice.model.id);
			if (progress.hasBegun || !isTemporary || (isLast && attempts.length === 0)) raise(error);
			attempts.push({ model: choice.model.id, failure: messageOf(error) });
			if (isLast) raise(allFailed(attempts, error));
			engine.ports.log('warn', `${choice.model.id} failed, ${choices[at + 1]?.model.id} is tried: ${messageOf(error)}`);
		}
	}
}

interface Progress {
	readonly choice: Choice;
	readonly attempts: readonly Attempt[];
	hasBegun: boolean;
}

async function* oneModel(
	{ records, ports }: Engine,
	progress: Progress,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const { choice, attempts } = progress;
	const startedAt = ports.clock.now();
	let firstTokenMs: number | null = null;
	for await (const event of choice.model.stream(request, signal)) {
		if (event.type !== 'finish') {
			firstTokenMs ??= ports.clock.now() - startedAt;
			progress.hasBegun = true;
			yield event;
			continue;
		}
		records.succeeded(choice.model.id, firstTokenMs);
		progress.hasBegun = true;
		const price = priceOf(choice.facts, event.usage.inputTokens ?? Number.NaN, event.usage.outputTokens ?? Number.NaN);
		const policy = {
			chosen: choice.model.id,
			why: choice.why,
			firstTokenMs,
			price: Number.isNaN(price) ? null : price,
			...(attempts.length > 0 ? { failedBefore: [...attempts] } : {}),
		};
		yield { ...event, notes: { ...event.notes, policy } };
	}
}

function allFailed(attempts: readonly Attempt[], last: unknown): CodedError {
	const list = attempts.map(({ model, failure }) => `${model}: ${failure}`).join(' | ');
	return new CodedError('UPSTREAM', `All ${attempts.length} models of the policy failed. ${list}`, {
		remedy: 'Try again later, or connect another model to the Model Policy.',
		retryable: true,
		...(isCodedError(last) && last.status !== undefined ? { status: last.status } : {}),
		cause: last,
	});
}

/** What all can or cannot do; `unknown` where they differ, so that it is found out at the call. */
function commonCapabilities(models: readonly ChatModel[]): ModelCapabilities {
	const common = (key: keyof ModelCapabilities): 'yes' | 'no' | 'unknown' => {
		const values = new Set(models.map(({ capabilities }) => capabilities[key]));
		return values.size === 1 ? [...values][0]! : 'unknown';
	};
	return { tools: common('tools'), responseSchema: common('responseSchema'), images: common('images') };
}
