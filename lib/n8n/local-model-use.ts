import type { ISupplyDataFunctions } from 'n8n-workflow';

import type { Who } from '../inference/engine-settings';
import { installModel, isHubName } from '../inference/install-model';
import { lockModel } from '../inference/lock-model';
import type { ModelType } from '../inference/model-structure';
import { modelsFolder } from '../inference/model-store';
import type { Dtype } from '../inference/protocol';
import { portsOf } from './ports';

interface LocalModelUse {
	readonly who: Who;
	readonly lock: (folder: string) => Promise<void>;
	readonly install?: (types: readonly ModelType[]) => Promise<void>;
}

/** The node and the workflow of a context. */
export function whoIs(ctx: ISupplyDataFunctions): Who {
	return { node: ctx.getNode().name, workflow: ctx.getWorkflow().name ?? '' };
}

/**
 * How a node uses a local model: in whose name, held to what the model was at its first use, and fetched from the hub where it is
 * missing, through n8n's own rules for requests. A path is never fetched. The calls throw as `installModel` and `lockModel` do.
 *
 * @param isFetched  false leaves out `install`
 */
export function localModelUse(ctx: ISupplyDataFunctions, { model, dtype }: { model: string; dtype: Dtype }, isFetched: boolean): LocalModelUse {
	const ports = portsOf(ctx);
	const who = whoIs(ctx);
	const lock = async (folder: string): Promise<void> => await lockModel({ folder, dtype, who }, ports);
	if (!isFetched || !isHubName(model)) return { who, lock };
	const install = async (types: readonly ModelType[]): Promise<void> => {
		await installModel({ model, dtype, types, modelsFolder: modelsFolder(), who }, ports);
	};
	return { who, lock, install };
}
