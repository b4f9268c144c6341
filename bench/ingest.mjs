/**
 * Suite ingest: {docs: [{id, text, title?}]}; `--n N` takes the first N documents.
 *
 * The same passages are first given to the bare encoder in the batches that indexing makes, then the documents are indexed: the ratio
 * of both speeds tells what splitting, analysing and storing cost. `longestStallMs` is the longest time in which a timer of this
 * process could not run; `updateMs` the median of replacing one document, embedding aside.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const load = (file) => require(`../dist/lib/${file}.js`);
const MODEL = 'onnx-community/all-MiniLM-L6-v2-ONNX';

export async function run({ data, n = 200, modelsFolder, say }) {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-ingest-'));
	const embedder = load('inference/local-embedder').localEmbedder({ model: MODEL, dtype: 'q4', modelsFolder });
	const documents = data.docs.slice(0, n).map(({ id, text, title }) => ({ id, text, title }));
	// As the nodes do it: in the thread of the embedded store.
	const { openOrCreateTheme } = load('rag/open-theme');
	const { indexDocuments } = load('rag/index-documents');
	try {
		const batches = [];
		const recorder = { id: embedder.id, embed: async (texts) => (batches.push([...texts]), texts.map(() => unit())) };
		const store = await openOrCreateTheme({ folder, theme: 'dry' }, { createdBy: 'bench' });
		await indexDocuments(documents, { store, embedder: recorder });
		await store.close();
		await embedder.embed(['warm'], { kind: 'passage' });
		const chunks = batches.flat().length;
		say(`${documents.length} documents, ${chunks} passages in ${batches.length} batches`);
		const bare = await timed(async () => {
			for (const texts of batches) await embedder.embed(texts, { kind: 'passage' });
		});
		const real = await openOrCreateTheme({ folder, theme: 'real' }, { createdBy: 'bench' });
		const stall = watchStalls();
		const whole = await timed(async () => await indexDocuments(documents, { store: real, embedder }));
		const longestStallMs = stall.stop();
		const updates = [];
		for (const document of documents.slice(0, 30)) {
			const changed = { ...document, text: `${document.text}\nx` };
			updates.push(await timed(async () => await indexDocuments([changed], { store: real, embedder: { id: embedder.id, embed: async (texts) => texts.map(() => unit()) } })));
		}
		await real.close();
		return {
			docs: documents.length,
			chunks,
			chunksPerS: chunks / (whole / 1000),
			encoderChunksPerS: chunks / (bare / 1000),
			ratioToEncoder: bare / whole,
			longestStallMs,
			updateMs: updates.sort((a, b) => a - b)[Math.floor(updates.length / 2)],
		};
	} finally {
		await load('rag/threaded-store').stopStoreThreads();
		load('inference/model-host-client').stopModelHosts();
		rmSync(folder, { recursive: true });
	}
}

const unit = () => Float32Array.from({ length: 384 }, (_, i) => (i === 0 ? 1 : 0));

async function timed(work) {
	const from = performance.now();
	await work();
	return performance.now() - from;
}

function watchStalls() {
	let longest = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		const now = performance.now();
		longest = Math.max(longest, now - last - 1);
		last = now;
	}, 1);
	return { stop: () => (clearInterval(timer), longest) };
}
