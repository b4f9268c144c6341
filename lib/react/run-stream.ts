import type { RunEvent } from '../core/run';
import type { Granularity } from '../core/stream-message';
import { Regrouper } from '../text/regroup';
import { ReActStreamParser, type BlockEvent, type BlockType } from './stream-parser';

/** What a reader of the stream wants to see. */
export type StreamChoice = 'answer' | 'tools' | 'everything';

export interface StreamPiece {
	readonly channel: 'answer' | 'thought' | 'action' | 'observation';
	readonly text: string;
}

const FINAL: ReadonlySet<BlockType> = new Set(['final_answer', 'answer', 'response', 'conclusion']);

/** What the first action or answer label made of a written turn; `after`: later labels, which belong to the answer or end it. */
type WrittenTurn = 'open' | 'calls' | 'answer' | 'after';

/**
 * Run events → text for a reader, while the run goes on.
 *
 * With native calls the text of a turn is passed on as it comes, since only its end tells whether calls follow. In the text
 * protocol only what stands after an answer label is answer text. JSON steps give nothing before the end: `rest` gives the
 * whole answer where none of it was passed on.
 */
export class RunStream {
	private parser = new ReActStreamParser();
	private protocol = 'native';
	private answered = '';
	/** All that was passed on in this step, on any channel. */
	private said = '';
	private turn: WrittenTurn = 'open';
	/** A step of a plan is at work: what the model says is not the answer. */
	private inPlanStep = false;
	private readonly regroupers = new Map<StreamPiece['channel'], Regrouper>();

	constructor(
		private readonly choice: StreamChoice,
		private readonly granularity: Granularity,
	) {}

	/** The pieces that an event makes certain, in order. */
	take(event: RunEvent): StreamPiece[] {
		switch (event.type) {
			case 'step-start':
				this.protocol = event.protocol;
				this.parser = new ReActStreamParser();
				this.answered = '';
				this.said = '';
				this.turn = 'open';
				this.inPlanStep = event.planStep !== undefined;
				return this.held();
			case 'plan':
				return this.pass('action', `${event.text}\n\n`);
			case 'restart':
				return this.said === '' ? [] : [...this.pass('answer', `\n\n${event.notice}\n\n`), ...this.held()];
			case 'text-delta':
				return this.takeText(event.text);
			case 'reasoning-delta':
				return this.pass('thought', event.text);
			case 'tool-call':
				return this.pass('action', `${event.name} ${JSON.stringify(event.input)}\n`);
			case 'tool-result':
				return this.pass('observation', `${event.result.text.slice(0, 500)}\n`);
			default:
				return [];
		}
	}

	/** What is still held, and the answer itself when nothing of it was passed on. */
	rest(answer: string): StreamPiece[] {
		const last = this.protocol === 'text' ? this.fromBlocks(this.parser.flush()) : [];
		const left = this.leftOf(answer);
		return [...last, ...(left === '' ? [] : this.pass('answer', left)), ...this.held()];
	}

	/** The answer without what the reader has; all of it when none was passed on. */
	private leftOf(answer: string): string {
		if (this.answered.trim() === '') return this.said.includes(answer.trim()) ? '' : answer;
		const begun = this.answered.trimStart();
		return this.turn === 'after' && answer.startsWith(begun) ? answer.slice(begun.length) : '';
	}

	private takeText(text: string): StreamPiece[] {
		if (this.protocol === 'json') return [];
		return this.protocol === 'text' ? this.fromBlocks(this.parser.push(text)) : this.pass('answer', text);
	}

	private fromBlocks(events: readonly BlockEvent[]): StreamPiece[] {
		return events.flatMap((event) => {
			if (event.type === 'reasoning') return this.pass('thought', event.text);
			if (event.type === 'retract') this.turn = 'open';
			if (event.type === 'start') this.turn = afterLabel(this.turn, channelOf(event.block));
			if (event.type !== 'delta' || this.turn === 'after') return [];
			const channel = channelOf(event.block);
			return channel === 'answer' && this.turn === 'calls' ? [] : this.pass(channel, event.text);
		});
	}

	private pass(given: StreamPiece['channel'], text: string): StreamPiece[] {
		const channel = given === 'answer' && this.inPlanStep ? 'thought' : given;
		if (!this.wants(channel)) return [];
		this.said += text;
		if (channel === 'answer') this.answered += text;
		const regrouper = this.regroupers.get(channel) ?? new Regrouper(this.granularity);
		this.regroupers.set(channel, regrouper);
		return regrouper.add(text).map((piece) => ({ channel, text: piece }));
	}

	private wants(channel: StreamPiece['channel']): boolean {
		if (this.choice === 'everything') return true;
		return channel === 'answer' || (this.choice === 'tools' && channel === 'action');
	}

	private held(): StreamPiece[] {
		return [...this.regroupers].flatMap(([channel, regrouper]) => regrouper.end().map((text) => ({ channel, text })));
	}
}

/** The first action or answer decides what a written turn is, as in `parseReply`. */
function afterLabel(turn: WrittenTurn, channel: StreamPiece['channel']): WrittenTurn {
	if (turn === 'answer' || turn === 'after') return 'after';
	if (turn === 'open' && channel === 'answer') return 'answer';
	return channel === 'action' ? 'calls' : turn;
}

function channelOf(block: BlockType): StreamPiece['channel'] {
	if (FINAL.has(block)) return 'answer';
	if (block === 'action' || block === 'action_input' || block === 'tool_call') return 'action';
	return block === 'observation' || block === 'tool_result' ? 'observation' : 'thought';
}
