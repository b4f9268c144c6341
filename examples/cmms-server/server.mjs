#!/usr/bin/env node
/**
 * A small real CMMS (maintenance management) as an MCP server: work orders, machines, parts, meter readings.
 *
 *   node examples/cmms-server/server.mjs --stdio
 *   node examples/cmms-server/server.mjs --http --port 3333 [--token secret]
 *
 * --database FILE  where the SQLite file is (default: a folder of the system's temporary files)
 * --data FILE      the work orders as CSV (default: examples/data/excavator-work-orders.csv)
 *
 * The token can also stand in CMMS_TOKEN, which does not show in the process list. Needs Node 24.
 */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { openDatabase } from './database.mjs';
import { listenHttp } from './http.mjs';
import { registerTools } from './tools.mjs';

const { values: options } = parseArgs({
	options: {
		stdio: { type: 'boolean' },
		http: { type: 'boolean' },
		port: { type: 'string', default: '3333' },
		token: { type: 'string' },
		database: { type: 'string' },
		data: { type: 'string', default: path.join(import.meta.dirname, '../data/excavator-work-orders.csv') },
	},
});

/** One file for each data file, so that two checkouts do not rebuild each other's. */
function defaultDatabase() {
	const name = createHash('sha256').update(path.resolve(options.data)).digest('hex').slice(0, 12);
	return path.join(tmpdir(), 'reactengine-cmms', `${name}.sqlite`);
}

const database = openDatabase({ databasePath: options.database ?? defaultDatabase(), dataPath: options.data });

function makeServer() {
	const server = new McpServer(
		{ name: 'cmms', version: '1.0.0' },
		{ instructions: 'Maintenance work orders of five excavators (A to E), 2001 to 2012. Parts and meter readings are made up.' },
	);
	registerTools(server, database);
	return server;
}

let endTransport = async () => {};
let isEnding = false;

async function end() {
	if (isEnding) return;
	isEnding = true;
	await endTransport();
	database.close();
	process.exit(0);
}
process.once('SIGTERM', end);
process.once('SIGINT', end);

if (options.http) {
	const token = options.token ?? process.env.CMMS_TOKEN;
	const { url, close } = await listenHttp({ port: Number(options.port), token, makeServer }).catch((error) => {
		const why = error.code === 'EADDRINUSE' ? 'it is taken; choose another --port' : error.message;
		process.stderr.write(`Cannot listen on port ${options.port}: ${why}.\n`);
		process.exit(1);
	});
	endTransport = close;
	process.stdout.write(`CMMS server: ${url}\n`);
} else if (options.stdio) {
	const server = makeServer();
	endTransport = () => server.close();
	process.stdin.once('end', end);
	process.stdin.once('close', end);
	await server.connect(new StdioServerTransport());
} else {
	process.stderr.write('Give --stdio or --http.\n');
	process.exit(2);
}
