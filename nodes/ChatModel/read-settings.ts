import type { ISupplyDataFunctions } from 'n8n-workflow';

import { readConnection } from '../../lib/n8n/provider-credentials';
import type { ChatSettings } from '../../lib/providers/settings';

interface Options {
	readonly temperature?: number;
	readonly maxTokens?: number;
	readonly timeout?: number;
	readonly maxAttempts?: number;
}

/** What the node's panel says, in the terms of lib/providers. */
export async function readSettings(
	ctx: ISupplyDataFunctions,
	itemIndex: number,
): Promise<{ provider: string; settings: ChatSettings }> {
	const provider = ctx.getNodeParameter('provider', itemIndex) as string;
	if (provider === 'replay') {
		const model = ctx.getNodeParameter('scriptName', itemIndex) as string;
		return { provider, settings: { model, script: ctx.getNodeParameter('script', itemIndex) } };
	}
	const { temperature = 0, maxTokens, timeout, maxAttempts } = ctx.getNodeParameter('options', itemIndex, {}) as Options;
	const model = ctx.getNodeParameter('model', itemIndex, '', { extractValue: true }) as string;
	return {
		provider,
		settings: {
			model,
			...(await readConnection(ctx, provider, itemIndex)),
			...(temperature < 0 ? {} : { temperature }),
			...(maxTokens ? { maxTokens } : {}),
			...(timeout ? { timeoutMs: timeout * 1000 } : {}),
			...(maxAttempts ? { maxAttempts } : {}),
		},
	};
}
