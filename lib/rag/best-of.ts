/**
 * The positions of the `count` highest scores above `floor`, best first; ties keep the order of `scores`. NaN is never taken. One
 * pass, whatever the size.
 */
export function bestOf(scores: ArrayLike<number>, count: number, floor = -Infinity): number[] {
	const best: number[] = [];
	const at = (position: number): number => scores[position] as number;
	let worst = floor;
	for (let position = 0; position < scores.length; position++) {
		if (!(at(position) > worst)) continue;
		let low = 0;
		let high = best.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (at(best[middle] as number) >= at(position)) low = middle + 1;
			else high = middle;
		}
		best.splice(low, 0, position);
		if (best.length > count) best.pop();
		if (best.length === count) worst = at(best[count - 1] as number);
	}
	return best;
}

/** The position of a number in ascending ones; -1 when it is not there. */
export function placeOf(ascending: Int32Array, wanted: number): number {
	let low = 0;
	let high = ascending.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((ascending[middle] as number) < wanted) low = middle + 1;
		else high = middle;
	}
	return ascending[low] === wanted ? low : -1;
}
