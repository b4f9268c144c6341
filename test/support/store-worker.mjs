/**
 * A process that writes or reads one knowledge base until it is killed or its time is over: `node store-worker.mjs <folder>
 * <writer|reader> <number> <milliseconds>`. Loads what was built. A writer replaces its 20 documents again and again, and says
 * `<id> <version>` after each commit; a reader says `bad` for a passage that does not fit its document.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { openOrCreateStore } = require('../../dist/lib/rag/sqlite-store.js');
const [folder, role, number, milliseconds] = process.argv.slice(2);
const store = openOrCreateStore({ folder, theme: 'shared' }, { createdBy: 'test' });
const until = Date.now() + Number(milliseconds);
const vector = Float32Array.from({ length: 16 }, (_, i) => (i === Number(number) ? 1 : 0));

if (role === 'writer') await write();
else await read();
await store.close();

async function write() {
	for (let version = 1; Date.now() < until; version++) {
		const id = `w${number}-${version % 20}`;
		const texts = [0, 1, 2].map((part) => `version ${version} part ${part}`);
		const chunks = texts.map((text) => ({ text, start: 0, end: text.length, titlePath: [], tokens: ['version', `v${version}`], vector }));
		await store.put({ document: { id, text: texts.join('\n'), title: `${version}` }, hash: `${version}`, chunks, acl: ['g:all'] }, { id: 'test', dimension: 16 });
		process.stdout.write(`${id} ${version}\n`);
	}
}

async function read() {
	let reads = 0;
	while (Date.now() < until) {
		const { candidates } = await store.search({ tokens: ['version'], vector, candidates: 10, acl: ['g:all'] });
		for (const { documentId } of await store.passages(candidates.map(({ ref }) => ref))) {
			const parts = await store.neighbours(documentId, 0, 10);
			const isWhole = parts.length === 3 && parts.every(({ text, title }) => text.startsWith(`version ${title} `));
			if (!isWhole && parts.length > 0) process.stdout.write('bad\n');
			reads += 1;
		}
	}
	process.stdout.write(`reads ${reads}\n`);
}
