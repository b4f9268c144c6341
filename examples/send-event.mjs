/**
 * `node examples/send-event.mjs <example> [--url http://127.0.0.1:5678]`: sends a sample event, signed, to an example in the n8n that
 * `npm start` runs. Without a name it lists the examples that take events.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, root } from './setup/places.mjs';
import { EVENT_EXAMPLES, preparationOf, signedEvent } from './setup/sign-event.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { url: { type: 'string', default: 'http://127.0.0.1:5678' } } });
const [name] = positionals;
try {
	if (!EVENT_EXAMPLES.includes(name)) throw new Error(`Name an example that takes events: ${EVENT_EXAMPLES.join(', ')}.`);
	const { encryptionKey } = readJson(path.join(root, '.n8n-demo/secrets.json'));
	const { path: place, headers, body } = signedEvent(name, encryptionKey);
	const preparation = preparationOf(name);
	if (preparation) await (await fetch(`${values.url}/webhook/${preparation}`, { method: 'POST' })).text();
	const response = await fetch(`${values.url}/webhook/${place}`, { method: 'POST', headers, body });
	process.stdout.write(`${response.status} ${await response.text()}\n`);
} catch (error) {
	const isAbsent = error.code === 'ENOENT' || error.cause?.code === 'ECONNREFUSED';
	process.stderr.write(`${isAbsent ? 'The n8n of the examples does not run: start it with "npm start".' : error.message}\n`);
	process.exitCode = 1;
}
