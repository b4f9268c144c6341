import { messageOf } from '../core/errors';
import type { Ports } from '../core/ports';
import type { Inbox, InboxBatch, TakeOptions } from './inbox';

export interface QueueRules extends Pick<TakeOptions, 'gather' | 'quietMs' | 'leaseMs'> {
	/** Runs at the same time, from 1. */
	readonly atOnce: number;
	/** Runs begun within any minute; 0 for no limit. */
	readonly perMinute: number;
	/** Tries before an event is set aside, from 1. */
	readonly maxAttempts: number;
	/** Wait before the second try; it doubles each time, up to an hour. */
	readonly retryMs: number;
	/** How long handled events are remembered, so that a repeat is noticed. */
	readonly keepMs: number;
}

const LONGEST_WAIT_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Takes events out of an inbox and has them handled, within limits. `tick` is called again and again by its owner; it never throws, so
 * an outage of the store ends by itself.
 */
export class QueueRunner {
	private running = 0;
	private isLooking = false;
	private begun: number[] = [];

	constructor(
		private readonly open: () => Promise<Inbox>,
		private readonly handle: (batch: InboxBatch) => Promise<void>,
		private readonly rules: QueueRules,
		private readonly ports: Ports,
	) {}

	/** Begins what may begin now; gives how many batches that were. */
	async tick(): Promise<number> {
		// A slow store: the next look must not take the same room again.
		if (this.isLooking) return 0;
		const most = this.room();
		if (most <= 0) return 0;
		this.isLooking = true;
		try {
			const batches = await this.withInbox(async (inbox) => await inbox.take({ ...this.rules, now: this.ports.clock.now(), most }));
			for (const batch of batches) void this.begin(batch);
			return batches.length;
		} catch (error) {
			this.ports.log('warn', `The inbox cannot be read now: ${messageOf(error)}`);
			return 0;
		} finally {
			this.isLooking = false;
		}
	}

	/** Removes what was handled long ago. */
	async tidy(): Promise<number> {
		return await this.withInbox(async (inbox) => await inbox.forget(this.ports.clock.now() - this.rules.keepMs));
	}

	private room(): number {
		const now = this.ports.clock.now();
		// One from the future was noted before the clock was set back.
		this.begun = this.begun.filter((at) => at > now - MINUTE_MS && at <= now);
		const inMinute = this.rules.perMinute > 0 ? this.rules.perMinute - this.begun.length : Infinity;
		return Math.min(this.rules.atOnce - this.running, inMinute);
	}

	private async begin(batch: InboxBatch): Promise<void> {
		this.running += 1;
		this.begun.push(this.ports.clock.now());
		const ids = [...batch.events.map(({ id }) => id), ...batch.superseded];
		try {
			const error = await this.outcome(batch);
			await this.withInbox(async (inbox) => (error === undefined ? await inbox.done(ids) : await inbox.failed(ids, { error, retryAt: this.retryAt(batch), until: batch.until })));
		} catch (error) {
			// The lease ends by itself: the events come again.
			this.ports.log('error', `What became of ${ids.length} events cannot be written down: ${messageOf(error)}`);
		} finally {
			this.running -= 1;
		}
	}

	private async outcome(batch: InboxBatch): Promise<string | undefined> {
		try {
			await this.handle(batch);
			return undefined;
		} catch (error) {
			return messageOf(error);
		}
	}

	private retryAt({ events }: InboxBatch): number | null {
		const tries = Math.max(...events.map(({ attempts }) => attempts)) + 1;
		if (tries >= this.rules.maxAttempts) return null;
		return this.ports.clock.now() + Math.min(LONGEST_WAIT_MS, this.rules.retryMs * 2 ** (tries - 1));
	}

	private async withInbox<Result>(work: (inbox: Inbox) => Promise<Result>): Promise<Result> {
		const inbox = await this.open();
		try {
			return await work(inbox);
		} finally {
			inbox.close();
		}
	}
}
