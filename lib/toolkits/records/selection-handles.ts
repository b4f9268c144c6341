import { createHash } from 'node:crypto';
import { CodedError } from '../../core/errors';
import type { Selection } from './select-records';

/** What a handle stands for: conditions and order, without the place in the list. */
interface Kept extends Selection {
	readonly columns?: readonly string[];
	readonly sort_by?: string;
	readonly descending?: boolean;
	readonly limit?: number;
	readonly offset?: number;
	readonly handle?: string;
}

const MOST_KEPT = 1_000;
const kept = new Map<string, Kept>();

/** A short name for a selection; the same one for the same selection. */
export function keepSelection({ filters, match, columns, sort_by, descending }: Kept): string {
	const selection: Kept = { filters, match, columns, sort_by, descending };
	const handle = createHash('sha256').update(JSON.stringify(selection)).digest('hex').slice(0, 8);
	const oldest = kept.size >= MOST_KEPT ? kept.keys().next().value : undefined;
	if (oldest !== undefined) kept.delete(oldest);
	kept.set(handle, selection);
	return handle;
}

/**
 * The selection behind a handle, with the place and the length that the call asks for.
 *
 * @throws CodedError BAD_INPUT for a handle that this process does not know (another worker may have given it), and for conditions
 *                    beside it that are not its own: leaving them out would answer another question
 */
export function recallSelection<Input extends Kept>(handle: string, { offset, limit, ...conditions }: Input): Input {
	const selection = kept.get(handle);
	if (!selection) {
		throw new CodedError('BAD_INPUT', `The handle "${handle}" is not known here.`, { remedy: 'Give the conditions again, with the same offset.' });
	}
	const own = { filters: [], match: 'all', columns: undefined, descending: false, ...withoutGaps(selection), handle };
	const other = Object.entries(withoutGaps(conditions)).find(([key, value]) => JSON.stringify(value) !== JSON.stringify(own[key as keyof typeof own]));
	if (other) {
		throw new CodedError('BAD_INPUT', `The handle "${handle}" stands for other conditions: ${other[0]} differs.`, {
			remedy: 'To read on, give only the handle and the offset; for other conditions leave the handle out.',
		});
	}
	return { ...selection, ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) } as Input;
}

function withoutGaps(given: object): Record<string, unknown> {
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
