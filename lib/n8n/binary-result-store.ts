import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError, raise } from '../core/errors';
import type { ResultStore, StoredResult } from '../react/result-store';

const IN_MEMORY = 'inline:';

/**
 * Keeps large observations as n8n binary data of the running execution: n8n stores it where its workers can all read it and
 * removes it with the execution. In n8n's in-memory binary mode the handle is the data itself.
 */
export function binaryResultStore(ctx: IExecuteFunctions | ISupplyDataFunctions): ResultStore {
	return {
		put: async (result) => {
			const bytes = Buffer.from(JSON.stringify(result));
			const binary = await ctx.helpers.prepareBinaryData(bytes, 'observation.json', 'application/json');
			return binary.id ?? IN_MEMORY + binary.data;
		},
		get: async (handle) => {
			if (handle.startsWith(IN_MEMORY)) return parse(Buffer.from(handle.slice(IN_MEMORY.length), 'base64'));
			try {
				return parse(await ctx.helpers.binaryToBuffer(await ctx.helpers.getBinaryStream(handle)));
			} catch (error) {
				return raise(unreadable(handle, error));
			}
		},
	};
}

function unreadable(handle: string, cause: unknown): CodedError {
	return new CodedError('INTERNAL', `An earlier result of this run can no longer be read (${handle})`, {
		remedy: 'Run the workflow again. In queue mode all workers must share the same binary data storage.',
		cause,
	});
}

function parse(bytes: Buffer): StoredResult {
	return JSON.parse(bytes.toString('utf8')) as StoredResult;
}
