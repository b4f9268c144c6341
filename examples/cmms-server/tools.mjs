/** The tools of the CMMS server. Costs are stored in cents, so that sums are exact. */
import { createRequire } from 'node:module';

// The SDK's own zod: schemas of another copy would not be recognised.
const { z } = createRequire(import.meta.resolve('@modelcontextprotocol/sdk/server/mcp.js'))('zod');

const READ = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const MADE_UP = 'These figures are made up for the example; no such data was published with the work orders.';
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'write a day as 2012-12-31');
const asset = z.string().min(1).describe('Machine, for example A; list_assets gives all');
const paging = {
	limit: z.number().int().min(1).max(100).default(20),
	offset: z.number().int().min(0).default(0).describe('Rows to skip, to read on'),
};

/**
 * Registers the tools on a server.
 *
 * @param {import('@modelcontextprotocol/sdk/server/mcp.js').McpServer} server
 * @param {import('node:sqlite').DatabaseSync} database
 */
export function registerTools(server, database) {
	searchWorkOrders(server, database);
	getWorkOrder(server, database);
	listAssets(server, database);
	partsStock(server, database);
	meterReadings(server, database);
	createWorkOrder(server, database);
}

const answer = (data) => ({ content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data });
const refusal = (text) => ({ content: [{ type: 'text', text }], isError: true });
const money = (cents) => (cents === null ? null : cents / 100);
const shown = ({ cost_cents: cents, created_here: createdHere, ...order }) => ({
	...order,
	cost: money(cents),
	...(createdHere ? { createdHere: true } : {}),
});

/** SQL conditions from those given; values are bound, never written into the text. */
function where(conditions) {
	const given = conditions.filter(([, value]) => value !== undefined);
	const sql = given.length === 0 ? '' : ` WHERE ${given.map(([condition]) => condition).join(' AND ')}`;
	return { sql, values: given.map(([, value]) => value) };
}

function unknownAsset(database, name) {
	const assets = database.prepare('SELECT DISTINCT asset FROM work_orders ORDER BY asset').all().map((row) => row.asset);
	return assets.includes(name) ? undefined : refusal(`There is no machine "${name}". The machines are: ${assets.join(', ')}.`);
}

function searchWorkOrders(server, database) {
	const ORDER = { newest: 'date DESC, id', oldest: 'date, id', cost: 'cost_cents DESC, date DESC, id' };
	const description = {
		title: 'Search work orders',
		description:
			'Searches the maintenance work orders by words of their text, machine, type, dates and cost. Returns {total, totalCost, returned, complete, workOrders}; total and totalCost cover all that fit.',
		inputSchema: {
			text: z.string().min(1).optional().describe('Words that the text must contain, in any case'),
			asset: asset.optional(),
			type: z.string().min(1).optional().describe('Order type, for example PM01 (repair) or PM02 (replacement)'),
			from: day.optional().describe('First day'),
			to: day.optional().describe('Last day'),
			min_cost: z.number().optional(),
			max_cost: z.number().optional(),
			sort: z.enum(['newest', 'oldest', 'cost']).default('newest'),
			...paging,
		},
		annotations: READ,
	};
	server.registerTool('search_work_orders', description, (input) => {
		const words = (input.text ?? '').split(/\s+/).filter(Boolean);
		const { sql, values } = where([
			...words.map((word) => ['instr(lower(text), lower(?)) > 0', word]),
			['asset = ? COLLATE NOCASE', input.asset],
			['type = ? COLLATE NOCASE', input.type],
			['date >= ?', input.from],
			['date <= ?', input.to],
			['cost_cents >= ?', input.min_cost === undefined ? undefined : Math.round(input.min_cost * 100)],
			['cost_cents <= ?', input.max_cost === undefined ? undefined : Math.round(input.max_cost * 100)],
		]);
		const all = database.prepare(`SELECT count(*) AS total, coalesce(sum(cost_cents), 0) AS cents FROM work_orders${sql}`).get(...values);
		const rows = database
			.prepare(`SELECT * FROM work_orders${sql} ORDER BY ${ORDER[input.sort]} LIMIT ? OFFSET ?`)
			.all(...values, input.limit, input.offset);
		const complete = rows.length === all.total;
		return answer({ total: all.total, totalCost: money(all.cents), returned: rows.length, complete, workOrders: rows.map(shown) });
	});
}

