import { createHash } from 'node:crypto';
import { isCodedError, messageOf } from '../core/errors';
import type { Clock, Log } from '../core/ports';
import type { McpSession } from './session';

/** What is known of a resource: the hash of its content. Kept by the caller, so that it survives a restart. */
export interface KnownContents {
	get(uri: string): string | undefined;
	set(uri: string, hash: string): void;
}

export interface ResourceChange {
	readonly uri: string;
	/** `added`: it was not there before. */
	readonly change: 'changed' | 'added';
	/** The answer to `resources/read`. */
	readonly answer: Record<string, unknown>;
	/** Its entry in the server's list, where it has one. */
	readonly entry: Readonly<Record<string, unknown>>;
	readonly hash: string;
}

export interface WatchSettings {
	/** Addresses, or patterns with * over the server's list; [] watches all that it lists. */
	readonly uris: readonly string[];
	/** False only compares contents from time to time. */
	readonly subscribe: boolean;
	/** Milliseconds between two comparisons of all contents, also where the server tells of changes: notices can get lost. */
	readonly checkMs: number;
	readonly known: KnownContents;
	readonly clock: Clock;
	readonly log: Log;
	emit(change: ResourceChange): void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Watches resources of a server and emits each real change of a content once, whatever the server tells how often.
 *
 * What changed while nobody watched (a restart) is emitted at the next comparison; a resource that is seen for the first time
 * ever is only noted. Errors of the server are logged and tried again after 1, 2, 4 … 60 seconds, for ever.
 */
export class ResourceWatch {
	private subscribedOn = 0;
	private subscribed = new Set<string>();
	private wake: (() => void) | undefined;
	private readonly told = new Set<string>();
	private listChanged = false;
	private first: boolean;

	constructor(
		private readonly session: McpSession,
		private readonly settings: WatchSettings,
		/** True when `known` was never filled: nothing that is found now is new. */
		isFirst: boolean,
	) {
		this.first = isFirst;
	}

	/** To be called with the server's notices; without an address the list changed. */
	notice(uri?: string): void {
		if (uri === undefined) this.listChanged = true;
		else this.told.add(uri);
		this.wake?.();
	}

	/**
	 * Compares all contents once and subscribes where that is wanted and possible.
	 *
	 * @throws CodedError when the server cannot be reached
	 */
	async check(signal: AbortSignal): Promise<void> {
		const entries = await this.entries(signal);
		if (this.settings.subscribe && (await this.session.can('subscribe', signal))) await this.subscribe([...entries.keys()], signal);
		this.listChanged = false;
		this.told.clear();
		for (const [uri, entry] of entries) await this.compare(uri, entry, signal);
		this.first = false;
	}

	/** Watches until the signal aborts. Never throws. */
	async run(signal: AbortSignal): Promise<void> {
		let wait = FIRST_WAIT_MS;
		let failed = false;
		while (!signal.aborted) {
			const isTold = await this.pause(failed ? wait : this.settings.checkMs, !failed, signal);
			if (signal.aborted) return;
			try {
				if (isTold && !this.isCut() && !this.listChanged) await this.compareTold(signal);
				else await this.check(signal);
				failed = false;
				wait = FIRST_WAIT_MS;
			} catch (error) {
				if (signal.aborted) return;
				wait = failed ? Math.min(LONGEST_WAIT_MS, wait * 2) : FIRST_WAIT_MS;
				failed = true;
				this.settings.log('warn', `MCP resources cannot be watched now; next try in ${wait / 1000} s`, { message: messageOf(error) });
				await this.session.close();
			}
		}
	}

	/** The present content of everything that is watched, for a test by hand. */
	async contents(signal: AbortSignal): Promise<ResourceChange[]> {
		const changes: ResourceChange[] = [];
		for (const [uri, entry] of await this.entries(signal)) changes.push(await this.read(uri, entry, 'changed', signal));
		return changes;
	}

	/** Another connection than the one with our subscriptions. */
	private isCut(): boolean {
		return this.subscribedOn !== this.session.connections;
	}

	private async compareTold(signal: AbortSignal): Promise<void> {
		const uris = [...this.told];
		this.told.clear();
		const entries = await this.entries(signal);
		for (const uri of uris) {
			const entry = entries.get(uri);
			// A server may tell of a part of what was subscribed to; what nobody asked for is not read.
			if (entry !== undefined) await this.compare(uri, entry, signal);
		}
	}

	/** True when a notice ended the pause. */
	private async pause(ms: number, wakeable: boolean, signal: AbortSignal): Promise<boolean> {
		if (wakeable && (this.told.size > 0 || this.listChanged)) return true;
		const stop = new AbortController();
		const both = AbortSignal.any([signal, stop.signal]);
		let told = false;
		this.wake = () => {
			told = true;
			if (wakeable) stop.abort();
		};
		await this.settings.clock.sleep(ms, both).catch(() => undefined);
		this.wake = undefined;
		return wakeable && told;
	}

	private async entries(signal: AbortSignal): Promise<Map<string, Readonly<Record<string, unknown>>>> {
		const { uris } = this.settings;
		const fixed = uris.filter((uri) => !uri.includes('*'));
		const patterns = uris.filter((uri) => uri.includes('*')).map(toPattern);
		const listed = patterns.length > 0 || uris.length === 0 ? await this.session.listOf('resources', signal) : [];
		const wanted = listed.filter(({ uri }) => uris.length === 0 || patterns.some((pattern) => pattern.test(String(uri))));
		return new Map([...fixed.map((uri) => [uri, {}] as const), ...wanted.map((entry) => [String(entry.uri), entry] as const)]);
	}

	private async subscribe(uris: readonly string[], signal: AbortSignal): Promise<void> {
		if (this.isCut()) this.subscribed = new Set();
		for (const uri of uris.filter((one) => !this.subscribed.has(one))) {
			await this.session.ask('resources/subscribe', { uri }, signal);
			this.subscribed.add(uri);
		}
		this.subscribedOn = this.session.connections;
	}

	private async compare(uri: string, entry: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
		const { known, emit, log } = this.settings;
		const before = known.get(uri);
		const found = await this.read(uri, entry, before === undefined ? 'added' : 'changed', signal).catch((error: unknown) => {
			// One resource that the server will not give must not hide the others.
			if (!isCodedError(error) || error.retryable || error.code !== 'UPSTREAM') throw error;
			log('warn', `MCP resource ${uri} cannot be read`, { message: messageOf(error) });
			return undefined;
		});
		if (found === undefined || found.hash === before) return;
		known.set(uri, found.hash);
		if (before !== undefined || !this.first) emit(found);
	}

	private async read(uri: string, entry: Readonly<Record<string, unknown>>, change: ResourceChange['change'], signal: AbortSignal): Promise<ResourceChange> {
		const answer = await this.session.ask('resources/read', { uri }, signal);
		const hash = createHash('sha256').update(JSON.stringify(answer.contents ?? null)).digest('hex').slice(0, 32);
		return { uri, entry, answer, change, hash };
	}
}

function toPattern(text: string): RegExp {
	return new RegExp(`^${text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);
}
