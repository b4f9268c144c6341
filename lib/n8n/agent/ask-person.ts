import { CodedError } from '../../core/errors';
import type { Decision } from '../../core/run';
import { needsDecision } from '../../react/approval';
import type { AgentState, OpenCall } from '../../react/agent-state';
import type { AgentSetup } from '../../react/agent-setup';
import { packRun, unpackRun, type PortableRun } from '../../react/portable-run';
import { openPendingRuns, type PendingRuns } from '../../storage/pending-runs';
import type { TablePlace } from '../../storage/sql-tables';
import type { Language } from '../../text/language';
import { askWords } from '../../toolkits/ask-words';
import { asRecord } from '../as-record';
import type { ConnectedTool } from '../connected-tools';
import type { ReturnedCall } from '../engine-calls';
import type { ItemSetup } from './item-setup';
import type { ResumeParameters } from './parameters';

/**
 * Putting questions and approvals to a person, in the two ways there are: the execution waits in a connected Ask User node, or
 * the run ends with the question and a token, and another execution goes on.
 */

/** What is asked, as it stands in the output of a run that ended with it. */
export interface Question {
	readonly kind: 'question' | 'approval';
	readonly question: string;
	readonly tool?: string;
	readonly arguments?: Record<string, unknown>;
	/** The same again: n8n's expressions refuse the word `arguments`. */
	readonly input?: Record<string, unknown>;
	readonly token: string;
	readonly expiresAt: string;
}

interface Kept {
	readonly kind: Question['kind'];
	readonly callId: string;
	readonly query: string;
	readonly run: PortableRun;
}

const TOKEN_LIFE_MS = 30 * 86_400_000;

/** The connected node in which the execution can wait for a person, if any. */
export function waitingNode({ toolNodes }: ItemSetup): ConnectedTool | undefined {
	return [...toolNodes.values()].find(({ tool }) => tool.waits && tool.tags.includes('person'));
}

/** True when the run has to end with this call: a question set so, or an approval where no node can wait for it. */
export function endsWith(itemSetup: ItemSetup, call: OpenCall): boolean {
	if (needsDecision(itemSetup.setup, call)) return waitingNode(itemSetup) === undefined;
	return itemSetup.toolNodes.get(call.name)?.tool.endsRun === true;
}

/** True when a tool is connected with which a run ends. */
export function isSetToEnd({ toolNodes }: ItemSetup): boolean {
	return [...toolNodes.values()].some(({ tool }) => tool.endsRun);
}

/** Keeps a run that ends with a call to a person, and makes the question with its token. */
export async function keepQuestion(
	{ itemSetup, query, place }: { itemSetup: ItemSetup; query: string; place: TablePlace },
	{ state, call }: { state: AgentState; call: OpenCall },
): Promise<Question> {
	const { setup } = itemSetup;
	const kind = needsDecision(setup, call) ? 'approval' : 'question';
	const kept: Kept = { kind, callId: call.callId, query, run: await packRun(setup, state) };
	const expires = setup.ports.clock.now() + TOKEN_LIFE_MS;
	const token = await withPending(place, setup, async (pending) => await pending.keep(kept, expires));
	const asked = kind === 'approval' ? { question: approvalQuestion(call, setup.language), tool: call.name, arguments: call.input, input: call.input } : { question: String(call.input.question ?? '') };
	return { kind, ...asked, token, expiresAt: new Date(expires).toISOString() };
}

async function withPending<Result>(place: TablePlace, { ports }: AgentSetup, work: (pending: PendingRuns) => Promise<Result>): Promise<Result> {
	const pending = await openPendingRuns(place, ports.clock.now);
	try {
		return await work(pending);
	} finally {
		pending.close();
	}
}

export interface Resumed {
	readonly state: AgentState;
	readonly query: string;
	/** The call that the answer or decision belongs to. */
	readonly callId: string;
	readonly kind: Question['kind'];
	/** Makes the token valid again, when the run failed before anything came of the answer. */
	readonly giveBack: () => Promise<void>;
}

/** Takes a kept run back, once. @throws BAD_INPUT for a token that is wrong, expired or used */
export async function takeQuestion({ setup }: ItemSetup, place: TablePlace, resume: ResumeParameters): Promise<Resumed> {
	const kept = (await withPending(place, setup, async (pending) => await pending.take(resume.token))) as Kept;
	const giveBack = async (): Promise<void> => await withPending(place, setup, async (pending) => await pending.giveBack(resume.token, kept));
	const { run, callId, kind, query } = kept;
	if (kind === 'question' && resume.answer === '') {
		await giveBack();
		throw new CodedError('BAD_INPUT', 'The answer is empty', { remedy: 'Give the answer to the question in the Answer field.' });
	}
	return { state: await unpackRun(setup, run), query, callId, kind, giveBack };
}

/** The question of an approval, for a person who knows the business but not the tools. */
export function approvalQuestion({ name, input }: OpenCall, language: Language): string {
	return askWords(language).mayCallWith(name, JSON.stringify(input));
}

/** What Ask User gave back for an approval; no clear answer is a refusal. */
export function decisionOf(returned: ReturnedCall, now: number): Decision {
	const given = asRecord(returned.result.data);
	const at = typeof given.at === 'string' ? given.at : new Date(now).toISOString();
	if (returned.result.isError) return { approved: false, at, note: returned.result.text };
	return {
		approved: given.approved === true,
		at,
		...(typeof given.by === 'string' && given.by !== '' && { by: given.by }),
		...(typeof given.note === 'string' && given.note !== '' && { note: given.note }),
		...(given.arguments !== undefined && { arguments: asRecord(given.arguments) }),
	};
}
