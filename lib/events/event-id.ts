import { createHash } from 'node:crypto';

import { SCHEMES, type Delivery } from './signature';

/** Headers in which senders give each event an id that stays the same when they deliver it again. */
const ID_HEADERS: Readonly<Record<string, string>> = {
	standard: SCHEMES.standard.idHeader,
	github: 'x-github-delivery',
	shopify: 'x-shopify-event-id',
};

/**
 * The id of an event as its sender gives it; where it gives none, a hash of the body: then only the very same body is a repeat.
 *
 * An `id` in the body is not taken in general: it often names the record, and two changes of one record are two events.
 */
export function eventIdOf(sender: string, delivery: Delivery): string {
	const header = delivery.headers[ID_HEADERS[sender] ?? ''];
	if (typeof header === 'string' && header !== '') return header;
	const known = KNOWN_IDS[sender]?.(delivery.body) ?? '';
	return known === '' ? `sha256:${createHash('sha256').update(delivery.rawBody ?? JSON.stringify(delivery.body ?? null)).digest('hex')}` : known;
}

const KNOWN_IDS: Readonly<Record<string, (body: unknown) => string>> = {
	stripe: (body) => idIn(body, 'id'),
	hubspot: hubspotIds,
	pipedrive: pipedriveId,
};

/** Pipedrive counts its tries in the body, so a hash would tell a second try from the first. The `meta.id` of version 1 is the record's. */
function pipedriveId(body: unknown): string {
	const meta = typeof body === 'object' && body !== null ? (body as Record<string, unknown>).meta : undefined;
	if (idIn(meta, 'version').startsWith('2')) return idIn(meta, 'id');
	const parts = ['object', 'action', 'id', 'timestamp_micro'].map((key) => idIn(meta, key));
	return parts.includes('') ? '' : parts.join(':');
}

/** HubSpot delivers events in batches. */
function hubspotIds(body: unknown): string {
	const ids = (Array.isArray(body) ? body : [body]).map((event: unknown) => idIn(event, 'eventId'));
	return ids.includes('') ? '' : ids.join(',');
}

const LONGEST_ID = 200;

/** An id or key as a store can hold it in an index: one that is long or has control characters becomes a hash. */
export function storedId(id: string): string {
	const isPlain = id.length <= LONGEST_ID && !/\p{Cc}/u.test(id);
	return isPlain ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

function idIn(value: unknown, key: string): string {
	const id = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}
