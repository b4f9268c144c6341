/**
 * Brings a knowledge base in Postgres that an older version of the package wrote up to date, when it is opened: tables step by step
 * from format to format, words analysed anew from the stored passages. Nothing is embedded, the sources are not needed.
 */
import type { PostgresSession } from '../storage/postgres';
import { ANALYSER_VERSION } from '../text/analyse';
import { insertPostings } from './postgres-documents';
import { POSTGRES_FORMAT, readAnyManifest, writeValue } from './postgres-schema';
import type { ThemeManifest } from './store';
import { storedTokens, TOKEN_COLUMNS } from './stored-tokens';

/** What leads from a format to the next one, by the older number. */
const STEPS: Readonly<Record<number, readonly string[]>> = {
	2: ['CREATE INDEX documents_of_scope ON documents (scope)'],
};
const OLDEST = Math.min(...Object.keys(STEPS).map(Number));

function isOlder({ format, analyserVersion }: ThemeManifest): boolean {
	if (format < OLDEST || format > POSTGRES_FORMAT) return false;
	return format < POSTGRES_FORMAT || analyserVersion < ANALYSER_VERSION;
}

/**
 * Migrates the knowledge base of a session unless it is up to date. One transaction: a crash leaves it as it was. When several
 * processes open it at once, one migrates and the others wait for it. A format that is unknown is left alone.
 */
export async function migratePostgres(session: PostgresSession, schema: string): Promise<void> {
	if (!isOlder(await readAnyManifest(session))) return;
	await session.transaction(async () => {
		await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [schema]);
		// As another process may have left it meanwhile.
		const manifest = await readAnyManifest(session);
		if (!isOlder(manifest)) return;
		// Writers of older versions wait for this row, and answers that processes keep end with it.
		await session.query("UPDATE meta SET value = (value::bigint + 1)::text WHERE name = 'changes'");
		for (let format = manifest.format; format < POSTGRES_FORMAT; format++) {
			for (const sql of STEPS[format] ?? []) await session.query(sql);
		}
		if (manifest.analyserVersion < ANALYSER_VERSION) await analyseAnew(session);
		await writeValue(session, 'format', `${POSTGRES_FORMAT}`);
	});
}

async function analyseAnew(session: PostgresSession): Promise<void> {
	await session.query('DELETE FROM postings');
	for (let after = 0; ; ) {
		const passages = await session.query(`${TOKEN_COLUMNS}c.id > ? ORDER BY c.id LIMIT 500`, [after]);
		if (passages.length === 0) break;
		for (const passage of passages) {
			after = Number(passage.id);
			const tokens = storedTokens(passage);
			await insertPostings(session, after, tokens);
			await session.query('UPDATE chunks SET length = ? WHERE id = ?', [tokens.length, after]);
		}
	}
	await writeValue(session, 'analyser', `${ANALYSER_VERSION}`);
}
