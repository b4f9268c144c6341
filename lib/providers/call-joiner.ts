import type { ModelEvent } from '../core/model';
import { jsonOf } from './json';

/** A piece of a tool call as an API streams it; every field may be absent, null, '' or wrong. */
export interface CallPiece {
	readonly index?: unknown;
	readonly id?: unknown;
	readonly name?: unknown;
	readonly arguments?: unknown;
}

type CallEvent = Extract<ModelEvent, { type: 'tool-call-delta' }>;

interface OpenCall {
	readonly position: number;
	readonly wireIndex: number | undefined;
	id: string | undefined;
	name: string | undefined;
	/** Arguments so far; kept apart until the name is known, then only to see whether they are complete. */
	text: string;
	told: boolean;
}

/**
 * Puts streamed pieces of tool calls together, for APIs that number them badly.
 *
 * A piece belongs to the call with its id, else to the last call with its index, else to the last call. It opens a new call
 * when it brings a new id with a name (also under an index already used), or when nothing is open. Positions run from 0
 * without gaps, in the order of opening. A call is announced when its name is known. A call without id gets one of `newId`.
 */
export class CallJoiner {
	private readonly calls: OpenCall[] = [];

	constructor(private readonly newId: () => string) {}

	get count(): number {
		return this.calls.length;
	}

	add(piece: CallPiece): CallEvent[] {
		const id = known(piece.id);
		const name = known(piece.name);
		const call = this.find(id, name, piece) ?? this.open(id, piece.index);
		call.id ??= id;
		call.name ??= name;
		return tell(call, argumentsText(piece.arguments), this.newId);
	}

	/** Calls whose name never came, if they have arguments: the loop answers them with an error. */
	end(): CallEvent[] {
		return this.calls.flatMap((call) => {
			if (call.told || call.text === '') return [];
			call.name = '';
			return tell(call, '', this.newId);
		});
	}

	private find(id: string | undefined, name: string | undefined, piece: CallPiece): OpenCall | undefined {
		const index = typeof piece.index === 'number' ? piece.index : undefined;
		const atIndex = index === undefined ? this.calls.at(-1) : this.calls.findLast((call) => call.wireIndex === index);
		if (id !== undefined) {
			const same = this.calls.findLast((call) => call.id === id);
			if (same) return sameCall(same, index, name) ? same : undefined;
			return atIndex && (atIndex.id === undefined || name === undefined) ? atIndex : undefined;
		}
		if (name === undefined) return atIndex ?? this.calls.at(-1);
		return atIndex && !isComplete(atIndex.text) ? atIndex : undefined;
	}

	private open(id: string | undefined, index: unknown): OpenCall {
		const taken = id !== undefined && this.calls.some((call) => call.id === id);
		const call: OpenCall = {
			position: this.calls.length,
			wireIndex: typeof index === 'number' ? index : undefined,
			id: taken ? this.newId() : id,
			name: undefined,
			text: '',
			told: false,
		};
		this.calls.push(call);
		return call;
	}
}

/** One id under two indexes, both with a name: the server reuses its id for two calls. */
function sameCall(call: OpenCall, index: number | undefined, name: string | undefined): boolean {
	return index === undefined || call.wireIndex === undefined || index === call.wireIndex || name === undefined;
}

function tell(call: OpenCall, delta: string, newId: () => string): CallEvent[] {
	call.text += delta;
	if (call.told) {
		return delta === '' ? [] : [{ type: 'tool-call-delta', index: call.position, argumentsDelta: delta }];
	}
	if (call.name === undefined) return [];
	call.told = true;
	call.id ??= newId();
	const { position: index, id: callId, name, text: argumentsDelta } = call;
	return [{ type: 'tool-call-delta', index, callId, name, argumentsDelta }];
}

/** The Mistral SDK writes a missing id as the text "null". */
function known(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' && value !== 'null' ? value : undefined;
}

function argumentsText(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined || value === null ? '' : JSON.stringify(value);
}

function isComplete(text: string): boolean {
	return typeof jsonOf(text) === 'object';
}
