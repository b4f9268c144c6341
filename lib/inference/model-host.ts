/**
 * The program of the host process: it loads local models and runs them, so that neither their work nor a crash in their native
 * library touches n8n. Started by host-process, asked over the process channel (see protocol). Batches of several requests
 * take turns; queries go first. One reply is written at a time, between the batches. It ends with its parent.
 */
import { isCodedError, messageOf } from '../core/errors';
import { loadCausalLm } from './causal-lm';
import { loadCrossEncoder } from './cross-encoder';
import { embedJob } from './embed-job';
import { loadEncoder } from './encoder';
import { LoadedModels } from './loaded-models';
import { installOnnxBackend } from './onnx-backend';
import type { HostReply, HostRequest } from './protocol';
import { crossEncoderJob, lateInteractionJob } from './score-job';

type Request<T extends HostRequest['type']> = Extract<HostRequest, { type: T }>;
type Batched = Request<'embed' | 'score'>;

/** Work that is done a batch at a time; `step` gives the answer with the last one. */
interface Job {
	readonly request: Batched;
	/** The model that `step` works with: it may have been put out and loaded anew between two batches, then the job starts again. */
	loaded?: object;
	step?: () => Promise<HostReply | undefined>;
}

const models = new LoadedModels(Number(process.argv.find((argument) => argument.startsWith('--memory='))?.slice(9) ?? 0) * 2 ** 20);
const waiting: Job[] = [];
const writing = new Map<number, AbortController>();
let working = false;
let lastReply: Promise<void> = Promise.resolve();

process.on('disconnect', () => process.exit(0));
process.on('message', (request: HostRequest) => void receive(request));
const backend = installOnnxBackend(process.argv.includes('--wasm'));
reply({ type: 'ready', backend });

function reply(message: HostReply): void {
	process.send?.(message);
}

async function receive(request: HostRequest): Promise<void> {
	switch (request.type) {
		case 'cancel':
			writing.get(request.id)?.abort();
			return drop(request.id);
		case 'describe':
			return reply({ type: 'described', id: request.id, backend, rssBytes: process.memoryUsage.rss(), models: models.describe() });
		case 'unload':
			return reply({ type: 'unloaded', id: request.id, count: await models.unload(request.folder) });
		case 'generate':
			writing.set(request.id, new AbortController());
			lastReply = lastReply.then(async () => await write(request));
			return;
		default:
			waiting.push({ request });
			await work();
	}
}

function drop(id: number): void {
	const at = waiting.findIndex(({ request }) => request.id === id);
	if (at >= 0) waiting.splice(at, 1);
}

async function work(): Promise<void> {
	if (working) return;
	working = true;
	for (let next = pick(); next; next = pick()) {
		await step(next);
		// Messages of the parent (a cancel, a query) are seen between two batches.
		await new Promise((resolve) => setImmediate(resolve));
	}
	working = false;
}

function pick(): Job | undefined {
	return waiting.find(({ request }) => request.urgent) ?? waiting[0];
}

async function step(job: Job): Promise<void> {
	const { id, model } = job.request;
	try {
		const answer = await stepOf(job);
		if (!answer) return;
		if (waiting.includes(job)) reply(answer);
	} catch (error) {
		failed(id, error, model.folder);
	}
	drop(id);
}

async function stepOf(job: Job): Promise<HostReply | undefined> {
	const { request } = job;
	const { id, model, texts, who } = request;
	const begins = job.step === undefined;
	if (request.type === 'score' && request.method === 'cross-encoder') {
		return await models.use({ model, use: 'cross-encoder', who, begins }, loadCrossEncoder, async (loaded) =>
			await nextBatch(job, loaded, () => stepper(crossEncoderJob(loaded, request.query, texts), (made) => ({ type: 'scores', id, ...made }))),
		);
	}
	return await models.use({ model, use: 'encoder', who, begins }, loadEncoder, async (loaded) =>
		await nextBatch(job, loaded, () =>
			request.type === 'score'
				? stepper(lateInteractionJob(loaded, request.query, texts), (made) => ({ type: 'scores', id, ...made }))
				: stepper(embedJob(loaded, texts), (made) => ({ type: 'vectors', id, ...made })),
		),
	);
}

async function nextBatch(job: Job, loaded: object, begin: () => NonNullable<Job['step']>): Promise<HostReply | undefined> {
	if (job.loaded !== loaded || !job.step) {
		job.loaded = loaded;
		job.step = begin();
	}
	return await job.step();
}

function stepper<R>(job: { step(): Promise<boolean>; result(): R }, answer: (result: R) => HostReply): () => Promise<HostReply | undefined> {
	return async () => ((await job.step()) ? answer(job.result()) : undefined);
}

async function write(request: Request<'generate'>): Promise<void> {
	const { id, model, spec, who } = request;
	const stop = writing.get(id);
	try {
		if (!stop || stop.signal.aborted) return;
		const onText = (text: string): void => {
			if (text !== '' && !stop.signal.aborted) reply({ type: 'text', id, text });
		};
		const done = await models.use({ model, use: 'language-model', who }, loadCausalLm, async (loaded) => await loaded.generate(spec, onText, stop.signal));
		reply({ type: 'generated', id, ...done });
	} catch (error) {
		failed(id, error, model.folder);
	} finally {
		writing.delete(id);
	}
}

function failed(id: number, error: unknown, folder: string): void {
	const message = messageOf(error).split('\n', 1)[0] ?? '';
	if (!isCodedError(error)) return reply({ type: 'failed', id, code: 'INTERNAL', message: `${message} (${folder})` });
	const { code, remedy, reason } = error;
	reply({ type: 'failed', id, code, message, ...(remedy ? { remedy } : {}), ...(reason ? { reason } : {}) });
}
