import { CodedError } from '../core/errors';
import type { Log } from '../core/ports';
import type { ToolAnnotations } from '../core/tool';
import { ResultHandles } from '../shape/result-handles';
import { connectMcp, type McpConnection, type RequestSettings } from './connect';
import { isConnectionLost, isMethodUnknown, isSessionLost } from './mcp-error';
import { readPages, type Declared } from './pages';
import type { McpOptions, McpServer } from './server';
import { runTask } from './task';

/** A tool exactly as the server declares it. */
export type DeclaredTool = Declared;

const READ: ToolAnnotations = { readOnly: true };

/** A call, with what it may take and whether it may be repeated. */
export interface McpCall extends RequestSettings {
	/** The server's own name of the tool. */
	readonly name: string;
	readonly args: Record<string, unknown>;
	readonly annotations: ToolAnnotations;
	/** True for a tool that only runs as a task. */
	readonly asTask?: boolean;
}

/** A server that asks the model without end would spend the builder's money. */
const MOST_SAMPLES = 20;
/** A task tells how it goes while it runs, so it may take this many times the timeout. */
const TASK_TIMEOUTS = 10;

/**
 * A session with one server that outlives its connections: opened at the first request, opened again when the server forgot
 * it or its process died. Closing is final for the connection only; a later request opens a new one.
 */
export class McpSession {
	/** Long results of this session. */
	readonly results: ResultHandles;
	private connection: Promise<McpConnection> | undefined;
	private list: Promise<DeclaredTool[]> | undefined;
	private running = 0;
	private opened = 0;
	private closings = 0;
	private sampled = 0;
	/** What the model should ask the user, from questions that were declined while calls ran. */
	private notes: string[] = [];

	constructor(
		private readonly server: McpServer,
		private options: McpOptions,
		/** Called when a request begins and when it ends. */
		private readonly onUse?: (moment: 'begin' | 'end') => void,
		/** Of the handles of long results; see `ResultHandles`. */
		mark?: string,
	) {
		this.results = new ResultHandles(mark);
	}

	/** How many connections were opened: another number than before means that subscriptions are gone. */
	get connections(): number {
		return this.opened;
	}

	/** Requests that wait for their answer. */
	get busy(): number {
		return this.running;
	}

	/** From now on the log, the model and the answers of these options are used; the server stays. */
	use(options: McpOptions): void {
		this.options = options;
	}

	/** Writes to the log of the node that uses the session now. */
	log(...line: Parameters<Log>): void {
		this.options.ports.log(...line);
	}

	/**
	 * All tools, page by page. Read once a connection, and again after the server said that the list changed.
	 *
	 * @throws CodedError when the server cannot be reached
	 */
	listTools(signal?: AbortSignal): Promise<DeclaredTool[]> {
		const list = this.list ?? this.pages('tools/list', 'tools', 'name', signal);
		this.list = list;
		list.catch(() => this.forgetList(list));
		return list;
	}

	/** Resources, templates of resources or prompts; [] where the server has none. */
	async listOf(kind: 'resources' | 'resourceTemplates' | 'prompts', signal?: AbortSignal): Promise<Declared[]> {
		const connection = await this.openAlive(signal);
		if (!connection.can(kind === 'prompts' ? 'prompts' : 'resources')) return [];
		if (kind === 'resourceTemplates') return await this.pages('resources/templates/list', kind, 'uriTemplate', signal);
		return await this.pages(`${kind}/list`, kind, kind === 'prompts' ? 'name' : 'uri', signal);
	}

	/**
	 * Calls a tool.
	 *
	 * A session that the server no longer knows is made anew and the call sent once more, since it cannot have run. When the
	 * connection broke during the call it may have run: it is repeated only for read-only or idempotent tools. Questions that
	 * the server put to the user meanwhile come back as `notes`.
	 */
	async callTool(call: McpCall): Promise<{ result: Record<string, unknown>; notes: readonly string[] }> {
		const before = this.notes.length;
		const begin = (params: Record<string, unknown>): Promise<Record<string, unknown>> => this.request('tools/call', params, call.annotations, call);
		const timeoutMs = (call.timeoutMs ?? this.options.timeoutMs) * TASK_TIMEOUTS;
		const result = call.asTask
			? await runTask(begin, (method, params, settings) => this.request(method, params, READ, settings), { ...call, timeoutMs })
			: await begin({ name: call.name, arguments: call.args });
		return { result, notes: this.notes.slice(before) };
	}

