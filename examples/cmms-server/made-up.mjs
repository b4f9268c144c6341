/**
 * Parts stock and meter readings for the machines of the work orders. MADE UP: no such data was published with the work
 * orders. Computed by fixed rules from the names and dates alone, so they are the same at every start.
 */
import { createHash } from 'node:crypto';

const PARTS = [
	['BT', 'bucket tooth', 4200, 7],
	['HH', 'hydraulic hose', 18550, 3],
	['CS', 'cylinder seal kit', 31200, 10],
	['FU', 'fuel filter', 2890, 2],
	['AC', 'air conditioning compressor', 96500, 21],
	['TR', 'track roller', 74000, 14],
	['LT', 'work light', 6400, 4],
	['SM', 'swing motor seal', 22750, 12],
];

/** A number from 0 to size - 1 that depends on the text only. */
function pick(text, size) {
	return createHash('sha256').update(text).digest().readUInt32BE(0) % size;
}

/** Rows of the table parts: reference, name, asset, in stock, minimum, price in cents, delivery time in days. */
export function makeParts(orders) {
	return assetsOf(orders).flatMap((asset) =>
		PARTS.map(([code, name, price, days]) => {
			const reference = `${code}-${asset}${10 + pick(`${code}${asset}`, 89)}`;
			return [reference, name, asset, pick(`stock ${reference}`, 7), 1 + pick(`minimum ${reference}`, 3), price, days];
		}),
	);
}

/** Rows of the table meter_readings: asset, first day of a month, engine hours; one a month from the first to the last order. */
export function makeMeterReadings(orders) {
	return assetsOf(orders).flatMap((asset) => {
		const dates = orders.filter((order) => order.asset === asset).map((order) => order.date).sort();
		let hours = 0;
		return monthsBetween(dates[0], dates.at(-1)).map((month) => {
			hours += 280 + pick(`hours ${asset} ${month}`, 220);
			return [asset, `${month}-01`, hours];
		});
	});
}

function assetsOf(orders) {
	return [...new Set(orders.map((order) => order.asset))].sort();
}

function monthsBetween(first, last) {
	const months = [];
	let [year, month] = first.split('-').map(Number);
	for (;;) {
		const name = `${year}-${String(month).padStart(2, '0')}`;
		if (name > last.slice(0, 7)) return months;
		months.push(name);
		[year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
	}
}
