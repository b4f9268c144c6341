import type { ToolAnnotations } from '../core/tool';
import { connectMcp, type McpConnection } from './connect';
import { isConnectionLost, isSessionLost } from './mcp-error';
import type { McpOptions, McpServer } from './server';

const MAX_PAGES = 200;

/** A tool exactly as the server declares it. */
export interface DeclaredTool {
	readonly [key: string]: unknown;
}

/**
 * A session with one server that outlives its connections: opened at the first request, opened again when the server forgot
 * it or its process died. Closing is final for the connection only; a later request opens a new one.
 */
export class McpSession {
	private connection: Promise<McpConnection> | undefined;
	private list: Promise<DeclaredTool[]> | undefined;

	constructor(
		private readonly server: McpServer,
		private readonly options: McpOptions,
	) {}

	/**
	 * All tools, page by page; stops at a cursor that was seen before or after 200 pages, names each tool once. Read once a
	 * connection, and again after the server said that the list changed.
	 *
	 * @throws CodedError when the server cannot be reached or has no list
	 */
	listTools(signal?: AbortSignal): Promise<DeclaredTool[]> {
		const list = this.list ?? this.readPages(signal);
		this.list = list;
		list.catch(() => this.forgetList(list));
		return list;
	}

	private forgetList(list = this.list): void {
		if (this.list === list) this.list = undefined;
	}

	private async readPages(signal?: AbortSignal): Promise<DeclaredTool[]> {
		const tools = new Map<unknown, DeclaredTool>();
		const seen = new Set<unknown>();
		let cursor: unknown;
		do {
			const page = await this.request('tools/list', cursor === undefined ? {} : { cursor }, { readOnly: true }, signal);
			for (const tool of Array.isArray(page.tools) ? (page.tools as unknown[]) : []) {
				if (typeof tool !== 'object' || tool === null) continue;
				const declared = tool as DeclaredTool;
				if (!tools.has(declared.name)) tools.set(declared.name, declared);
			}
			seen.add(cursor);
			cursor = page.nextCursor;
		} while (typeof cursor === 'string' && !seen.has(cursor) && seen.size < MAX_PAGES);
		return [...tools.values()];
	}

	/**
	 * Calls a tool by the server's own name.
	 *
	 * A session that the server no longer knows is made anew and the call sent once more, since it cannot have run. When the
	 * connection broke during the call it may have run: it is repeated only for read-only or idempotent tools.
	 */
	async callTool(
		name: string,
		args: Record<string, unknown>,
		annotations: ToolAnnotations,
		signal?: AbortSignal,
	): Promise<Record<string, unknown>> {
		return this.request('tools/call', { name, arguments: args }, annotations, signal);
	}

	/** Ends session, streams and process; nothing happens when there is none. Never throws. */
	async close(): Promise<void> {
		const open = this.connection;
		this.connection = undefined;
		this.forgetList();
		const connection = await open?.catch(() => undefined);
		await connection?.close();
	}

	private async request(
		method: string,
		params: Record<string, unknown>,
		annotations: ToolAnnotations,
		signal?: AbortSignal,
	): Promise<Record<string, unknown>> {
		const connection = await this.openAlive(signal);
		const first = await outcomeOf(connection.request(method, params, signal));
		if (first.ok) return first.value;
		signal?.throwIfAborted();
		const forgotten = isSessionLost(first.error);
		const broken = connection.isClosed() || isConnectionLost(first.error);
		const explained = await connection.explain(first.error);
		if (!forgotten && !broken) throw explained;
		await this.drop(connection);
		if (!forgotten && annotations.readOnly !== true && annotations.idempotent !== true) throw explained;
		const fresh = await this.open(signal);
		const second = await outcomeOf(fresh.request(method, params, signal));
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
		const open = this.connection ?? connectMcp(this.server, { ...this.options, onToolsChanged: () => this.forgetList() }, signal);
		this.connection = open;
		open.catch(() => {
			if (this.connection === open) this.connection = undefined;
		});
		return open;
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
