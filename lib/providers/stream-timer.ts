import type { ChatModel, ModelEvent } from '../core/model';
import type { Clock } from '../core/ports';
import { tappedStream } from './tapped-stream';

/** Times of one reply, in milliseconds from the request; null when it did not come so far. */
export interface StreamTiming {
	/** First sign of the model, whatever it is. */
	readonly firstByteMs: number | null;
	/** First text, thought or call. */
	readonly firstTokenMs: number | null;
	readonly totalMs: number;
	readonly chunks: number;
	/** Between two chunks: the middle one, and the longest. */
	readonly gapMedianMs: number | null;
	readonly gapMaxMs: number | null;
}

/** Measures a stream: `mark` at each chunk, `timing` at any point. */
export class StreamTimer {
	private readonly startedAt: number;
	private readonly marks: number[] = [];
	private tokenAt: number | undefined;

	constructor(private readonly clock: Clock) {
		this.startedAt = clock.now();
	}

	mark(isToken: boolean): void {
		const now = this.clock.now();
		if (isToken) this.tokenAt ??= now;
		this.marks.push(now);
	}

	timing(): StreamTiming {
		const gaps = Float64Array.from({ length: Math.max(0, this.marks.length - 1) }, (_gap, at) => this.marks[at + 1]! - this.marks[at]!).sort();
		const since = (at: number | undefined): number | null => (at === undefined ? null : at - this.startedAt);
		return {
			firstByteMs: since(this.marks[0]),
			firstTokenMs: since(this.tokenAt),
			totalMs: this.clock.now() - this.startedAt,
			chunks: this.marks.length,
			gapMedianMs: gaps[Math.floor(gaps.length / 2)] ?? null,
			gapMaxMs: gaps.at(-1) ?? null,
		};
	}
}

/** The same model; the times of each reply stand in the notes of its finish event as `timing`. */
export function timedModel(model: ChatModel, clock: Clock): ChatModel {
	return { ...model, stream: (request, signal) => tappedStream(() => model.stream(request, signal), () => stamp(new StreamTimer(clock))) };
}

function stamp(timer: StreamTimer): (event: ModelEvent) => ModelEvent {
	return (event) => {
		if (event.type === 'finish') return { ...event, notes: { ...event.notes, timing: timer.timing() } };
		timer.mark(true);
		return event;
	};
}
