import { CodedError } from '../core/errors';
import { startHostProcess, type HostProcess } from './host-process';
import { CallQueue } from './call-queue';
import type { Who } from './engine-settings';
import { inSlices } from './slices';
import type { Backend, GenerateSpec, HostDescription, HostReply, HostRequest, ModelOnDisk, ScoreMethod } from './protocol';

/** Memory of the models is given back after so long without a request. */
const IDLE_MS = 10 * 60_000;

export interface EmbedCall {
	readonly model: ModelOnDisk;
	/** None of them blank. */
	readonly texts: readonly string[];
	readonly urgent: boolean;
	readonly signal?: AbortSignal | undefined;
	/** Named beside the model when this call loads it. */
	readonly who?: Who | undefined;
}

export interface ScoreCall extends EmbedCall {
	readonly method: ScoreMethod;
	readonly query: string;
}

export interface GenerateCall {
	readonly model: ModelOnDisk;
	readonly spec: GenerateSpec;
	readonly signal: AbortSignal;
	readonly who?: Who | undefined;
}

export interface Embedded {
	readonly vectors: Float32Array[];
	/** How many texts' parts had to be averaged because they were too long. */
	readonly splitTexts: number;
}

type Answer<T extends HostReply['type']> = Extract<HostReply, { type: T }>;
type Ask = HostRequest extends infer R ? (R extends { type: string } ? Omit<R, 'id'> : never) : never;

interface Pending {
	readonly replies: CallQueue<HostReply>;
}

/**
 * The n8n side of the host process: starts it at the first call and again after a crash, and ends it when it is idle.
 *
 * A crash fails the calls that were under way, with what the process last said; where it crashed before it was ready, the next
 * one runs on WebAssembly. Every call throws CodedError: INTERNAL when the model cannot be loaded or run or the process ends,
 * RESOURCE_LIMIT when the model does not fit into the memory cap; and the signal's reason when it aborts.
 */
export class ModelHostClient {
	private host: HostProcess | undefined;
	private readonly pending = new Map<number, Pending>();
	private lastId = 0;
	private wasReady = false;
	private idle: NodeJS.Timeout | undefined;

	/** @param memoryMb  cap for all models together; 0 for none */
	constructor(
		private backend: Backend,
		private readonly idleMs = IDLE_MS,
		private readonly memoryMb = 0,
	) {}

	/** The process id while the host runs; undefined when there is none. */
	get pid(): number | undefined {
		return this.host?.child.pid;
	}

	/** Embeds texts. Many go in slices, so that no message holds this process's event loop for long. */
	async embed({ signal, texts, ...call }: EmbedCall): Promise<Embedded> {
		let splitTexts = 0;
		const vectors = await inSlices(texts, async (slice) => {
			const reply = await this.one<'vectors'>({ type: 'embed', texts: slice, ...call }, signal);
			splitTexts += reply.splitTexts;
			return cut(reply.numbers, reply.dimension);
		});
		return { vectors, splitTexts };
	}

	/** Scores texts for a query, in the order of the texts. */
	async score({ signal, ...call }: ScoreCall): Promise<Float32Array> {
		return (await this.one<'scores'>({ type: 'score', ...call }, signal)).scores;
	}

	/** Writes a reply: its text piece by piece, then the counts. Leaving the loop stops the writing. */
	async *generate({ signal, ...call }: GenerateCall): AsyncGenerator<Answer<'text' | 'generated'>> {
		for await (const reply of this.replies({ type: 'generate', ...call }, signal)) yield reply as Answer<'text' | 'generated'>;
	}

	/** What is loaded; undefined when no process runs. */
	async describe(): Promise<HostDescription | undefined> {
		if (!this.host) return undefined;
		const { backend, rssBytes, models } = await this.one<'described'>({ type: 'describe' });
		return { backend, rssBytes, models };
	}

	/** Puts models out of memory that are not in use, all or those of a folder; gives how many. */
	async unload(folder?: string): Promise<number> {
		if (!this.host) return 0;
		return (await this.one<'unloaded'>({ type: 'unload', ...(folder === undefined ? {} : { folder }) })).count;
	}

	/** Ends the host process; calls under way fail. The next call starts a new one. */
	stop(): void {
		clearTimeout(this.idle);
		const { host } = this;
		if (!host) return;
		host.child.kill('SIGKILL');
		this.wasReady = true;
		this.gone(host, 'it was stopped');
	}

