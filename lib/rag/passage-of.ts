import type { Meta } from '../core/document';
import type { SqlRow } from '../storage/sqlite';
import type { Passage } from './store';

/** A passage from a row of either store. */
export function passageOf(row: SqlRow): Passage {
	return {
		ref: Number(row.id),
		id: `${String(row.key)}#${Number(row.position)}`,
		documentId: String(row.key),
		position: Number(row.position),
		text: String(row.text),
		start: Number(row.start),
		end: Number(row.end),
		titlePath: JSON.parse(String(row.title_path)) as string[],
		...(row.page !== null && { page: Number(row.page) }),
		...(row.title !== null && { title: String(row.title) }),
		...(row.source !== null && { source: String(row.source) }),
		meta: JSON.parse(String(row.meta)) as Meta,
	};
}
