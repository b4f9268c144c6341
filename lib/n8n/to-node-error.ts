import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { isCodedError, messageOf } from '../core/errors';

/**
 * The only place where n8n's errors are built: message = what happened, description = what to change.
 *
 * An n8n error is passed on as it is. `itemIndex` is left out for errors that belong to no item.
 */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	const message = messageOf(error);
	if (!isCodedError(error)) return new NodeOperationError(node, asError(error), { itemIndex, message });
	const told = { itemIndex, message, description: error.remedy };
	const made =
		error.status === undefined
			? new NodeOperationError(node, error, told)
			: new NodeApiError(node, { message, status: error.status } satisfies JsonObject, { ...told, httpCode: String(error.status) });
	// What an error workflow reads, besides the message and the description.
	made.context.code = error.code;
	return made;
}

function asError(error: unknown): Error {
	return error instanceof Error ? error : new Error(messageOf(error));
}
