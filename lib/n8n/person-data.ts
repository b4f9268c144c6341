import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { withMemory } from '../chat/open-memory';
import { CodedError } from '../core/errors';
import { eraseEvents, findEvents } from '../events/held-events';
import { eraseLines, findLines } from '../providers/person-lines';
import { areaFolder } from '../storage/paths';
import { openPendingRuns, type PendingRuns } from '../storage/pending-runs';
import type { TablePlace } from '../storage/sql-tables';
import { areaFolders, eventsPlace, memoryPlace, pendingPlace } from './storage';

/**
 * All that the engine keeps of a person, by the name of the user (conversations) and by texts such as the e-mail address (events in
 * every state, waiting runs, logs and recordings): to hand over, or to remove.
 */

/** What n8n itself may still hold, which no node can read or remove. */
interface HeldByN8n extends IDataObject {
	what: string;
	/** How to find and remove it. */
	remedy: string;
}

/** Files of the engine that hold what was sent to models and what they answered. */
const LINE_AREAS = ['logs', 'recordings'];

/** Everything that is kept of a person, as plain JSON. Nothing is changed. @throws BAD_INPUT when nobody is named */
export async function exportPerson(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const { user, texts } = readPerson(ctx, itemIndex);
	const conversations = user === '' ? [] : await withMemory(await memoryPlace(ctx, itemIndex), async (store) => await store.export({ user }));
	const events = await findEvents(await eventsPlace(ctx, itemIndex), texts);
	const waitingRuns = await overPending(ctx, itemIndex, async (pending) => await pending.find(texts));
	const lines = await overLines(ctx, itemIndex, async (folder) => await findLines(folder, texts));
	const person = { user, texts: [...texts], conversations, events, waitingRuns: waitingRuns.flat(), logs: lines.flat() };
	return { person: person as unknown as IDataObject, heldByN8n: heldByN8n() };
}

/** Removes what is kept of a person, for good. @throws BAD_INPUT when nobody is named */
export async function erasePerson(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const { user, texts } = readPerson(ctx, itemIndex);
	const memory = user === '' ? { conversations: 0, turns: 0 } : await withMemory(await memoryPlace(ctx, itemIndex), async (store) => await store.remove({ user }));
	const events = texts.length === 0 ? 0 : await eraseEvents(await eventsPlace(ctx, itemIndex), texts);
	const waitingRuns = sum(await overPending(ctx, itemIndex, async (pending) => await pending.erase(texts)));
	const logLines = sum(await overLines(ctx, itemIndex, async (folder) => await eraseLines(folder, texts)));
	return { erased: { ...memory, events, waitingRuns, logLines }, heldByN8n: heldByN8n() };
}

function readPerson(ctx: IExecuteFunctions, itemIndex: number): { readonly user: string; readonly texts: readonly string[] } {
	const read = (name: string): string => String(ctx.getNodeParameter(name, itemIndex, '') ?? '').trim();
	const user = read('user');
	const texts = read('texts').split(/[\n,;]/).map((text) => text.trim()).filter(Boolean);
	if (user === '' && texts.length === 0) throw new CodedError('BAD_INPUT', 'Neither a user nor a text is given', { remedy: 'Fill in User, Texts, or both.' });
	const short = texts.find((text) => text.length < 4);
	if (short === undefined) return { user, texts };
	throw new CodedError('BAD_INPUT', `The text "${short}" is too short`, { remedy: 'Everything that holds it would be meant: give 4 characters or more, such as the e-mail address.' });
}

/** An agent without the credential keeps its runs in the default folder, whatever this node has. */
async function overPending<Result>(ctx: IExecuteFunctions, itemIndex: number, work: (pending: PendingRuns) => Promise<Result>): Promise<Result[]> {
	const places: TablePlace[] = [await pendingPlace(ctx, itemIndex), { folder: areaFolder('pending') }];
	const results: Result[] = [];
	for (const place of new Map(places.map((one) => [JSON.stringify(one), one])).values()) {
		const pending = await openPendingRuns(place, Date.now);
		try {
			results.push(await work(pending));
		} finally {
			pending.close();
		}
	}
	return results;
}

async function overLines<Result>(ctx: IExecuteFunctions, itemIndex: number, work: (folder: string) => Promise<Result>): Promise<Result[]> {
	const results: Result[] = [];
	for (const area of LINE_AREAS) for (const folder of await areaFolders(ctx, itemIndex, area)) results.push(await work(folder));
	return results;
}

function sum(counts: readonly number[]): number {
	return counts.reduce((total, count) => total + count, 0);
}

const DEFAULT_MAX_AGE_HOURS = 336;

/** A node cannot look into n8n's database: what is to be looked for there, and what n8n's own settings do about it. */
function heldByN8n(): HeldByN8n[] {
	return [
		{
			what: 'Execution data: what nodes got and gave (questions, answers, runs, events), also of failed and waiting executions',
			remedy: `List executions with n8n's own node "n8n" (Execution, Get Many, Include Execution Details), filter them by the person and delete them. ${pruning()}`,
		},
		{ what: 'Files of executions (attachments, long tool results, reports)', remedy: 'They are removed with their execution.' },
		{ what: 'Executions that wait in an Ask User node', remedy: 'Stop them in the list of executions; what they held is removed with them.' },
		{ what: "Memories, chats and data tables of n8n's own nodes", remedy: 'Clear them with the node that wrote them.' },
		{ what: 'Documents in knowledge bases that speak of the person', remedy: 'Find them with RAG Retriever and delete them with RAG Index.' },
		{ what: 'Backups that were made before', remedy: 'Restore none of them, or erase the person again afterwards.' },
	];
}

function pruning(): string {
	if (process.env.EXECUTIONS_DATA_PRUNE === 'false') return 'This n8n keeps executions for ever (EXECUTIONS_DATA_PRUNE is false).';
	const hours = Number(process.env.EXECUTIONS_DATA_MAX_AGE ?? DEFAULT_MAX_AGE_HOURS);
	return `This n8n removes finished executions after ${Math.round(hours / 24)} days (EXECUTIONS_DATA_MAX_AGE).`;
}
