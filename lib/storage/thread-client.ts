/**
 * The main side of a worker thread that answers calls: for synchronous work (SQLite, scans) that must not hold up n8n's main loop.
 *
 * The thread starts at the first call, again after a crash, and ends when it is idle. It keeps no process alive except while a call
 * is under way. Comes in: values that can be cloned. Goes out: what the thread answered, or its error as a CodedError.
 */
import { Worker } from 'node:worker_threads';
import { CodedError, messageOf } from '../core/errors';
import { errorFromWire, type ThreadReply } from './thread-wire';

export interface ThreadOptions {
	/** Compiled file of the thread, which calls `answerCalls`. */
	readonly file: string;
	/** What it is for, in error messages: `knowledge bases`. */
	readonly what: string;
	/** It ends after so long without a call, and gives its memory back. */
	readonly idleMs: number;
	/** Room for new objects between two collections, in MB; small keeps garbage small. Absent leaves it to Node.js (some 48 MB). */
	readonly youngMb?: number;
}

interface Pending {
	resolve(value: unknown): void;
	reject(error: unknown): void;
}

interface Running {
	readonly worker: Worker;
	/** False when the thread ended before it could answer. */
	readonly ready: Promise<boolean>;
	readonly pending: Map<number, Pending>;
}

export class ThreadClient {
	private running: Running | undefined;
	private lastId = 0;
	private starts = 0;
	private cannotStart = false;
	private idle: NodeJS.Timeout | undefined;

	constructor(private readonly options: ThreadOptions) {}

	/** How often it was started: what a thread keeps is lost when this changes. */
	get generation(): number {
		return this.starts;
	}

	/** True while a thread runs. */
	get isRunning(): boolean {
		return this.running !== undefined;
	}

	/** Starts the thread unless it runs; false, from then on, when threads cannot be had here: the caller must work in line. */
	async start(): Promise<boolean> {
		if (this.cannotStart) return false;
		try {
			this.cannotStart = !(await (this.running ??= this.begin()).ready);
			this.waitForWork();
		} catch {
			this.cannotStart = true;
		}
		return !this.cannotStart;
	}

	/** @throws CodedError what the thread threw; INTERNAL (retryable) when it ended before it answered: the next call starts it anew */
	async call(method: string, args: readonly unknown[]): Promise<unknown> {
		const { worker, pending } = (this.running ??= this.begin());
		const id = ++this.lastId;
		clearTimeout(this.idle);
		worker.ref();
		try {
			return await new Promise((resolve, reject) => {
				pending.set(id, { resolve, reject });
				worker.postMessage({ id, method, args });
			});
		} finally {
			pending.delete(id);
			if (pending.size === 0) this.waitForWork();
		}
	}

	/** Ends the thread; calls under way fail. */
	async stop(): Promise<void> {
		clearTimeout(this.idle);
		await this.running?.worker.terminate();
	}

	private begin(): Running {
		const { file, youngMb } = this.options;
		const limits = youngMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMb } };
		const worker = new Worker(file, { execArgv: [], stdin: false, ...limits });
		const pending = new Map<number, Pending>();
		let fault: unknown;
		const ready = new Promise<boolean>((resolve) => {
			worker.once('message', () => resolve(true));
			worker.once('exit', () => resolve(false));
		});
		const running = { worker, ready, pending };
		worker.on('message', (reply: ThreadReply) => this.settle(running, reply));
		worker.on('error', (error) => (fault = error));
		worker.on('exit', (code) => this.ended(running, fault === undefined ? `exit code ${code}` : messageOf(fault)));
		this.starts += 1;
		return running;
	}

	private settle({ pending }: Running, reply: ThreadReply): void {
		if (reply === 'ready') return;
		const call = pending.get(reply.id);
		if ('error' in reply) call?.reject(errorFromWire(reply.error));
		else call?.resolve(reply.value);
	}

	private ended(running: Running, why: string): void {
		if (this.running === running) this.running = undefined;
		const error = new CodedError('INTERNAL', `The thread of the ${this.options.what} ended (${why})`, {
			remedy: 'Run it again: the thread starts anew, and what was stored is kept.',
			retryable: true,
		});
		for (const call of running.pending.values()) call.reject(error);
	}

	private waitForWork(): void {
		const { running } = this;
		if (!running || running.pending.size > 0) return;
		running.worker.unref();
		clearTimeout(this.idle);
		this.idle = setTimeout(() => void running.worker.terminate(), this.options.idleMs).unref();
	}
}
