import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { openPostgres, type PostgresConnection } from '../storage/postgres';
import { openDatabase } from '../storage/sqlite';
import { hasTheme, readValue } from './postgres-schema';
import { readMeta } from './sqlite-schema';

/** Where the knowledge bases of one storage live. */
export type ThemesPlace = { readonly folder: string } | { readonly postgres: PostgresConnection };

/** Names of all knowledge bases of a storage, sorted; of a file that cannot be read, the file's name. [] when there is none. */
export async function listThemes(place: ThemesPlace): Promise<string[]> {
	return ('postgres' in place ? await inPostgres(place.postgres) : inFolder(place.folder)).sort();
}

const ENDING = '.sqlite';

function inFolder(folder: string): string[] {
	const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(ENDING)) : [];
	return files.map((name) => nameIn(path.join(folder, name)) ?? name.slice(0, -ENDING.length));
}

function nameIn(file: string): string | null {
	try {
		const database = openDatabase(file, { create: false });
		try {
			return readMeta(database, 'theme');
		} finally {
			database.close();
		}
	} catch {
		// Damaged: whoever verifies or opens it says so.
		return null;
	}
}

async function inPostgres(connection: PostgresConnection): Promise<string[]> {
	const session = await openPostgres(connection, 'public');
	const found: string[] = [];
	try {
		const schemas = await session.query("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'reactengine\\_%' AND schema_name NOT LIKE 'reactengine\\_\\_%'");
		for (const { schema_name } of schemas) if (await hasTheme(session, String(schema_name))) found.push(String(schema_name));
	} finally {
		session.release();
	}
	const names: string[] = [];
	for (const schema of found) names.push(await themeOf(connection, schema));
	return names;
}

async function themeOf(connection: PostgresConnection, schema: string): Promise<string> {
	const session = await openPostgres(connection, schema);
	try {
		return (await readValue(session, 'theme')) ?? schema.replace(/^reactengine_/, '');
	} finally {
		session.release();
	}
}
