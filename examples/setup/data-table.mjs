/** A data table of n8n that an example works on. */

/**
 * Makes the table in the user's own project unless one of its name is there.
 *
 * @param table  {name, columns: {name: 'string' | 'number' | …}}
 * @returns      its id, for the nodes that name it
 */
export async function ensureTable(call, { name, columns }) {
	const { id: project } = await call('GET', '/projects/personal');
	const tables = `/projects/${project}/data-tables`;
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await call('GET', `${tables}?filter=${filter}`);
	const found = data.find((table) => table.name === name);
	const made = found ?? (await call('POST', tables, { name, columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })) }));
	return made.id;
}
