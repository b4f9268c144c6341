import type { ISupplyDataFunctions } from 'n8n-workflow';

import type { Granularity } from '../../lib/core/stream-message';
import { engineFile } from '../../lib/n8n/engine-file';
import { whoIs } from '../../lib/n8n/local-model-use';
import { readConnection, readModelName } from '../../lib/n8n/provider-credentials';
import type { ChatSettings } from '../../lib/providers/settings';

interface Options {
	readonly temperature?: number;
	readonly maxTokens?: number;
	readonly timeout?: number;
	readonly maxAttempts?: number;
	readonly maxConcurrent?: number;
	readonly keepAlive?: string;
	readonly maxContextTokens?: number;
	readonly grammar?: string;
	readonly granularity?: Granularity;
	readonly headers?: { readonly header?: readonly { readonly name: string; readonly value: string }[] };
	readonly recordAs?: string;
	readonly streamLog?: string;
	readonly hidePrompts?: boolean;
	readonly seesPictures?: boolean;
}

/** What the node's panel says, in the terms of lib/providers. */
export async function readSettings(
	ctx: ISupplyDataFunctions,
	itemIndex: number,
): Promise<{ provider: string; settings: ChatSettings }> {
	const provider = ctx.getNodeParameter('provider', itemIndex) as string;
	const options = ctx.getNodeParameter('options', itemIndex, {}) as Options;
	const common = { ...samplingOf(options), ...serverOf(options), ...(await filesOf(ctx, itemIndex, options)) };
	if (provider === 'replay') return { provider, settings: { ...common, ...(await replaySettings(ctx, itemIndex)) } };
	if (provider === 'local') return { provider, settings: { ...common, ...localSettings(ctx, itemIndex) } };
	const model = readModelName(ctx, provider, itemIndex);
	return { provider, settings: { ...common, model, ...(await readConnection(ctx, provider, itemIndex)) } };
}

async function replaySettings(ctx: ISupplyDataFunctions, itemIndex: number): Promise<ChatSettings> {
	if (ctx.getNodeParameter('replayFrom', itemIndex, 'script') === 'recording') {
		const name = ctx.getNodeParameter('recordingName', itemIndex) as string;
		return { model: name, recordingFile: await engineFile(ctx, itemIndex, 'recordings', name) };
	}
	return { model: ctx.getNodeParameter('scriptName', itemIndex) as string, script: ctx.getNodeParameter('script', itemIndex) };
}

function localSettings(ctx: ISupplyDataFunctions, itemIndex: number): ChatSettings {
	return {
		model: ctx.getNodeParameter('localModel', itemIndex) as string,
		dtype: ctx.getNodeParameter('dtype', itemIndex) as string,
		who: whoIs(ctx),
	};
}

function samplingOf({ temperature = 0, maxTokens, granularity, grammar, seesPictures }: Options): Partial<ChatSettings> {
	return {
		...(temperature < 0 ? {} : { temperature }),
		...(maxTokens ? { maxTokens } : {}),
		...(granularity ? { granularity } : {}),
		...(grammar ? { grammar } : {}),
		...(seesPictures ? { seesPictures } : {}),
	};
}

function serverOf({ timeout, maxAttempts, maxConcurrent, keepAlive, maxContextTokens, headers }: Options): Partial<ChatSettings> {
	const named = (headers?.header ?? []).filter(({ name }) => name.trim() !== '');
	return {
		...(timeout ? { timeoutMs: timeout * 1000 } : {}),
		...(maxAttempts ? { maxAttempts } : {}),
		...(maxConcurrent ? { maxConcurrent } : {}),
		...(keepAlive ? { keepAlive: /^-?\d+$/.test(keepAlive) ? Number(keepAlive) : keepAlive } : {}),
		...(maxContextTokens ? { maxContextTokens } : {}),
		...(named.length > 0 ? { headers: Object.fromEntries(named.map(({ name, value }) => [name.trim().toLowerCase(), value])) } : {}),
	};
}

async function filesOf(ctx: ISupplyDataFunctions, itemIndex: number, options: Options): Promise<Partial<ChatSettings>> {
	const { recordAs, streamLog, hidePrompts = false } = options;
	return {
		...(recordAs ? { recordTo: await engineFile(ctx, itemIndex, 'recordings', recordAs) } : {}),
		...(streamLog ? { streamLog: { file: await engineFile(ctx, itemIndex, 'logs', streamLog), hidePrompts } } : {}),
	};
}
