/**
 * A process that writes turns to a conversation as fast as it can: `node memory-worker.mjs <place as JSON> <name> <count>`. Loads
 * what was built. Each turn says who wrote it and its number.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { withMemory } = require('../../dist/lib/chat/open-memory.js');
const [place, name, count] = process.argv.slice(2);
const key = { memory: 'shared', user: 'anne', session: 's' };

for (let n = 0; n < Number(count); n++) {
	const said = (role, text) => ({ role, parts: [{ type: 'text', text }] });
	await withMemory(JSON.parse(place), async (store) => {
		await store.append(key, { at: Date.now(), messages: [said('user', `${name} ${n}`), said('assistant', `to ${name} ${n}`)] });
	});
}