	private async one<T extends HostReply['type']>(ask: Ask, signal?: AbortSignal): Promise<Answer<T>> {
		for await (const reply of this.replies(ask, signal)) return reply as Answer<T>;
		throw this.ended('no answer');
	}

	private async *replies(ask: Ask, signal?: AbortSignal): AsyncGenerator<HostReply> {
		signal?.throwIfAborted();
		const id = (this.lastId += 1);
		const { child } = this.running();
		const replies = new CallQueue<HostReply>();
		this.pending.set(id, { replies });
		const cancel = (): void => replies.fail(signal?.reason as Error);
		signal?.addEventListener('abort', cancel, { once: true });
		let isDone = false;
		try {
			child.channel?.ref();
			child.send({ ...ask, id }, (error) => error && replies.fail(this.ended(error.message)));
			while (!isDone) {
				const reply = await replies.next();
				isDone = reply.type !== 'text';
				yield reply;
			}
		} finally {
			signal?.removeEventListener('abort', cancel);
			if (!isDone && child.connected) child.send({ type: 'cancel', id });
			this.pending.delete(id);
			this.rest();
		}
	}

	private running(): HostProcess {
		clearTimeout(this.idle);
		if (this.host) return this.host;
		const host = startHostProcess(this.backend, this.memoryMb);
		this.host = host;
		this.wasReady = false;
		host.child.on('message', (reply: HostReply) => this.receive(reply));
		host.child.once('error', (error) => this.gone(host, error.message));
		host.child.once('close', (code, signal) => this.gone(host, signal ? `signal ${signal}` : `exit code ${code}`));
		return host;
	}

	private receive(reply: HostReply): void {
		if (reply.type === 'ready') {
			this.wasReady = true;
			return;
		}
		const replies = this.pending.get(reply.id)?.replies;
		if (reply.type === 'failed') replies?.fail(toError(reply));
		else replies?.add(reply);
	}

	private gone(host: HostProcess, why: string): void {
		if (this.host !== host) return;
		this.host = undefined;
		if (!this.wasReady) this.backend = 'wasm';
		const error = this.ended(`${why}${lastLine(host.lastWords())}`);
		for (const { replies } of this.pending.values()) replies.fail(error);
	}

	private ended(why: string): CodedError {
		return new CodedError('INTERNAL', `The process of the local models ended (${why})`, {
			remedy: 'The next call starts it again. If it stays: give n8n more memory, or choose a smaller model or a remote provider.',
			retryable: true,
		});
	}

	private rest(): void {
		if (this.pending.size > 0) return;
		this.host?.child.channel?.unref();
		clearTimeout(this.idle);
		this.idle = setTimeout(() => this.stop(), this.idleMs);
		this.idle.unref();
	}
}

const MODEL_REMEDY = 'Check that the folder holds a model of this kind in ONNX format, with the files of the chosen data type.';

const clients = new Map<Backend, ModelHostClient>();

/** Megabytes that the local models may take together, from REACTENGINE_MODEL_MEMORY_MB; 0 (no cap) without it. */
export function memoryCapMb(): number {
	const value = Number(process.env.REACTENGINE_MODEL_MEMORY_MB ?? 0);
	return Number.isFinite(value) && value > 0 ? value : 0;
}

/** The one client of this n8n process for a backend. */
export function modelHost(backend: Backend): ModelHostClient {
	const client = clients.get(backend) ?? new ModelHostClient(backend, IDLE_MS, memoryCapMb());
	clients.set(backend, client);
	return client;
}

/** The clients that were used in this n8n process. */
export function modelHosts(): readonly ModelHostClient[] {
	return [...clients.values()];
}

/** Ends the host processes of this process, for tests and shutdown. */
export function stopModelHosts(): void {
	for (const client of clients.values()) client.stop();
}

function toError({ code, message, remedy, reason }: Answer<'failed'>): CodedError {
	return new CodedError(code, `The local model failed: ${message}`, { remedy: remedy ?? MODEL_REMEDY, ...(reason ? { reason } : {}) });
}

function cut(numbers: Float32Array, dimension: number): Float32Array[] {
	if (dimension === 0) return [];
	return Array.from({ length: numbers.length / dimension }, (_, i) => numbers.slice(i * dimension, (i + 1) * dimension));
}

function lastLine(words: string): string {
	const line = words.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
	return line === '' ? '' : `: ${line}`;
}
