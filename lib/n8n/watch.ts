import type { IExecuteFunctions } from 'n8n-workflow';

import type { Watch } from '../rag/upkeep';
import { portsOf } from './ports';

/** Long work of a node tells n8n's log how far it is, and stops when the execution is stopped. */
export function watchOf(ctx: IExecuteFunctions): Watch {
	const signal = ctx.getExecutionCancelSignal();
	return { log: portsOf(ctx).log, ...(signal && { signal }) };
}
