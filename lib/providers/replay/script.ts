import { CodedError, messageOf } from '../../core/errors';
import { isRecord, jsonOf } from '../json';

/** A tool call of a script. `label` is what references call its result: `as` of the script, else the tool's name. */
export interface ScriptCall {
	readonly tool: string;
	readonly label: string;
	/** JSON whose texts may hold references. */
	readonly arguments: unknown;
}

/** One turn of the model that is played: calls, or an answer. */
export interface ScriptTurn {
	readonly thought: string;
	readonly calls: readonly ScriptCall[];
	readonly answer?: string;
}

/** What is played for the requests that a pattern fits, for chats and events: their questions come in no fixed order. */
export interface ScriptReply {
	/**
	 * Tried on the system text and the last user message, for turns on the question of the run, a line break between; its named
	 * groups may be used in the answer and in the turns.
	 */
	readonly when: RegExp;
	/** Text in which `{{group}}` stands for what the group found. */
	readonly answer?: string;
	/** In the place of an answer: the turns of a run that begins with such a question. */
	readonly turns?: readonly ScriptTurn[];
}

export interface Script {
	readonly name: string;
	readonly turns: readonly ScriptTurn[];
	/** In the place of turns, for a chat. */
	readonly replies?: readonly ScriptReply[];
}

/**
 * Reads a script: a list of turns, or {name, turns} or {name, replies}, as JSON text or as a value.
 *
 * A turn is {thought?, calls: [{tool, arguments?, as?}]} or {thought?, answer}. Unknown fields are refused, so that a
 * misspelt one is noticed. A reply is {when, answer} or {when, turns}: a regular expression over the request, and what is answered
 * or played when it fits.
 *
 * @throws CodedError BAD_INPUT that names the turn and the field
 */
export function readScript(source: unknown, name: string): Script {
	const value = typeof source === 'string' ? (jsonOf(source) ?? wrong('it is not valid JSON')) : source;
	if (isRecord(value) && 'replies' in value) return readReplies(value, name);
	const isNamed = isRecord(value) && 'turns' in value;
	const turns: unknown = isNamed ? value['turns'] : value;
	if (!Array.isArray(turns) || turns.length === 0) wrong('it is no list of turns');
	const ownName = isNamed && typeof value['name'] === 'string' ? value['name'] : name;
	return { name: ownName || 'script', turns: (turns as unknown[]).map((turn, at) => readTurn(turn, at)) };
}

function readReplies({ name: ownName, replies, ...others }: Record<string, unknown>, name: string): Script {
	refuseOthers(others, 'a script with replies', 'name, replies');
	if (!Array.isArray(replies) || replies.length === 0) return wrong('replies is no list of replies');
	return { name: nameOf(ownName, name), turns: [], replies: (replies as unknown[]).map(readReply) };
}

function nameOf(ownName: unknown, name: string): string {
	return typeof ownName === 'string' && ownName !== '' ? ownName : name || 'script';
}

function readReply(value: unknown, position: number): ScriptReply {
	const where = `reply ${position + 1}`;
	const { when, answer, turns, ...others } = isRecord(value) ? value : wrong(`${where} is no object`);
	refuseOthers(others, where, 'when, answer, turns');
	if (typeof when !== 'string') return wrong(`${where} needs the text when`);
	const pattern = patternOf(when, where);
	if (typeof answer === 'string' && turns === undefined) return { when: pattern, answer };
	if (!Array.isArray(turns) || turns.length === 0 || answer !== undefined) return wrong(`${where} needs either the text answer or a list of turns`);
	return { when: pattern, turns: (turns as unknown[]).map((turn, at) => readTurn(turn, at, `${where}, `)) };
}

function patternOf(when: string, where: string): RegExp {
	try {
		return new RegExp(when, 'iu');
	} catch (error) {
		return wrong(`${where}: ${messageOf(error)}`);
	}
}

function readTurn(value: unknown, position: number, before = ''): ScriptTurn {
	const where = `${before}turn ${position + 1}`;
	const { thought = '', calls = [], answer, ...others } = isRecord(value) ? value : wrong(`${where} is no object`);
	refuseOthers(others, where, 'thought, calls, answer');
	if (typeof thought !== 'string') wrong(`${where}: thought is no text`);
	if (!Array.isArray(calls)) return wrong(`${where}: calls is no list`);
	if (answer !== undefined && typeof answer !== 'string') wrong(`${where}: answer is no text`);
	if (calls.length > 0 === (answer !== undefined)) wrong(`${where} needs either calls or an answer`);
	const read = calls.map((call: unknown, order) => readCall(call, `${where}, call ${order + 1}`));
	const base = { thought: thought as string, calls: read };
	return answer === undefined ? base : { ...base, answer: answer as string };
}

function readCall(value: unknown, where: string): ScriptCall {
	const { tool, arguments: input = {}, as: label, ...others } = isRecord(value) ? value : wrong(`${where} is no object`);
	refuseOthers(others, where, 'tool, arguments, as');
	if (typeof tool !== 'string' || tool === '') return wrong(`${where}: tool is missing`);
	if (label !== undefined && (typeof label !== 'string' || !/^[\w-]+$/.test(label))) {
		return wrong(`${where}: as must be letters, digits, _ or -`);
	}
	return { tool, label: label ?? tool, arguments: input };
}

function refuseOthers(others: Record<string, unknown>, where: string, known: string): void {
	const [first] = Object.keys(others);
	if (first !== undefined) wrong(`${where}: "${first}" is not one of ${known}`);
}

function wrong(what: string): never {
	throw new CodedError('BAD_INPUT', `The replay script cannot be used: ${what}`, {
		remedy: 'Write a list of turns, such as [{"calls":[{"tool":"add","arguments":{"a":1,"b":2},"as":"sum"}]},{"answer":"{{sum.result}}"}].',
	});
}
