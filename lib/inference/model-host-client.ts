import { CodedError } from '../core/errors';
import { startHostProcess, type HostProcess } from './host-process';
import type { Backend, HostReply, ModelOnDisk } from './protocol';

/** Memory of the models is given back after so long without a request. */
const IDLE_MS = 10 * 60_000;

export interface EmbedCall {
	readonly model: ModelOnDisk;
	/** None of them blank. */
	readonly texts: readonly string[];
	readonly urgent: boolean;
	readonly signal?: AbortSignal | undefined;
}

export interface Embedded {
	readonly vectors: Float32Array[];
	/** How many texts' parts had to be averaged because they were too long. */
	readonly splitTexts: number;
}

interface Pending {
	resolve(embedded: Embedded): void;
	reject(error: Error): void;
}

/**
 * The n8n side of the host process: starts it at the first call and again after a crash, and ends it when it is idle.
 *
 * A crash fails the calls that were under way, with what the process last said; where it crashed before it was ready, the next
 * one runs on WebAssembly.
 */
export class ModelHostClient {
	private host: HostProcess | undefined;
	private readonly pending = new Map<number, Pending>();
	private lastId = 0;
	private wasReady = false;
	private idle: NodeJS.Timeout | undefined;

	constructor(
		private backend: Backend,
		private readonly idleMs = IDLE_MS,
	) {}

	/** The process id while the host runs; undefined when there is none. */
	get pid(): number | undefined {
		return this.host?.child.pid;
	}

	/**
	 * Embeds texts.
	 *
	 * @throws CodedError INTERNAL when the model cannot be loaded or run, or the process ends; the signal's reason when it aborts
	 */
	async embed(call: EmbedCall): Promise<Embedded> {
		call.signal?.throwIfAborted();
		const id = (this.lastId += 1);
		const { child } = this.running();
		const { model, texts, urgent, signal } = call;
		const cancel = (): void => {
			this.pending.get(id)?.reject(signal?.reason as Error);
			if (child.connected) child.send({ type: 'cancel', id });
		};
		try {
			return await new Promise<Embedded>((resolve, reject) => {
				this.pending.set(id, { resolve, reject });
				signal?.addEventListener('abort', cancel, { once: true });
				child.channel?.ref();
				child.send({ type: 'embed', id, model, texts, urgent }, (error) => error && reject(this.ended(error.message)));
			});
		} finally {
			signal?.removeEventListener('abort', cancel);
			this.pending.delete(id);
			this.rest();
		}
	}

	/** Ends the host process; calls under way fail. The next call starts a new one. */
	stop(): void {
		clearTimeout(this.idle);
		this.host?.child.kill('SIGKILL');
	}

	private running(): HostProcess {
		clearTimeout(this.idle);
		if (this.host) return this.host;
		const host = startHostProcess(this.backend);
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
		const waiting = this.pending.get(reply.id);
		if (reply.type === 'vectors') {
			waiting?.resolve({ vectors: cut(reply.numbers, reply.dimension), splitTexts: reply.splitTexts });
			return;
		}
		waiting?.reject(new CodedError(reply.code, `The local model failed: ${reply.message}`, { remedy: reply.remedy ?? MODEL_REMEDY }));
	}

	private gone(host: HostProcess, why: string): void {
		if (this.host !== host) return;
		this.host = undefined;
		if (!this.wasReady) this.backend = 'wasm';
		const error = this.ended(`${why}${lastLine(host.lastWords())}`);
		for (const { reject } of this.pending.values()) reject(error);
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

const MODEL_REMEDY = 'Check that the folder holds a sentence encoder in ONNX format, with the files of the chosen data type.';

const clients = new Map<Backend, ModelHostClient>();

/** The one client of this n8n process for a backend. */
export function modelHost(backend: Backend): ModelHostClient {
	const client = clients.get(backend) ?? new ModelHostClient(backend);
	clients.set(backend, client);
	return client;
}

/** Ends the host processes of this process, for tests and shutdown. */
export function stopModelHosts(): void {
	for (const client of clients.values()) client.stop();
}

function cut(numbers: Float32Array, dimension: number): Float32Array[] {
	if (dimension === 0) return [];
	return Array.from({ length: numbers.length / dimension }, (_, i) => numbers.slice(i * dimension, (i + 1) * dimension));
}

function lastLine(words: string): string {
	const line = words.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
	return line === '' ? '' : `: ${line}`;
}
