import type { Message, Part } from '../core/message';
import type { ModelRequest, ToolSpec } from '../core/model';
import type { Tool } from '../core/tool';
import { tokensFor } from '../text/estimate-tokens';
import { fenced } from '../text/fence';
import { admittedTools } from './admit-tools';
import type { AgentSetup } from './agent-setup';
import type { AgentState, Turn, TurnCall } from './agent-state';
import { stepSchema } from './json-protocol';
import { promptsIn } from './prompts';
import { readResultTool, READ_RESULT } from './read-result';
import type { RunBase } from './start-run';

/** Above this a description is replaced by the intent until a call of the tool has failed. */
const SHORT_DESCRIPTION = 300;
const SHORT_OBSERVATION = 300;
const TURNS_KEPT_WHOLE = 2;

/**
 * The next request of a run: system text, history, question, then each turn exactly as the model said it with its
 * observations. Reads large observations back from the result store.
 */
export async function formatRequest(setup: AgentSetup, state: AgentState, base: RunBase): Promise<ModelRequest> {
	const tools = state.ending ? [] : offeredTools(setup, state);
	const turns = await formatTurns(setup, state);
	const messages: Message[] = [
		text('system', systemText(setup, state, { base, tools })),
		...base.history,
		text('user', base.question),
		...turns.flat(),
	];
	if (state.ending) messages.push(text('user', promptsIn(setup.language).finalize(state.ending.reason)));
	return {
		messages,
		temperature: setup.temperature,
		...(state.protocol === 'native' && tools.length > 0 && { tools: tools.map(toSpec), toolChoice: 'auto' }),
		...(state.protocol === 'text' && tools.length > 0 && { stop: ['\nObservation:'] }),
		...(state.protocol === 'json' && tools.length + setup.tools.length > 0 && { responseSchema: stepSchema(tools) }),
	};
}

/** The newest turns stand whole; of older ones the observations are shortened, oldest first, until all fits the budget. */
async function formatTurns(setup: AgentSetup, state: AgentState): Promise<Message[][]> {
	const turns: Message[][] = [];
	let tokens = 0;
	for (let at = 0; at < state.turns.length; at++) {
		const turn = knownForm(setup, state.turns[at]) ?? (await formatTurn(setup, state, { at }));
		turns.push(turn);
		tokens += tokensOf(turn);
	}
	for (let at = 0; tokens > setup.limits.maxContextTokens && at < turns.length - TURNS_KEPT_WHOLE; at++) {
		const short = await formatTurn(setup, state, { at, short: true });
		tokens -= tokensOf(turns[at] ?? []) - tokensOf(short);
		turns[at] = short;
	}
	return turns;
}

const counted = new WeakMap<readonly Message[], number>();

function tokensOf(messages: readonly Message[]): number {
	const known = counted.get(messages);
	if (known !== undefined) return known;
	let characters = 0;
	for (const { parts } of messages) for (const part of parts) characters += charactersOf(part) + FRAME;
	const tokens = tokensFor(characters);
	counted.set(messages, tokens);
	return tokens;
}

/** Characters that the JSON around a part takes. */
const FRAME = 60;

function charactersOf(part: Part): number {
	if (part.type === 'file') return part.data.length;
	return part.type === 'tool-call' ? part.name.length + part.argumentsText.length : part.text.length;
}

/** The tools of this turn: the run's own, hidden ones that were let in, and `read_result` once an observation was cut. */
export function offeredTools(setup: AgentSetup, state: AgentState): readonly Tool[] {
	const cut = state.turns.some(({ calls }) => calls.some(({ result }) => result?.handle));
	return [...setup.tools, ...admittedTools(setup, state), ...(cut && isOwnReader(setup) ? [readResultTool()] : [])];
}

/** False when a connected tool has the name of ours. */
function isOwnReader(setup: AgentSetup): boolean {
	return !setup.tools.some(({ name }) => name === READ_RESULT);
}

/** How a tool is shown to the model before a call of it failed. */
export function toSpec({ name, intent, description, inputSchema }: Tool): ToolSpec {
	const shown = description.length <= SHORT_DESCRIPTION || intent === '' ? description : intent;
	return { name, description: shown, inputSchema };
}

/** What the system message says in this turn. */
export function systemText(
	setup: AgentSetup,
	state: AgentState,
	{ base, tools }: { base: RunBase; tools: readonly Tool[] },
): string {
	const prompts = promptsIn(setup.language);
	const parts = [base.instructions, prompts.today(base.today)];
	if (tools.length === 0 && setup.tools.length === 0) parts.push(prompts.noTools);
	else if (state.protocol === 'text' && tools.length > 0) parts.push(prompts.textProtocol(toLines(tools)));
	else if (state.protocol === 'json') parts.push(prompts.jsonProtocol(toLines(tools)));
	if (tools.length > 0) parts.push(prompts.resultsAreData);
	if (setup.hidden) parts.push(setup.hidden.note);
	return parts.filter((part) => part.trim() !== '').join('\n\n');
}

