/**
 * The program of the host process: it loads local models and runs them, so that neither their work nor a crash in their native
 * library touches n8n. Started by host-process, asked over the process channel (see protocol). Batches of several requests
 * take turns; queries go first. It ends with its parent.
 */
import { messageOf } from '../core/errors';
import { embedJob, type EmbedJob } from './embed-job';
import { loadEncoder, type Encoder } from './encoder';
import { installOnnxBackend } from './onnx-backend';
import type { HostReply, HostRequest, ModelOnDisk } from './protocol';

type EmbedRequest = Extract<HostRequest, { type: 'embed' }>;

interface Waiting {
	readonly request: EmbedRequest;
	job?: EmbedJob;
}

const encoders = new Map<string, Promise<Encoder>>();
const waiting: Waiting[] = [];
let working = false;

process.on('disconnect', () => process.exit(0));
process.on('message', (request: HostRequest) => {
	if (request.type === 'cancel') return drop(request.id);
	waiting.push({ request });
	void work();
});
reply({ type: 'ready', backend: installOnnxBackend(process.argv.includes('--wasm')) });

function reply(message: HostReply): void {
	process.send?.(message);
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

function pick(): Waiting | undefined {
	return waiting.find(({ request }) => request.urgent) ?? waiting[0];
}

async function step(entry: Waiting): Promise<void> {
	const { id, model, texts } = entry.request;
	try {
		entry.job ??= embedJob(await encoderOf(model), texts);
		if (!(await entry.job.step())) return;
		if (waiting.includes(entry)) reply({ type: 'vectors', id, ...entry.job.result() });
	} catch (error) {
		reply({ type: 'failed', id, code: 'INTERNAL', message: messageOf(error).split('\n', 1)[0] ?? '' });
	}
	drop(id);
}

async function encoderOf(model: ModelOnDisk): Promise<Encoder> {
	const key = JSON.stringify(model);
	const known = encoders.get(key);
	if (known) return await known;
	const loading = loadEncoder(model);
	encoders.set(key, loading);
	loading.catch(() => encoders.delete(key));
	return await loading;
}
