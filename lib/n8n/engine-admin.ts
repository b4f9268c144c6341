import { statfs } from 'node:fs/promises';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CodedError, messageOf } from '../core/errors';
import { withMemory } from '../chat/open-memory';
import { eraseEvents, purgeEvents } from '../events/inbox';
import { isMusl } from '../inference/onnx-backend';
import { checkStorage } from '../storage/check-storage';
import { areaFolder, reactengineFolder } from '../storage/paths';
import { openPendingRuns } from '../storage/pending-runs';
import { checkPlace, eventsPlace, memoryPlace, pendingPlace } from './storage';

interface Check {
	readonly check: string;
	readonly status: 'ok' | 'warning' | 'error';
	readonly detail: string;
	/** What to do, where something is to be done. */
	readonly remedy?: string;
}

const DAY_MS = 86_400_000;
const LITTLE_BYTES = 1_000_000_000;
const OLDEST_NODE = 24;

/** What of the surroundings is fit for the engine, and what to do where it is not. Never throws for what it finds. */
export async function diagnose(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const found = await Promise.all([
		looked('Node.js', nodeCheck),
		looked('Files of the engine', filesCheck),
		looked('Disk', diskCheck),
		looked('Engine Storage', async () => ({ detail: await checkPlace(ctx, itemIndex) })),
		looked('Local models', modelsCheck),
		looked('Queue mode', queueCheck),
	]);
	return { ok: found.every(({ status }) => status === 'ok'), checks: found as unknown as IDataObject[] };
}

type Found = Partial<Check> & Pick<Check, 'detail'>;

async function looked(check: string, look: () => Found | Promise<Found>): Promise<Check> {
	try {
		return { check, status: 'ok', ...(await look()) };
	} catch (error) {
		const { remedy } = error as { remedy?: string };
		return { check, status: 'error', detail: messageOf(error), ...(remedy && { remedy }) };
	}
}

function nodeCheck(): Found {
	const isOld = Number(process.versions.node.split('.')[0]) < OLDEST_NODE;
	return isOld ? { status: 'error', detail: process.version, remedy: `Run n8n on Node.js ${OLDEST_NODE} or newer.` } : { detail: process.version };
}

function filesCheck(): Found {
	checkStorage(reactengineFolder());
	return { detail: `${reactengineFolder()} can be written; SQLite with full-text search works` };
}

async function diskCheck(): Promise<Found> {
	const { bavail, bsize } = await statfs(reactengineFolder());
	const free = bavail * bsize;
	const detail = `${(free / 1e9).toFixed(1)} GB free`;
	return free < LITTLE_BYTES ? { status: 'warning', detail, remedy: 'Make room: knowledge bases and models need gigabytes.' } : { detail };
}

function modelsCheck(): Found {
	if (!isMusl()) return { detail: `Native library (${process.platform} ${process.arch})` };
	return { status: 'warning', detail: 'This system has musl (Alpine): local models run on WebAssembly, slower', remedy: 'Use a Debian-based image for local models, or a model server.' };
}

function queueCheck(): Found {
	return { detail: process.env.EXECUTIONS_MODE === 'queue' ? 'n8n runs in queue mode' : 'n8n runs in one process' };
}

/** What n8n itself may still hold; only an administrator can remove it. */
const LEFT = [
	'Execution data of n8n (inputs and outputs of nodes): delete the executions concerned, or set EXECUTIONS_DATA_PRUNE.',
	'Documents in knowledge bases that speak of the person: delete them with RAG Index.',
	'Logs and recordings of Chat Model nodes, where they are switched on: files in the folders "logs" and "recordings" of the engine.',
];

/** Removes what is kept of a person: conversations by user, events and waiting runs by texts such as the e-mail address. */
export async function erasePerson(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const user = (ctx.getNodeParameter('user', itemIndex, '') as string).trim();
	const texts = (ctx.getNodeParameter('texts', itemIndex, '') as string).split(/[\n,;]/).map((text) => text.trim()).filter(Boolean);
	if (user === '' && texts.length === 0) throw new CodedError('BAD_INPUT', 'Neither a user nor a text is given', { remedy: 'Fill in User, Texts, or both.' });
	const short = texts.find((text) => text.length < 4);
	if (short !== undefined) throw new CodedError('BAD_INPUT', `The text "${short}" is too short`, { remedy: 'Every event that holds it would be removed: give 4 characters or more, such as the e-mail address.' });
	const memory = user === '' ? { conversations: 0, turns: 0 } : await withMemory(await memoryPlace(ctx, itemIndex), async (store) => await store.remove({ user }));
	const events = texts.length === 0 ? 0 : await eraseEvents(await eventsPlace(ctx, itemIndex), texts);
	return { erased: { ...memory, events, waitingRuns: await erasePending(ctx, itemIndex, texts) }, left: LEFT };
}

/** An agent without the credential keeps its runs in the default folder, whatever this node has. */
async function erasePending(ctx: IExecuteFunctions, itemIndex: number, texts: readonly string[]): Promise<number> {
	const places = [await pendingPlace(ctx, itemIndex), { folder: areaFolder('pending') }];
	let removed = 0;
	for (const place of new Map(places.map((one) => [JSON.stringify(one), one])).values()) {
		const pending = await openPendingRuns(place, Date.now);
		try {
			removed += await pending.erase(texts);
		} finally {
			pending.close();
		}
	}
	return removed;
}

/** Removes conversations without a turn, and events that are over, for so many days. */
export async function applyRetention(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const before = (name: string): number => Date.now() - Math.max(1, Number(ctx.getNodeParameter(name, itemIndex, 90))) * DAY_MS;
	const memory = await withMemory(await memoryPlace(ctx, itemIndex), async (store) => await store.remove({ before: before('memoryDays') }));
	const events = await purgeEvents(await eventsPlace(ctx, itemIndex), before('eventDays'));
	return { removed: { ...memory, events } };
}