	/** Any request that only reads, such as `resources/read`, `prompts/get` or `resources/subscribe`. */
	async ask(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>> {
		return await this.request(method, params, READ, signal && { signal });
	}

	/** Connects where it is not; true when the server said that it has what is asked. */
	async can(capability: 'tools' | 'resources' | 'prompts' | 'subscribe', signal?: AbortSignal): Promise<boolean> {
		return (await this.openAlive(signal)).can(capability);
	}

	/** Ends session, streams and process; nothing happens when there is none. Never throws. */
	async close(): Promise<void> {
		const open = this.connection;
		this.closings += 1;
		this.connection = undefined;
		this.forgetList();
		const connection = await open?.catch(() => undefined);
		await connection?.close();
	}

	private forgetList(list = this.list): void {
		if (this.list === list) this.list = undefined;
	}

	private async pages(method: string, key: string, label: string, signal?: AbortSignal): Promise<Declared[]> {
		const settings = signal && { signal };
		return await readPages(async (params) => {
			const outcome = await outcomeOf(this.request(method, params, READ, settings));
			if (outcome.ok) return outcome.value;
			// A server without tools may also say so in this way.
			if (isMethodUnknown(outcome.error)) return {};
			throw outcome.error;
		}, key, label);
	}

	private async request(
		method: string,
		params: Record<string, unknown>,
		annotations: ToolAnnotations,
		settings?: RequestSettings,
	): Promise<Record<string, unknown>> {
		this.running += 1;
		this.onUse?.('begin');
		try {
			return await this.requestTwice(method, params, annotations, settings);
		} finally {
			this.running -= 1;
			this.onUse?.('end');
		}
	}

	private async requestTwice(
		method: string,
		params: Record<string, unknown>,
		annotations: ToolAnnotations,
		settings?: RequestSettings,
	): Promise<Record<string, unknown>> {
		const signal = settings?.signal;
		const { closings } = this;
		const connection = await this.openAlive(signal);
		const first = await outcomeOf(connection.request(method, params, settings));
		if (first.ok) return first.value;
		signal?.throwIfAborted();
		const forgotten = isSessionLost(first.error);
		const broken = connection.isClosed() || isConnectionLost(first.error);
		const explained = await connection.explain(first.error);
		// Who closed the session while this ran does not want another one.
		if ((!forgotten && !broken) || this.closings !== closings) throw explained;
		await this.drop(connection);
		if (!forgotten && annotations.readOnly !== true && annotations.idempotent !== true) throw explained;
		const fresh = await this.open(signal);
		const second = await outcomeOf(fresh.request(method, params, settings));
		if (second.ok) return second.value;
		signal?.throwIfAborted();
		throw await fresh.explain(second.error);
	}

	/** A process that died or a server that hung up between two calls took no call with it. */
	private async openAlive(signal?: AbortSignal): Promise<McpConnection> {
		const connection = await this.open(signal);
		if (!connection.isClosed()) return connection;
		await this.drop(connection);
		return this.open(signal);
	}

	private open(signal?: AbortSignal): Promise<McpConnection> {
		const open = this.connection ?? connectMcp(this.server, this.connectionOptions(), signal);
		if (this.connection !== open) this.opened += 1;
		this.connection = open;
		open.catch(() => {
			if (this.connection === open) this.connection = undefined;
		});
		return open;
	}

	/** Options of a connection: it outlives the node run that opened it, so all but the first are looked up when needed. */
	private connectionOptions(): McpOptions {
		const { sample } = this.options;
		return {
			...this.options,
			ports: { fetch: (input, init) => this.options.ports.fetch(input, init), log: (...line) => this.options.ports.log(...line) },
			...(sample && {
				sample: async (params, signal) => {
					this.sampled += 1;
					if (this.sampled <= MOST_SAMPLES) return await (this.options.sample ?? sample)(params, signal);
					throw new CodedError('RESOURCE_LIMIT', `The server asked the model more than ${MOST_SAMPLES} times.`);
				},
			}),
			elicit: (params) => {
				const reply = this.options.elicit?.(params) ?? { result: { action: 'decline' as const } };
				if (reply.note !== undefined) this.notes.push(reply.note);
				return reply;
			},
			onToolsChanged: () => {
				this.forgetList();
				this.options.onToolsChanged?.();
			},
		};
	}

	private async drop(connection: McpConnection): Promise<void> {
		// Another call may have opened a new connection already: only the broken one goes.
		if ((await this.connection?.catch(() => undefined)) === connection) this.connection = undefined;
		this.forgetList();
		await connection.close();
	}
}

type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown };

function outcomeOf<Value>(promise: Promise<Value>): Promise<Outcome<Value>> {
	return promise.then(
		(value) => ({ ok: true, value }),
		(error: unknown) => ({ ok: false, error }),
	);
}
