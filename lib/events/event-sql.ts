import { openSqlTables, type SqlTables, type TableNames, type TablePlace } from '../storage/sql-tables';

/** Where events and what is known of them are kept. */
export type EventPlace = TablePlace;
export type EventSql = SqlTables;
export type EventTables = Omit<TableNames, 'schema'>;

/** Opens tables of events, made when absent. */
export async function openEventSql(place: EventPlace, tables: EventTables): Promise<EventSql> {
	return await openSqlTables(place, { schema: 'reactengine__events', ...tables });
}
