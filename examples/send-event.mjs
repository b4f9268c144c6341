/**
 * `node examples/send-event.mjs <example> [--url http://127.0.0.1:5678] [--folder .n8n-demo]`: sends a sample event, signed, to an
 * example in the n8n that `npm start` runs. Without a name it lists the examples that take events.
 *
 * The address is the one that `npm start` kept in its folder, whatever the port was.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { keptAddress } from './setup/address.mjs';
import { readJson, root } from './setup/places.mjs';
import { EVENT_EXAMPLES, preparationOf, signedEvent } from './setup/sign-event.mjs';

const options = { url: { type: 'string' }, folder: { type: 'string', default: path.join(root, '.n8n-demo') } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const url = values.url ?? keptAddress(values.folder);
try {
	process.stdout.write(`${await send(positionals[0])}\n`);
} catch (error) {
	process.stderr.write(`${whatToDo(error)}\n`);
	process.exitCode = 1;
}

async function send(name) {
	if (!EVENT_EXAMPLES.includes(name)) throw new Error(`Name an example that takes events: ${EVENT_EXAMPLES.join(', ')}.`);
	const { encryptionKey } = readJson(path.join(values.folder, 'secrets.json'));
	const { path: place, headers, body } = signedEvent(name, encryptionKey);
	const preparation = preparationOf(name);
	if (preparation) await (await fetch(`${url}/webhook/${preparation}`, { method: 'POST' })).text();
	const response = await fetch(`${url}/webhook/${place}`, { method: 'POST', headers, body });
	return `${response.status} ${await response.text()}`;
}

function whatToDo(error) {
	if (error.code === 'ENOENT') return `There is no n8n of the examples in ${values.folder}: start it with "npm start".`;
	if (error.cause?.code === 'ECONNREFUSED') return `No n8n answers at ${url}. Start it with "npm start", or give its address with --url.`;
	return error.message;
}