function getWorkOrder(server, database) {
	const description = {
		title: 'Get a work order',
		description: 'Gets one work order by its id.',
		inputSchema: { id: z.string().min(1).describe('For example e0') },
		annotations: READ,
	};
	server.registerTool('get_work_order', description, ({ id }) => {
		const row = database.prepare('SELECT * FROM work_orders WHERE id = ? COLLATE NOCASE').get(id);
		return row === undefined ? refusal(`There is no work order "${id}".`) : answer(shown(row));
	});
}

function listAssets(server, database) {
	const description = {
		title: 'List machines',
		description: 'Lists the machines with the number and the total cost of their work orders, most expensive first; between two days if given.',
		inputSchema: { from: day.optional(), to: day.optional() },
		annotations: READ,
	};
	server.registerTool('list_assets', description, ({ from, to }) => {
		const { sql, values } = where([['date >= ?', from], ['date <= ?', to]]);
		const rows = database
			.prepare(
				`SELECT asset, count(*) AS workOrders, coalesce(sum(cost_cents), 0) AS cents, min(date) AS first, max(date) AS last
				FROM work_orders${sql} GROUP BY asset ORDER BY cents DESC`,
			)
			.all(...values);
		return answer({ total: rows.length, assets: rows.map(({ cents, ...row }) => ({ ...row, totalCost: money(cents) })) });
	});
}

function partsStock(server, database) {
	const description = {
		title: 'Parts stock',
		description: `Gives spare parts with stock, minimum, price and delivery time; below_minimum shows what should be ordered. ${MADE_UP}`,
		inputSchema: {
			asset: asset.optional(),
			text: z.string().min(1).optional().describe('Part of the name or the reference'),
			below_minimum: z.boolean().default(false),
		},
		annotations: READ,
	};
	server.registerTool('parts_stock', description, (input) => {
		const { sql, values } = where([
			['asset = ? COLLATE NOCASE', input.asset],
			["instr(lower(name || ' ' || reference), lower(?)) > 0", input.text],
			['(minimum - in_stock) >= ?', input.below_minimum ? 1 : undefined],
		]);
		const rows = database.prepare(`SELECT * FROM parts${sql} ORDER BY asset, reference`).all(...values);
		const parts = rows.map(({ in_stock: inStock, price_cents: cents, delivery_days: deliveryDays, ...part }) => ({
			...part,
			inStock,
			price: money(cents),
			deliveryDays,
			toOrder: Math.max(0, part.minimum - inStock),
		}));
		return answer({ total: parts.length, parts, madeUp: true });
	});
}

function meterReadings(server, database) {
	const description = {
		title: 'Meter readings',
		description: `Gives the engine hours of a machine, one reading a month. ${MADE_UP}`,
		inputSchema: { asset, from: day.optional(), to: day.optional() },
		annotations: READ,
	};
	server.registerTool('meter_readings', description, (input) => {
		const name = input.asset.toUpperCase();
		const { sql, values } = where([['asset = ?', name], ['date >= ?', input.from], ['date <= ?', input.to]]);
		const readings = database.prepare(`SELECT date, hours FROM meter_readings${sql} ORDER BY date`).all(...values);
		return unknownAsset(database, name) ?? answer({ asset: name, total: readings.length, readings, madeUp: true });
	});
}

function createWorkOrder(server, database) {
	const description = {
		title: 'Create a work order',
		description: 'Creates a work order for a machine and returns it with its new id. Every call creates another one.',
		inputSchema: {
			asset,
			text: z.string().min(3).max(500).describe('What is to be done'),
			type: z.string().regex(/^PM\d\d$/).default('PM01'),
			date: day.optional().describe('Default today'),
		},
		annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
	};
	server.registerTool('create_work_order', description, (input) => {
		const name = input.asset.toUpperCase();
		const problem = unknownAsset(database, name);
		if (problem) return problem;
		const { date = new Date().toISOString().slice(0, 10) } = input;
		const row = database
			.prepare(
				`INSERT INTO work_orders (id, date, asset, type, cost_cents, text, created_here)
				SELECT 'n' || (count(*) + 1), ?, ?, ?, NULL, ?, 1 FROM work_orders WHERE created_here = 1 RETURNING *`,
			)
			.get(date, name, input.type, input.text);
		return answer(shown(row));
	});
}
