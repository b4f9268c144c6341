import { findJson, isCutOff } from '../text/tolerant-json';
import { retry } from './corrections';
import { callOfJson, NO_ACTION, type TextCall } from './json-action';
import { cleanName, findLabels, type Label } from './labels';
import { splitReasoning } from './split-reasoning';

export type ParsedReply =
	| { readonly kind: 'answer'; readonly thought: string; readonly answer: string }
	| {
			readonly kind: 'calls';
			readonly thought: string;
			readonly calls: readonly TextCall[];
			/** The part of the text that counts: what follows (an invented observation, say) is dropped. */
			readonly kept: string;
	  };

/** What the reader knows of the tools: undefined takes every single word for a tool's name. */
export type KnownTools = ReadonlySet<string> | undefined;

/**
 * Reads a complete reply in the text protocol.
 *
 * - The first labelled action or answer in the order of the text decides; an action stands even with free prose before it.
 * - After an answer label the rest is the answer, also when it holds label words. It ends where a new question with a thought
 *   begins, or where a line names a known tool and an input follows.
 * - An observation that the model invented after its action is dropped with all that follows.
 * - Without labels, a JSON object that says an action is a call; any other text is the answer. A thought alone is no answer.
 *
 * @throws RetryException  with words for the model: nothing in it, a thought only, an action without name or input, JSON that
 *                         cannot be read. Never an empty call.
 */
export function parseReply(reply: string, known?: KnownTools): ParsedReply {
	const { text } = splitReasoning(reply);
	const labels = findLabels(text);
	const first = labels.find(({ kind }) => kind === 'action' || kind === 'answer');
	if (first?.kind === 'answer') return parseAnswer(text, labels, { first, known });
	if (first?.kind === 'action') return parseActions(text, labels, { first, known });
	return parseUnlabelled(text, labels);
}

function parseAnswer(
	text: string,
	labels: readonly Label[],
	{ first, known }: { first: Label; known: KnownTools },
): ParsedReply {
	const end = labels.findIndex((label, at) => label.start > first.start && endsAnswer(text, [label, labels[at + 1]], known));
	const answer = text.slice(first.contentStart, end < 0 ? undefined : labels[end]?.start).trim();
	if (answer === '') throw retry('emptyAnswer');
	return { kind: 'answer', thought: thoughtOf(text.slice(0, first.start)), answer };
}

function endsAnswer(text: string, [label, next]: ReadonlyArray<Label | undefined>, known: KnownTools): boolean {
	if (!label || !next) return false;
	if (label.kind === 'question') return next.kind === 'thought';
	if (label.kind !== 'action' || next.kind !== 'action_input') return false;
	const name = cleanName(text.slice(label.contentStart, next.start));
	return known ? known.has(name) : /^[\w.-]+$/u.test(name);
}

/** Actions that one reply may hold. */
const MOST_ACTIONS = 20;

function parseActions(
	text: string,
	labels: readonly Label[],
	{ first, known }: { first: Label; known: KnownTools },
): ParsedReply {
	const thought = thoughtOf(text.slice(0, first.start));
	const calls: TextCall[] = [];
	let end = first.start;
	for (const [at, label] of labels.entries()) {
		if (label.start < first.start) continue;
		if (label.kind === 'observation' || label.kind === 'answer') break;
		if (label.kind !== 'action') continue;
		if (calls.length === MOST_ACTIONS) throw retry('tooManyActions', String(MOST_ACTIONS));
		const read = readAction(text, labels.slice(at, at + 3), known);
		calls.push(read.call);
		end = read.end;
	}
	return { kind: 'calls', thought, calls, kept: text.slice(0, end).trimEnd() };
}

function readAction(
	text: string,
	[label, next, after]: readonly Label[],
	known: KnownTools,
): { call: TextCall; end: number } {
	if (!label) throw retry('noAction');
	const head = text.slice(label.contentStart, next?.start ?? text.length);
	const inBlock = /^\s*(?:```\w*\s*)?\{/u.test(head) ? callOfJson(head) : undefined;
	if (inBlock) return { call: inBlock.call, end: label.contentStart + inBlock.end };
	if (next?.kind === 'action_input') return readLabelledInput(text, { head, next, after });
	return { call: callInOneLine(head, known), end: label.contentStart + head.length };
}

function readLabelledInput(
	text: string,
	{ head, next, after }: { head: string; next: Label; after: Label | undefined },
): { call: TextCall; end: number } {
	const name = nameOf(head);
	const rest = text.slice(next.contentStart);
	if (/^\s*(?:```\w*\s*)?[{[]/u.test(rest)) {
		const found = findJson(rest);
		if (found) {
			const end = next.contentStart + found.end;
			return { call: { name, argumentsText: rest.slice(found.start, found.end) }, end };
		}
	}
	const end = after?.start ?? text.length;
	const argumentsText = text.slice(next.contentStart, end).trim();
	if (/^[{[]/u.test(argumentsText)) throw retry(isCutOff(argumentsText) ? 'inputCut' : 'inputUnreadable', name);
	return { call: { name, argumentsText }, end };
}

function nameOf(head: string): string {
	const line = head.trim().split('\n')[0] ?? '';
	const name = cleanName(line);
	if (name === '') throw retry('noActionName');
	if (/[:：]\s*$/u.test(line)) throw retry('oneLabelALine', name);
	if (NO_ACTION.test(name)) throw retry('notATool', name);
	return name;
}

/** `Action: name`, or `Action: name({...})` as some models write it. */
function callInOneLine(head: string, known: KnownTools): TextCall {
	const found = findJson(head);
	if (!found) {
		const name = nameOf(head);
		if (known?.has(name)) return { name, argumentsText: '' };
		throw retry('noInput', name);
	}
	const name = nameOf(head.slice(0, found.start).replace(/\(\s*$/u, ''));
	return { name, argumentsText: head.slice(found.start, found.end) };
}

function parseUnlabelled(text: string, labels: readonly Label[]): ParsedReply {
	const block = callOfJson(text);
	if (block) {
		const { name, argumentsText } = block.call;
		const thought = thoughtOf(text.slice(0, block.start));
		if (/^(?:final[ _]?answer|r[ée]ponse[ _]?finale)$/iu.test(name)) return { kind: 'answer', thought, answer: argumentsText };
		if (NO_ACTION.test(name)) throw retry('notATool', name);
		return { kind: 'calls', thought, calls: [block.call], kept: text.slice(0, block.end) };
	}
	if (labels.some(({ kind }) => kind === 'action_input')) {
		throw retry('inputWithoutAction');
	}
	if (text.trim() === '') throw retry('emptyText');
	if (labels.some(({ kind }) => kind === 'thought')) {
		throw retry('thoughtOnly');
	}
	return { kind: 'answer', thought: '', answer: text.trim() };
}

function thoughtOf(before: string): string {
	const labels = findLabels(before).filter(({ kind }) => kind === 'thought');
	let text = before;
	for (const label of labels.reverse()) text = text.slice(0, label.start) + text.slice(label.contentStart);
	return text.replace(/```\w*\s*$/u, '').trim();
}
