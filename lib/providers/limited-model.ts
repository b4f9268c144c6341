import type { ChatModel, ModelEvent, ModelRequest } from '../core/model';

/** Lets at most `size` through at once; the others wait in order. */
export class Gate {
	private busy = 0;
	private readonly waiting: (() => void)[] = [];

	constructor(public size: number) {}

	/** Waits for a place; the result gives it back and must be called once. Rejects with the signal's reason when it aborts first. */
	async enter(signal: AbortSignal): Promise<() => void> {
		signal.throwIfAborted();
		if (this.busy >= this.size) await this.turn(signal);
		else this.busy += 1;
		return () => this.leave();
	}

	private async turn(signal: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const go = (): void => {
				signal.removeEventListener('abort', stop);
				resolve();
			};
			const stop = (): void => {
				this.waiting.splice(this.waiting.indexOf(go), 1);
				reject(signal.reason as Error);
			};
			signal.addEventListener('abort', stop, { once: true });
			this.waiting.push(go);
		});
	}

	/** Hands the place to the next in line, so nobody overtakes. */
	private leave(): void {
		const next = this.busy <= this.size ? this.waiting.shift() : undefined;
		if (next) next();
		else this.busy -= 1;
	}
}

const gates = new Map<string, Gate>();

/** The gate of a server in this process; all nodes that name the same server share it. The last size given counts. */
export function gateOf(server: string, size: number): Gate {
	const gate = gates.get(server) ?? new Gate(size);
	gate.size = size;
	gates.set(server, gate);
	return gate;
}

/** The same model, whose replies are made at most `gate.size` at a time. A place is given back when the reader leaves, too. */
export function limitedModel(model: ChatModel, gate: Gate): ChatModel {
	return { ...model, stream: (request, signal) => limited(model, gate, request, signal) };
}

async function* limited(model: ChatModel, gate: Gate, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	const leave = await gate.enter(signal);
	try {
		yield* model.stream(request, signal);
	} finally {
		leave();
	}
}
