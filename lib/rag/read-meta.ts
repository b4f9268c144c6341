import type { Meta, MetaValue } from '../core/document';
import { CodedError } from '../core/errors';

function readValue(field: string, value: unknown): MetaValue {
	if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
	if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value as string[];
	throw new CodedError('BAD_INPUT', `The metadata field "${field}" holds ${JSON.stringify(value)?.slice(0, 80)}`, {
		remedy: 'Metadata values are texts, numbers, true or false, or lists of texts.',
	});
}

/** Undefined for a text that is no JSON. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Reads metadata as a flow gives it: an object, its JSON text, or nothing ({}).
 *
 * @throws CodedError BAD_INPUT for anything else, or for a value that a filter could not compare, naming the field
 */
export function readMetadata(given: unknown): Meta {
	if (given === undefined || given === null || given === '') return {};
	const value = typeof given === 'string' ? parsed(given) : given;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new CodedError('BAD_INPUT', `The metadata is not an object: ${JSON.stringify(given)?.slice(0, 80)}`, {
			remedy: 'Give an object such as {"site": "Lyon"}.',
		});
	}
	return Object.fromEntries(Object.entries(value).map(([field, entry]) => [field, readValue(field, entry)]));
}