function toLines(tools: readonly Tool[]): string {
	return tools.map(toLine).join('\n');
}

function toLine(tool: Tool): string {
	const { name, description, inputSchema } = toSpec(tool);
	return `- ${name}: ${description} Arguments: ${JSON.stringify(inputSchema)}`;
}

/** The messages of one turn; of a branch that was given up, one note in the place of its first turn. */
async function formatTurn(
	setup: AgentSetup,
	state: AgentState,
	{ at, short = false }: { at: number; short?: boolean },
): Promise<Message[]> {
	const turn = state.turns[at];
	if (!turn) return [];
	const branch = turn.abandoned?.branch;
	if (turn.abandoned) return state.turns[at - 1]?.abandoned?.branch === branch ? [] : [text('user', turn.abandoned.note)];
	const added = [turn.injected, turn.next].flatMap((said) => (said === undefined ? [] : [text('user', said)]));
	const messages = [...(await formatExchange(setup, turn, { short, mark: state.mark })), ...added];
	if (!short) formatted.set(turn, { setup, messages });
	return messages;
}

/** Turns are never changed, and each is sent again with every later one. */
const formatted = new WeakMap<Turn, { readonly setup: AgentSetup; readonly messages: Message[] }>();

function knownForm(setup: AgentSetup, turn: Turn | undefined): Message[] | undefined {
	const known = turn && !turn.abandoned ? formatted.get(turn) : undefined;
	return known?.setup === setup ? known.messages : undefined;
}

interface Form {
	readonly short: boolean;
	readonly mark: string;
}

async function formatExchange(setup: AgentSetup, turn: Turn, { short, mark }: Form): Promise<Message[]> {
	const said = turn.message.parts.length > 0 ? [turn.message] : [];
	if (turn.correction !== undefined) return [...said, text('user', turn.correction)];
	const isNative = turn.message.parts.some(({ type }) => type === 'tool-call');
	// A message of the role "tool" is a fence by itself.
	const form = { short, ...(!isNative && { mark }) };
	const observed = await Promise.all(
		turn.calls.map(async (call) => ({ call, observation: await observationText(setup, call, form) })),
	);
	if (observed.length === 0) return said;
	if (!isNative) {
		const lines = observed.map(({ call, observation }) =>
			observed.length === 1 ? `Observation: ${observation}` : `Observation (${call.name}): ${observation}`,
		);
		return [...said, text('user', lines.join('\n'))];
	}
	const parts = observed.map(({ call, observation }) => ({
		type: 'tool-result' as const,
		callId: call.wireId ?? call.callId,
		name: call.name,
		text: observation,
		isError: call.result?.isError ?? false,
	}));
	return [...said, { role: 'tool', parts }, ...(short ? [] : await pictures(setup, turn))];
}

/** Pictures that tools made, for a model that sees; the others know of them by the note in the result. */
async function pictures(setup: AgentSetup, { calls }: Turn): Promise<Message[]> {
	if (setup.model.capabilities.images !== 'yes') return [];
	const results = calls.flatMap(({ result }) => (result?.files && result.handle ? [result.handle] : []));
	const files = (await Promise.all(results.map(async (handle) => (await setup.results.get(handle)).files ?? []))).flat();
	const parts = files.map(({ mediaType, data, name }) => ({ type: 'file' as const, mediaType, data, name }));
	return parts.length === 0 ? [] : [{ role: 'user', parts }];
}

/** What the model cannot know from its own call: that a person changed it or said something about it. */
function approvalText({ language }: AgentSetup, { decision, input }: TurnCall): string {
	if (!decision?.approved || (!decision.arguments && !decision.note)) return '';
	const changed = decision.arguments ? JSON.stringify(input) : '';
	return promptsIn(language).approvedWith(changed, decision.note ?? '');
}

async function observationText(setup: AgentSetup, call: TurnCall, { short, mark }: Partial<Form>): Promise<string> {
	const { result } = call;
	const before = (result?.repeated ? `${promptsIn(setup.language).repeated}\n` : '') + approvalText(setup, call);
	// What the engine says of a call that was not made is no data.
	const asData = (text: string): string => (mark === undefined || !call.input || result?.isEmpty ? text : fenced(mark, text));
	if (!result?.handle) return before + asData(result?.text ?? '');
	const whole = (await setup.results.get(result.handle)).text;
	const isPage = call.name === READ_RESULT && isOwnReader(setup);
	if (isPage) return before + asData(short ? `${whole.slice(0, SHORT_OBSERVATION)}…` : whole);
	const limit = short ? SHORT_OBSERVATION : setup.limits.maxObservationCharacters;
	if (whole.length <= limit) return before + asData(whole);
	return before + asData(whole.slice(0, limit)) + promptsIn(setup.language).truncated(limit, whole.length, call.callId);
}

function text(role: Message['role'], content: string): Message {
	return { role, parts: [{ type: 'text', text: content }] };
}
