import { createHash } from 'node:crypto';
import type { SearchRequest } from './store';

/** All that an answer depends on, beside the state of the knowledge base: who asks, the filter, the query. 44 characters. */
export function searchKey({ acl, filter, tokens, vector, candidates }: SearchRequest): string {
	const bytes = vector ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64') : null;
	const asker = acl === 'all' ? 'all' : [...new Set(acl ?? [])].sort();
	return createHash('sha256').update(JSON.stringify([asker, filter ?? null, tokens, candidates, bytes])).digest('base64');
}

/** Sets an entry; the oldest leaves when there are `most`. */
export function keepEntry<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): void {
	const oldest = entries.keys().next().value;
	if (entries.size >= most && oldest !== undefined) entries.delete(oldest);
	entries.set(key, value);
}
