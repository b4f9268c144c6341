import type { IDataObject, IExecuteFunctions, INodeCredentialDescription, ISupplyDataFunctions } from 'n8n-workflow';

import { raise } from '../core/errors';
import type { PostgresConnection } from '../storage/postgres';
import type { RecordsSource } from '../toolkits/records/load-rows';
import { queryPostgres } from '../toolkits/records/query-postgres';
import { readFileValue } from './read-file-value';

/** n8n's own Postgres credential, which people have already. */
export const POSTGRES_CREDENTIALS: INodeCredentialDescription[] = [{
	name: 'postgres',
	required: true,
	displayOptions: { show: { source: ['postgres'] } },
}];

type NodeContext = ISupplyDataFunctions | IExecuteFunctions;

/** Where the rows of a Records Toolkit come from; supplyData and execute read the same. */
export async function readRecordsSource(ctx: NodeContext, itemIndex: number): Promise<RecordsSource> {
	const kind = ctx.getNodeParameter('source', itemIndex, 'rows') as RecordsSource['kind'] | 'postgres';
	const content: unknown = ctx.getNodeParameter(kind, itemIndex, '');
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const layout = {
		delimiter: String(options.delimiter ?? ''),
		headerLine: typeof options.headerLine === 'number' ? options.headerLine : 0,
		sheet: String(options.sheet ?? ''),
	};
	switch (kind) {
		case 'rows':
			return { kind, rows: content };
		case 'csv':
			return { kind, text: String(content), ...layout };
		case 'json':
			return { kind, text: String(content) };
		case 'file':
			return { kind, bytes: await readFileValue(ctx, content), ...layout };
		case 'postgres':
			return { kind: 'rows', rows: await rowsOfQuery(ctx, itemIndex, String(content)) };
	}
}

/** Rows by execution and query: each turn of an agent asks for the tools again, and one run should see one state of the data. */
const loaded = new Map<string, Promise<unknown>>();
const MOST_LOADED = 8;

async function rowsOfQuery(ctx: NodeContext, itemIndex: number, sql: string): Promise<unknown> {
	const connection = await connectionOf(ctx, itemIndex);
	const key = JSON.stringify([ctx.getExecutionId(), connection, sql]);
	const rows = loaded.get(key) ?? queryPostgres(connection, sql);
	loaded.set(key, rows);
	const oldest = loaded.size > MOST_LOADED ? loaded.keys().next().value : undefined;
	if (oldest !== undefined) loaded.delete(oldest);
	return await rows.catch((error: unknown) => {
		loaded.delete(key);
		return raise(error);
	});
}

/** n8n's own Postgres credential. */
async function connectionOf(ctx: NodeContext, itemIndex: number): Promise<PostgresConnection> {
	const { host, port, database, user, password, ssl } = await ctx.getCredentials<IDataObject>('postgres', itemIndex);
	return {
		host: String(host ?? 'localhost'),
		port: Number(port ?? 5432),
		database: String(database ?? 'postgres'),
		user: String(user ?? ''),
		password: String(password ?? ''),
		ssl: ssl !== undefined && ssl !== 'disable' && ssl !== false,
	};
}
