import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CodedError } from '../core/errors';
import type { Clock } from '../core/ports';

/** Values that describe how something was made; compared as they are. */
export type SettingValues = { readonly [name: string]: string | number | boolean | null };

/** Who locks settings, for the trace. */
export interface Who {
	readonly workflow: string;
	readonly node: string;
}

/** Settings as they were locked, and who did. */
export interface EngineSettings {
	readonly format: 1;
	readonly values: SettingValues;
	readonly lockedBy: Who & { readonly at: string; readonly pid: number };
}

/**
 * Locks settings in a file at the first call and holds every later call to them: the same values again change nothing, new names are
 * added, another value for a name is refused.
 *
 * Safe over threads and processes: the file appears whole, by one atomic step that only the first can win.
 *
 * @returns the settings as locked, with who locked them first
 * @throws  CodedError BAD_INPUT "EngineSettings mismatch" that names each value that differs, who locked it and when; INTERNAL when the
 *          file is broken
 */
export async function lockEngineSettings(file: string, values: SettingValues, who: Who, clock: Pick<Clock, 'now'>): Promise<EngineSettings> {
	const locked = (await readSettings(file)) ?? (await createSettings(file, values, who, clock));
	const differing = Object.entries(values).filter(([name, value]) => name in locked.values && locked.values[name] !== value);
	if (differing.length > 0) throw mismatch(file, locked, differing);
	const added = Object.entries(values).filter(([name]) => !(name in locked.values));
	if (added.length === 0) return locked;
	const grown: EngineSettings = { ...locked, values: { ...locked.values, ...Object.fromEntries(added) } };
	await replaceFile(file, grown);
	return grown;
}

/** Settings as locked in a file; undefined when there is none. Throws CodedError INTERNAL when it is broken. */
export async function readSettings(file: string): Promise<EngineSettings | undefined> {
	const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : Promise.reject(error)));
	if (text === undefined) return undefined;
	const value = parsed(text);
	if (value?.format === 1 && typeof value.values === 'object') return value;
	throw new CodedError('INTERNAL', `${file} is no file of engine settings`, { remedy: 'Remove the file; it is made anew at the next use.' });
}

function parsed(text: string): EngineSettings | undefined {
	try {
		return JSON.parse(text) as EngineSettings;
	} catch {
		return undefined;
	}
}

/** A link to a finished file is made by one process only; the others read what it made. */
async function createSettings(file: string, values: SettingValues, who: Who, clock: Pick<Clock, 'now'>): Promise<EngineSettings> {
	const settings: EngineSettings = { format: 1, values, lockedBy: { ...who, at: new Date(clock.now()).toISOString(), pid: process.pid } };
	const draft = await writeDraft(file, settings);
	const isFirst = await link(draft, file).then(
		() => true,
		(error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? false : Promise.reject(error)),
	);
	await rm(draft, { force: true });
	return isFirst ? settings : ((await readSettings(file)) ?? settings);
}

async function replaceFile(file: string, settings: EngineSettings): Promise<void> {
	await rename(await writeDraft(file, settings), file);
}

let drafts = 0;

async function writeDraft(file: string, settings: EngineSettings): Promise<string> {
	await mkdir(path.dirname(file), { recursive: true });
	const draft = `${file}.${process.pid}.${(drafts += 1)}.tmp`;
	await writeFile(draft, `${JSON.stringify(settings, null, '\t')}\n`);
	return draft;
}

function mismatch(file: string, locked: EngineSettings, differing: readonly [string, unknown][]): CodedError {
	const list = differing.map(([name, value]) => `${name} is ${String(locked.values[name])}, asked for ${String(value)}`).join('; ');
	const { workflow, node, at } = locked.lockedBy;
	return new CodedError('BAD_INPUT', `EngineSettings mismatch: ${list} (locked ${at} by node "${node}" of workflow "${workflow}")`, {
		remedy: `Use the settings that were locked. To begin anew with others, remove ${file} and what was made with it.`,
	});
}
