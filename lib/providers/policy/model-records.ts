import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../core/errors';
import type { Ports } from '../../core/ports';
import { isRecord, jsonOf } from '../json';

const KEPT_TIMES = 20;

interface Entry {
	/** Times to the first token of the last replies, oldest first. */
	times: number[];
	failuresInARow: number;
	/** Milliseconds since 1970. */
	failedAt: number;
}

/**
 * What past runs showed of each model: its speed, and whether it is failing now. Kept in a file, so that it outlives the process and is
 * shared by workers on one machine; it is a help for choosing and never needed for a right answer.
 */
export class ModelRecords {
	private readonly entries = new Map<string, Entry>();

	/** @param file  absent keeps them in memory only */
	constructor(
		private readonly ports: Pick<Ports, 'clock' | 'log'>,
		private readonly file?: string,
	) {
		if (file !== undefined) this.read(file);
	}

	/** Middle time to the first token; null when it was never measured. */
	firstTokenMs(id: string): number | null {
		const times = [...(this.entries.get(id)?.times ?? [])].sort((a, b) => a - b);
		return times[Math.floor(times.length / 2)] ?? null;
	}

	/** True while a model that failed `breakAfter` times in a row cools down; then it gets one more try. */
	isOpen(id: string, breakAfter: number, coolDownMs: number): boolean {
		const entry = this.entries.get(id);
		if (!entry || breakAfter < 1 || entry.failuresInARow < breakAfter) return false;
		return this.ports.clock.now() - entry.failedAt < coolDownMs;
	}

	succeeded(id: string, firstTokenMs: number | null): void {
		const entry = this.entry(id);
		entry.failuresInARow = 0;
		if (firstTokenMs !== null) entry.times = [...entry.times, firstTokenMs].slice(-KEPT_TIMES);
		this.write();
	}

	failed(id: string): void {
		const entry = this.entry(id);
		entry.failuresInARow += 1;
		entry.failedAt = this.ports.clock.now();
		this.write();
	}

	private entry(id: string): Entry {
		const entry = this.entries.get(id) ?? { times: [], failuresInARow: 0, failedAt: 0 };
		this.entries.set(id, entry);
		return entry;
	}

	private read(file: string): void {
		const value = existsSync(file) ? jsonOf(readFileSync(file, 'utf8')) : undefined;
		for (const [id, entry] of Object.entries(isRecord(value) ? value : {})) {
			if (!isRecord(entry) || !Array.isArray(entry['times'])) continue;
			const times = entry['times'].filter((time): time is number => typeof time === 'number');
			this.entries.set(id, { times, failuresInARow: Number(entry['failuresInARow']) || 0, failedAt: Number(entry['failedAt']) || 0 });
		}
	}

	/** Written beside and moved into place, so that a reader never sees half a file. */
	private write(): void {
		const { file } = this;
		if (file === undefined) return;
		try {
			mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
			const next = `${file}.${process.pid}.tmp`;
			writeFileSync(next, JSON.stringify(Object.fromEntries(this.entries)), { mode: 0o600 });
			renameSync(next, file);
		} catch (error) {
			this.ports.log('warn', `What was measured of the models could not be kept in ${file}: ${messageOf(error)}`);
		}
	}
}

const shared = new Map<string, ModelRecords>();

/** The records of a file, one object for this process. */
export function modelRecordsIn(file: string, ports: Pick<Ports, 'clock' | 'log'>): ModelRecords {
	const records = shared.get(file) ?? new ModelRecords(ports, file);
	shared.set(file, records);
	return records;
}
