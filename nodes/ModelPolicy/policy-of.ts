import type { ISupplyDataFunctions } from 'n8n-workflow';

import { DEFAULT_POLICY, readPolicy, type ModelFacts, type Policy, type Strategy } from '../../lib/providers/policy/policy';

interface ModelRow extends ModelFacts {
	readonly name: string;
}

interface Options {
	readonly allow?: string;
	readonly deny?: string;
	readonly breakAfter?: number;
	readonly coolDown?: number;
	readonly yaml?: string;
}

/** The policy that the node's panel describes: its fields, then its YAML. Throws CodedError BAD_INPUT for YAML that cannot be used. */
export function policyOf(ctx: ISupplyDataFunctions, itemIndex: number): Policy {
	const options = ctx.getNodeParameter('options', itemIndex, {}) as Options;
	const rows = (ctx.getNodeParameter('models', itemIndex, {}) as { model?: ModelRow[] }).model ?? [];
	const base: Policy = {
		...DEFAULT_POLICY,
		strategy: ctx.getNodeParameter('strategy', itemIndex) as Strategy,
		defaultModel: (ctx.getNodeParameter('defaultModel', itemIndex, '') as string).trim(),
		prefer: rows.map(({ name }) => name.trim()).filter((name) => name !== ''),
		models: Object.fromEntries(rows.map((row) => [row.name.trim(), factsOf(row)])),
		fallback: ctx.getNodeParameter('fallback', itemIndex) as boolean,
		allow: names(options.allow),
		deny: names(options.deny),
		breakAfter: options.breakAfter ?? DEFAULT_POLICY.breakAfter,
		coolDownMs: options.coolDown === undefined ? DEFAULT_POLICY.coolDownMs : options.coolDown * 1000,
	};
	return readPolicy(options.yaml ?? '', base);
}

/** -1 in a field means that it is not known. */
function factsOf({ inputPrice = -1, outputPrice = -1, latencyMs = -1 }: ModelRow): ModelFacts {
	return {
		...(inputPrice < 0 ? {} : { inputPrice }),
		...(outputPrice < 0 ? {} : { outputPrice }),
		...(latencyMs < 0 ? {} : { latencyMs }),
	};
}

function names(text = ''): string[] {
	return text.split(/[,\n]/).map((name) => name.trim()).filter((name) => name !== '');
}
