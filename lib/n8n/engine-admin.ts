import { statfs } from 'node:fs/promises';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { messageOf } from '../core/errors';
import { withMemory } from '../chat/open-memory';
import { purgeEvents } from '../events/held-events';
import { isMusl } from '../inference/onnx-backend';
import { checkStorage } from '../storage/check-storage';
import { reactengineFolder } from '../storage/paths';
import { checkPlace, eventsPlace, memoryPlace } from './storage';

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

/** What of the surroundings is fit for the engine, and what to do where it is not; `ok` when nothing stands in the way. Never throws for what it finds. */
export async function diagnose(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const found = await Promise.all([
		looked('Node.js', nodeCheck),
		looked('Files of the engine', filesCheck),
		looked('Disk', diskCheck),
		looked('Engine Storage', async () => await storageCheck(ctx, itemIndex)),
		looked('Local models', modelsCheck),
		looked('Queue mode', queueCheck),
		looked('Restart while waiting', recoveryCheck),
	]);
	return { ok: found.every(({ status }) => status !== 'error'), checks: found as unknown as IDataObject[] };
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

async function storageCheck(ctx: IExecuteFunctions, itemIndex: number): Promise<Found> {
	const { detail, limit } = await checkPlace(ctx, itemIndex);
	return limit === undefined ? { detail } : { status: 'warning', detail, remedy: limit };
}

function recoveryCheck(): Found {
	if (process.env.N8N_EVENTBUS_RECOVERY_MODE === 'simple') return { detail: 'Executions that wait for a person go on after a restart of n8n' };
	return {
		status: 'warning',
		detail: 'An execution that waits in an Ask User node is lost when n8n restarts meanwhile',
		remedy: 'Set N8N_EVENTBUS_RECOVERY_MODE=simple, or let Ask User end the run and go on with Resume.',
	};
}

function modelsCheck(): Found {
	if (!isMusl()) return { detail: `Native library (${process.platform} ${process.arch})` };
	return { status: 'warning', detail: 'This system has musl (Alpine): local models run on WebAssembly, slower', remedy: 'Use a Debian-based image for local models, or a model server.' };
}

function queueCheck(): Found {
	return { detail: process.env.EXECUTIONS_MODE === 'queue' ? 'n8n runs in queue mode' : 'n8n runs in one process' };
}

/** Removes conversations without a turn, and events that are over, for so many days. */
export async function applyRetention(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const before = (name: string): number => Date.now() - Math.max(1, Number(ctx.getNodeParameter(name, itemIndex, 90))) * DAY_MS;
	const memory = await withMemory(await memoryPlace(ctx, itemIndex), async (store) => await store.remove({ before: before('memoryDays') }));
	const events = await purgeEvents(await eventsPlace(ctx, itemIndex), before('eventDays'));
	return { removed: { ...memory, events } };
}
