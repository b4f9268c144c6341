/**
 * Suite embedding: `--n N` chunks (default 1,000) of some 60 tokens through the host process of the local models.
 *
 * Baseline `bare`: Transformers.js' own pipeline in a process of its own that does nothing else, batches of 32, in the order given and
 * sorted by length (`bareSorted`, the harder one). All run in turns on the same tenths of the chunks, so that a busy machine slows all.
 * The stall is the longest that this process's event loop was held while the child worked, by the clock. Its baseline, `idleStallMs`, is
 * that of a process which does nothing, watched at the same times under the same load. `longestOwnStallMs` is processor time of this
 * process alone, `longestRunningStallMs` the clock less the time spent waiting for a processor: neither grows with the load of others.
 * It is watched in the rounds and in one call with all chunks. WebAssembly gets a tenth of the chunks.
 */
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { startIdle } from './embedding/watch-loop.mjs';

const require = createRequire(import.meta.url);
const MODEL = 'onnx-community/all-MiniLM-L6-v2-ONNX';
const ROUNDS = 10;
const BATCH = 32;
const WORDS = 'pump valve seal leak hose filter boom cylinder excavator pressure oil work order replaced checked torque bearing noise heat crew shift report'.split(' ');

export async function run({ n = 1000, modelsFolder, say }) {
	const texts = Array.from({ length: n }, (_, at) => chunk(at));
	const bare = await startBare(modelsFolder);
	const native = await measureHost('auto', texts, modelsFolder, say, bare.ask);
	bare.stop();
	const wasm = await measureHost('wasm', texts.slice(0, Math.ceil(n / 10)), modelsFolder, say);
	return { chunks: n, ...native, wasm };
}

async function measureHost(backend, texts, modelsFolder, say, bare) {
	const { localEmbedder } = require('../dist/lib/inference/local-embedder.js');
	const { ModelHostClient } = require('../dist/lib/inference/model-host-client.js');
	const host = new ModelHostClient(backend);
	const embedder = localEmbedder({ model: MODEL, dtype: 'q4', modelsFolder }, host);
	const firstQueryMs = await timed(async () => await embedder.embed(['first query'], { kind: 'query' }));
	const idle = await startIdle();
	const childMs = [];
	const bareMs = [];
	const sortedMs = [];
	for (const part of inParts(texts)) {
		await idle.during(async () => childMs.push(await timed(async () => await embedder.embed(part, { kind: 'passage' }))));
		if (!bare) continue;
		bareMs.push(await bare(part));
		sortedMs.push(await bare([...part].sort((a, b) => a.length - b.length)));
	}
	const allMs = await idle.during(async () => await timed(async () => await embedder.embed(texts, { kind: 'passage' })));
	idle.stop();
	const { own: stall, idle: base } = idle.seen;
	const queryMs = [];
	for (let at = 0; at < 50; at += 1) queryMs.push(await timed(async () => await embedder.embed([`pump ${at} leaks oil`], { kind: 'query' })));
	const described = await host.describe();
	host.stop();
	const chunksPerS = texts.length / (sum(childMs) / 1000);
	const result = {
		backend: described.backend,
		chunksPerS: round(chunksPerS),
		...(bare ? { barePerS: round(texts.length / (sum(bareMs) / 1000)), ratioToBare: ratio(bareMs, childMs), ratioToBareSorted: ratio(sortedMs, childMs) } : {}),
		inOneCallPerS: round(texts.length / (allMs / 1000)),
		longestStallMs: round(stall.wall),
		idleStallMs: round(base.wall),
		ratioToIdleStall: round(stall.wall / base.wall),
		longestRunningStallMs: round(stall.running),
		longestOwnStallMs: round(stall.own),
		delayP99Ms: round(stall.p99),
		idleDelayP99Ms: round(base.p99),
		firstQueryMs: round(firstQueryMs),
		queryMsMedian: round(median(queryMs)),
		hostRssMb: Math.round(described.rssBytes / 2 ** 20),
		ownRssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
	};
	say(`${backend}: ${JSON.stringify(result)}`);
	return result;
}

/** Asks the bare process for the milliseconds that some texts took. */
async function startBare(modelsFolder) {
	const child = fork(fileURLToPath(import.meta.url), ['--bare', modelsFolder]);
	const answer = async () => await new Promise((resolve) => child.once('message', resolve));
	await answer();
	const ask = async (texts) => {
		child.send(texts);
		return await answer();
	};
	return { ask, stop: () => child.kill() };
}

async function serveBare(modelsFolder) {
	const { env, pipeline } = require('@huggingface/transformers');
	env.allowRemoteModels = false;
	env.localModelPath = modelsFolder;
	const embed = await pipeline('feature-extraction', MODEL, { dtype: 'q4', device: 'cpu' });
	await embed(['warm'], { pooling: 'mean', normalize: true });
	process.on('message', async (texts) => {
		const ms = await timed(async () => {
			for (let at = 0; at < texts.length; at += BATCH) await embed(texts.slice(at, at + BATCH), { pooling: 'mean', normalize: true });
		});
		process.send(ms);
	});
	process.on('disconnect', () => process.exit());
	process.send('ready');
}

/** Words chosen by a fixed rule, 35 to 65 of them. */
function chunk(at) {
	const length = 35 + ((at * 7) % 31);
	return Array.from({ length }, (_, i) => WORDS[(at * 13 + i * 5 + ((at * i) % 7)) % WORDS.length]).join(' ');
}

function inParts(texts) {
	const size = Math.ceil(texts.length / ROUNDS);
	return Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size));
}

async function timed(fn) {
	const start = performance.now();
	await fn();
	return performance.now() - start;
}

const ratio = (base, own) => round(sum(base) / sum(own));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value) => Math.round(value * 100) / 100;

if (process.argv[2] === '--bare') await serveBare(process.argv[3]);
