/**
 * Vectors on disk by content hash, so that a restarted or second process embeds nothing again. A cache only: every failure to
 * read means that vectors are made anew.
 *
 * One folder per embedder holds segments: files of fixed records (16 bytes of hash, then the floats). A segment is written
 * under another name and then renamed, so a reader in another process sees whole ones only, and no lock is needed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { messageOf } from '../core/errors';
import { safeFileName } from '../storage/paths';

const HASH_BYTES = 16;
const HEADER_BYTES = 8;
/** `RTV1` and the dimension. */
const MAGIC = 0x31565452;
/** Bytes per embedder; past them the oldest segments go. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The key of a text, as it stands in the files. */
export function textKey(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, HASH_BYTES * 2);
}

export interface VectorFiles {
	/** Vectors of segments that this process has not read yet. */
	readNew(): Map<string, Float32Array>;
	/** Writes a segment; gives why it could not, or undefined. */
	write(vectors: ReadonlyMap<string, Float32Array>): string | undefined;
}

/** The files of one embedder below a folder; nothing is made before the first write. */
export function vectorFiles(folder: string, embedderId: string): VectorFiles {
	const place = path.join(folder, safeFileName(embedderId, 'embedder'));
	const read = new Set<string>();
	return {
		readNew() {
			const found = new Map<string, Float32Array>();
			for (const name of segmentsIn(place)) {
				if (read.has(name)) continue;
				read.add(name);
				for (const [key, vector] of readSegment(path.join(place, name))) found.set(key, vector);
			}
			return found;
		},
		write(vectors) {
			const name = `${Date.now().toString(36).padStart(9, '0')}-${randomUUID().slice(0, 8)}.seg`;
			read.add(name);
			try {
				mkdirSync(place, { recursive: true });
				dropOldest(place);
				writeFileSync(path.join(place, `${name}.tmp`), segmentOf(vectors));
				renameSync(path.join(place, `${name}.tmp`), path.join(place, name));
				return undefined;
			} catch (error) {
				return messageOf(error);
			}
		},
	};
}

function segmentsIn(place: string): string[] {
	try {
		return readdirSync(place).filter((name) => name.endsWith('.seg')).sort();
	} catch {
		// No folder yet, or none that can be read: nothing is known.
		return [];
	}
}

function segmentOf(vectors: ReadonlyMap<string, Float32Array>): Buffer {
	const dimension = [...vectors.values()][0]?.length ?? 0;
	const header = Buffer.alloc(HEADER_BYTES);
	header.writeUInt32LE(MAGIC, 0);
	header.writeUInt32LE(dimension, 4);
	const records = [...vectors].flatMap(([key, vector]) => [
		Buffer.from(key, 'hex'),
		Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
	]);
	return Buffer.concat([header, ...records]);
}

/** The vectors of a segment; none from a file that is not one. */
function readSegment(file: string): Map<string, Float32Array> {
	const vectors = new Map<string, Float32Array>();
	const bytes = readIfThere(file);
	if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) return vectors;
	const dimension = bytes.readUInt32LE(4);
	const size = HASH_BYTES + dimension * 4;
	for (let at = HEADER_BYTES; dimension > 0 && at + size <= bytes.length; at += size) {
		const floats = bytes.subarray(at + HASH_BYTES, at + size);
		const copy = new Uint8Array(floats);
		vectors.set(bytes.toString('hex', at, at + HASH_BYTES), new Float32Array(copy.buffer));
	}
	return vectors;
}

function readIfThere(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch {
		// Another process took it away.
		return Buffer.alloc(0);
	}
}

function dropOldest(place: string): void {
	const files = segmentsIn(place).map((name) => path.join(place, name));
	let total = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
	for (const file of files) {
		if (total <= MOST_BYTES) return;
		total -= statSync(file, { throwIfNoEntry: false })?.size ?? 0;
		rmSync(file, { force: true });
	}
}
