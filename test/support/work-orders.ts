import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const workOrdersFile = join(__dirname, '../../examples/data/excavator-work-orders.csv');

export interface WorkOrder {
	readonly id: string;
	readonly quarter: string;
	readonly asset: string;
	readonly cents: number;
}

/** The work orders read in the plainest way, for comparison with what the tools compute; rows without a date are left out. */
export function readWorkOrders(file: string): WorkOrder[] {
	const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
	return lines.flatMap((line) => {
		const [id = '', date = '', asset = '', , cost = ''] = line.split(',');
		const [year, month] = date.split('-').map(Number);
		if (!year || !month) return [];
		return [{ id, quarter: `${year}-Q${Math.ceil(month / 3)}`, asset, cents: Math.round(Number(cost) * 100) }];
	});
}

/** Cost by asset in one quarter, dearest first, as the cells of a report's table. */
export function costsByAsset(orders: readonly WorkOrder[], quarter: string): string[][] {
	const sums = new Map<string, { cents: number; rows: number }>();
	for (const order of orders) {
		if (order.quarter !== quarter) continue;
		const sum = sums.get(order.asset) ?? { cents: 0, rows: 0 };
		sums.set(order.asset, { cents: sum.cents + order.cents, rows: sum.rows + 1 });
	}
	const sorted = [...sums].sort(([, a], [, b]) => b.cents - a.cents);
	return sorted.map(([asset, { cents, rows }]) => [asset, String(cents / 100), String(rows)]);
}

/** The last quarter but one that holds work orders. */
export function lastFullQuarter(orders: readonly WorkOrder[]): string {
	return [...new Set(orders.map((order) => order.quarter))].sort().at(-2) ?? '';
}
