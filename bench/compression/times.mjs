import { performance } from 'node:perf_hooks';

const PASSAGES = 20;
const CHARACTERS = 600;
const ROUNDS = 10;

/**
 * Times of 20 passages of 600 characters, medians of ten: the whole, the encoder's part and ours beside it, the whole without an
 * encoder; the processor time of this process for the same, which other programs on the machine do not lengthen; and the longest that this
 * process was held, by both clocks.
 */
export async function timesOf(items, compress, embedder) {
	const documents = passagesOf(items);
	const request = { query: items[0].q, history: [], documents, method: 'extract', keepShare: 0.35, maxTokens: 1e6, minRelevance: 0 };
	const timed = timedEmbedder(embedder);
	const known = rememberingEmbedder(embedder);
	await compress(request, { embedder: known });
	const totals = [];
	const own = [];
	const words = [];
	const stalls = [];
	const cpu = { withEncoder: [], wordsOnly: [] };
	for (let round = 0; round < ROUNDS; round += 1) {
		timed.ms = 0;
		const total = await time(async () => stalls.push(await stallWhile(async () => await compress(request, { embedder: timed }))));
		cpu.withEncoder.push(await ownTime(async () => await compress(request, { embedder: known })));
		totals.push(total);
		own.push(total - timed.ms);
		cpu.wordsOnly.push(await ownTime(async () => await compress(request, {})));
		words.push(await time(async () => stalls.push(await stallWhile(async () => await compress(request, {})))));
	}
	return {
		characters: documents.reduce((sum, { text }) => sum + text.length, 0),
		totalMs: median(totals),
		encoderMs: median(totals.map((total, at) => total - own[at])),
		ownMs: median(own),
		ownShare: round(median(own) / median(totals), 3),
		ownCpuMs: median(cpu.withEncoder),
		wordsOnlyMs: median(words),
		wordsOnlyCpuMs: median(cpu.wordsOnly),
		longestStallMs: round(Math.max(...stalls.map(({ wall }) => wall))),
		longestOwnStallMs: round(Math.max(...stalls.map((stall) => stall.own))),
	};
}

function passagesOf(items) {
	const text = items.flatMap(({ hits }) => hits.map((hit) => hit.text)).join(' ');
	const long = text.length >= PASSAGES * CHARACTERS ? text : text.repeat(Math.ceil((PASSAGES * CHARACTERS) / text.length));
	return Array.from({ length: PASSAGES }, (_, at) => ({
		...{ id: String(at), documentId: String(at), title: `Part ${at + 1}`, meta: {}, score: 1 },
		text: long.slice(at * CHARACTERS, (at + 1) * CHARACTERS),
	}));
}

function timedEmbedder(embedder) {
	const timed = {
		id: embedder.id,
		ms: 0,
		async embed(texts, options) {
			const start = performance.now();
			const vectors = await embedder.embed(texts, options);
			timed.ms += performance.now() - start;
			return vectors;
		},
	};
	return timed;
}

/** Without the time that vectors take to be made. */
function rememberingEmbedder(embedder) {
	const answers = new Map();
	return {
		id: embedder.id,
		async embed(texts, options) {
			const key = options.kind + texts.join();
			if (!answers.has(key)) answers.set(key, await embedder.embed(texts, options));
			return answers.get(key);
		},
	};
}

/** Processor time of this process. */
async function ownTime(fn) {
	const before = process.cpuUsage();
	await fn();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** The longest time between two ticks of a timer of 1 ms. */
async function stallWhile(fn) {
	const longest = { wall: 0, own: 0 };
	let at = performance.now();
	let used = process.cpuUsage();
	const tick = () => {
		const spent = process.cpuUsage(used);
		const wall = performance.now() - at;
		longest.wall = Math.max(longest.wall, wall - 1);
		longest.own = Math.max(longest.own, Math.min(wall, (spent.user + spent.system) / 1000));
		at = performance.now();
		used = process.cpuUsage();
	};
	const timer = setInterval(tick, 1);
	await fn();
	tick();
	clearInterval(timer);
	return longest;
}

async function time(fn) {
	const start = performance.now();
	await fn();
	return performance.now() - start;
}

const median = (values) => round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]);
const round = (value, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits;
