import type { IDataObject } from 'n8n-workflow';

import { CodedError, raise } from '../core/errors';

/** The Test Payload of a node, as text or as a value. @throws BAD_INPUT when it is not JSON */
export function readTestPayload(given: unknown): IDataObject {
	if (typeof given !== 'string') return (given ?? {}) as IDataObject;
	try {
		return JSON.parse(given.trim() === '' ? '{}' : given) as IDataObject;
	} catch (error) {
		return raise(new CodedError('BAD_INPUT', `Test Payload is not valid JSON: ${given.slice(0, 100)}`, { remedy: 'Write the body of an event as JSON, for example {"ticket": 12}.', cause: error }));
	}
}
