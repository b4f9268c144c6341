import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { holderOf } from '../storage/holds-text';
import { inTurn } from './append-line';
import { isRecord, jsonOf } from './json';

/**
 * What files of JSON lines (logs and recordings of models) hold of a person. Lines with one `id` tell of one reply, piece by piece:
 * where one of them holds a text, or all their pieces together do, all of them count.
 */

export interface FoundLines {
	readonly file: string;
	/** Parsed. */
	readonly lines: readonly unknown[];
}

/** The lines of all files of a folder that hold one of these texts, whatever the case of its letters. [] for a folder that is not there. */
export async function findLines(folder: string, texts: readonly string[]): Promise<FoundLines[]> {
	const found: FoundLines[] = [];
	for (const file of await filesIn(folder)) {
		const lines = linesOf(await readFile(file, 'utf8'));
		const held = holding(lines, texts);
		if (held.size > 0) found.push({ file: path.basename(file), lines: lines.filter((line) => held.has(line)).map(({ value }) => value) });
	}
	return found;
}

/** Removes those lines for good. What another process adds in the same moment may be lost. @returns how many */
export async function eraseLines(folder: string, texts: readonly string[]): Promise<number> {
	let removed = 0;
	for (const file of await filesIn(folder)) {
		await inTurn(file, async () => {
			const lines = linesOf(await readFile(file, 'utf8'));
			const held = holding(lines, texts);
			if (held.size === 0) return;
			removed += held.size;
			const kept = lines.filter((line) => !held.has(line));
			if (kept.length === 0) return await rm(file);
			await writeFile(`${file}.tmp`, kept.map(({ text }) => `${text}\n`).join(''), { mode: 0o600 });
			await rename(`${file}.tmp`, file);
		});
	}
	return removed;
}

async function filesIn(folder: string): Promise<string[]> {
	if (!existsSync(folder)) return [];
	return (await readdir(folder)).filter((name) => /\.jsonl(?:\.1)?$/.test(name)).sort().map((name) => path.join(folder, name));
}

interface Line {
	readonly text: string;
	readonly value: unknown;
}

function linesOf(content: string): Line[] {
	return content.split('\n').filter((text) => text.trim() !== '').map((text) => ({ text, value: jsonOf(text) ?? text }));
}

function holding(lines: readonly Line[], texts: readonly string[]): Set<Line> {
	const isHeld = holderOf(texts);
	const groups = new Map<unknown, Line[]>();
	for (const line of lines) {
		const name = (isRecord(line.value) ? line.value.id : undefined) ?? line;
		groups.set(name, [...(groups.get(name) ?? []), line]);
	}
	const holds = (group: readonly Line[]): boolean => isHeld([...group.map(({ text }) => text), group.map(({ value }) => said(value)).join('')].join('\n'));
	return new Set([...groups.values()].filter(holds).flat());
}

/** The pieces of text of a line: its own, or those of its events. */
function said(value: unknown): string {
	if (!isRecord(value)) return '';
	if (Array.isArray(value.events)) return value.events.map(said).join('');
	return typeof value.text === 'string' ? value.text : '';
}
