import { installModel, isHubName } from '../inference/install-model';
import type { ModelType } from '../inference/model-structure';
import { modelsFolder } from '../inference/model-store';
import type { Dtype } from '../inference/protocol';
import type { Ports } from '../core/ports';

interface Installing {
	readonly model: string;
	readonly dtype: Dtype;
	readonly node?: string;
	readonly workflow?: string;
}

/**
 * What fetches a node's model from the hub at its first use, through n8n's own rules for requests. A path is never fetched. Its calls
 * throw as `installModel` does.
 */
export function modelInstaller({ model, dtype, node = '', workflow = '' }: Installing, ports: Ports): (types: readonly ModelType[]) => Promise<void> {
	return async (types) => {
		if (!isHubName(model)) return;
		await installModel({ model, dtype, types, modelsFolder: modelsFolder(), who: { node, workflow } }, ports);
	};
}
