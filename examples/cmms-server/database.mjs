/**
 * The CMMS as an SQLite file: the real work orders of a CSV file, and parts and meter readings that are made up.
 *
 * The file is built once and reused while the CSV stays the same; work orders created through the server stay in it.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { makeMeterReadings, makeParts } from './made-up.mjs';

const FORMAT = 1;
const SCHEMA = `
	CREATE TABLE work_orders (id TEXT PRIMARY KEY, date TEXT NOT NULL, asset TEXT NOT NULL, type TEXT NOT NULL,
		cost_cents INTEGER, text TEXT NOT NULL, created_here INTEGER NOT NULL DEFAULT 0);
	CREATE INDEX work_orders_asset ON work_orders (asset, date);
	CREATE TABLE parts (reference TEXT PRIMARY KEY, name TEXT NOT NULL, asset TEXT NOT NULL, in_stock INTEGER NOT NULL,
		minimum INTEGER NOT NULL, price_cents INTEGER NOT NULL, delivery_days INTEGER NOT NULL);
	CREATE TABLE meter_readings (asset TEXT NOT NULL, date TEXT NOT NULL, hours INTEGER NOT NULL, PRIMARY KEY (asset, date));
	CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
`;

/**
 * Opens the database file, building it first when it does not exist or was built from other data.
 *
 * @param {{ databasePath: string, dataPath: string }} places
 * @returns {DatabaseSync}
 */
export function openDatabase({ databasePath, dataPath }) {
	const csv = readFileSync(dataPath, 'utf8');
	const origin = createHash('sha256').update(`${FORMAT}\n${csv}`).digest('hex');
	mkdirSync(path.dirname(databasePath), { recursive: true });
	if (!existsSync(databasePath) || originOf(databasePath) !== origin) build(databasePath, csv, origin);
	const database = new DatabaseSync(databasePath);
	database.exec('PRAGMA busy_timeout = 5000;');
	return database;
}

function originOf(databasePath) {
	const database = new DatabaseSync(databasePath);
	try {
		return database.prepare("SELECT value FROM facts WHERE name = 'origin'").get()?.value;
	} catch (error) {
		throw new Error(`${databasePath} is not a database of this server: ${error.message}. Give another --database.`);
	} finally {
		database.close();
	}
}

/** Built beside its place and moved there whole, so that a second server never opens half a file. */
function build(databasePath, csv, origin) {
	const draft = `${databasePath}.${process.pid}.new`;
	rmSync(draft, { force: true });
	const database = new DatabaseSync(draft);
	database.exec(SCHEMA);
	database.exec('BEGIN');
	const orders = fillWorkOrders(database, csv);
	const insertPart = database.prepare('INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)');
	for (const part of makeParts(orders)) insertPart.run(...part);
	const insertReading = database.prepare('INSERT INTO meter_readings VALUES (?, ?, ?)');
	for (const reading of makeMeterReadings(orders)) insertReading.run(...reading);
	database.prepare('INSERT INTO facts VALUES (?, ?)').run('origin', origin);
	database.exec('COMMIT');
	database.close();
	renameSync(draft, databasePath);
}

function fillWorkOrders(database, csv) {
	const orders = parse(csv, { columns: true, bom: true, skip_empty_lines: true });
	const insert = database.prepare('INSERT INTO work_orders (id, date, asset, type, cost_cents, text) VALUES (?, ?, ?, ?, ?, ?)');
	for (const { id, date, asset, pm_type: type, cost, text } of orders) {
		insert.run(id, date, asset, type, cost.trim() === '' ? null : Math.round(Number(cost) * 100), text);
	}
	return orders;
}
