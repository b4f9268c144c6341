/** Business events as an ERP or a CRM would send them to the examples: signed with the secret of this installation. */
import { createHmac, randomUUID } from 'node:crypto';
import path from 'node:path';
import { EXAMPLES, exampleCredentials } from './examples.mjs';
import { readJson, root } from './places.mjs';

/** The names of the examples that take events: those with `event {path, sender, before?}` in the index. */
export const EVENT_EXAMPLES = EXAMPLES.filter(({ event }) => event).map(({ file }) => file);

/**
 * A delivery for an example, ready for fetch.
 *
 * @param name  one of EVENT_EXAMPLES
 * @param seed  the secret that the credentials were made from (N8N_ENCRYPTION_KEY of the installation)
 * @param body  absent takes the sample in data/events, as changed just now, so that it is no repeat
 * @returns {path, headers, body}: `path` follows `/webhook/` in the address
 */
export function signedEvent(name, seed, body = sampleOf(name)) {
	const { event, credentials } = EXAMPLES.find(({ file }) => file === name) ?? {};
	if (!event) throw new Error(`"${name}" takes no events. These do: ${EVENT_EXAMPLES.join(', ')}.`);
	const { secret } = exampleCredentials({}, seed).find((one) => one.name === credentials[0].name).data;
	const text = JSON.stringify(body);
	return { path: event.path, headers: { 'content-type': 'application/json', ...SIGNERS[event.sender](secret, text) }, body: text };
}

/** The webhook that makes ready what an example looks things up in, such as its index of past cases; undefined for none. */
export function preparationOf(name) {
	return EXAMPLES.find(({ file }) => file === name)?.event.before;
}

function sampleOf(name) {
	const sample = readJson(path.join(root, 'examples/data/events', `${name}.json`));
	return 'modified' in sample ? { ...sample, modified: new Date().toISOString() } : sample;
}

/** The headers of each kind of sender. */
const SIGNERS = {
	erpnext: (secret, text) => ({ 'x-frappe-webhook-signature': createHmac('sha256', secret).update(text).digest('base64') }),
	/** https://www.standardwebhooks.com */
	standard: (secret, text) => {
		const id = `msg_${randomUUID()}`;
		const timestamp = String(Math.floor(Date.now() / 1000));
		const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${text}`).digest('base64');
		return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
	},
};
