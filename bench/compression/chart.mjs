const WIDTH = 560;
const HEIGHT = 320;
const LEFT = 48;
const RIGHT = 150;
const TOP = 34;
const BOTTOM = 44;
const LINES = {
	default: ['ours', '#d9480f'],
	words: ['ours, words only', '#f59f00'],
	bm25StemmedTitle: ['BM25, stems + title', '#1971c2'],
	blend: ['BM25 + cosine', '#2f9e44'],
	cosine: ['cosine of sentences', '#868e96'],
	embeddingsFilter: ['passages by cosine', '#9c36b5'],
};

/** Kept characters → kept evidence as a small drawing that is readable on light and dark pages. */
export function chartOf(results, file) {
	const lines = Object.entries(LINES).map(([name, [label, colour]]) => ({ label, colour, points: [...results[name]].sort((a, b) => a.kept - b.kept) }));
	const lowest = Math.floor(Math.min(...lines.flatMap(({ points }) => points.map(({ evidence }) => evidence))) * 10) / 10;
	const x = (kept) => LEFT + ((kept - 0.1) / 0.45) * (WIDTH - LEFT - RIGHT);
	const y = (evidence) => HEIGHT - BOTTOM - ((evidence - lowest) / (1 - lowest)) * (HEIGHT - TOP - BOTTOM);
	const grid = gridOf(lowest, x, y);
	const labels = spread(lines.map(({ points }) => y(points.at(-1).evidence)));
	const drawn = lines.map(({ label, colour, points }, at) => {
		const places = points.map((one) => `${round(x(one.kept))},${round(y(one.evidence))}`);
		const dots = places.map((place) => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="2.5" fill="${colour}"/>`).join('');
		const name = `<text x="${WIDTH - RIGHT + 8}" y="${round(labels[at] + 4)}" fill="${colour}">${label}</text>`;
		return `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${name}`;
	});
	const title = `<text x="${LEFT}" y="18" font-weight="bold">Evidence kept by characters kept: ${nameOf(file)}</text>`;
	const style = 'font-family="sans-serif" font-size="12" fill="#7a7f85"';
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" ${style}>\n${[title, ...grid, ...drawn].join('\n')}\n</svg>\n`;
}

function gridOf(lowest, x, y) {
	const grid = [];
	for (let value = lowest; value <= 1.001; value += 0.1) {
		grid.push(`<path d="M${LEFT} ${round(y(value))}H${WIDTH - RIGHT}" stroke="#adb5bd" stroke-width="0.5"/>`);
		grid.push(`<text x="${LEFT - 6}" y="${round(y(value) + 4)}" text-anchor="end">${Math.round(value * 100)} %</text>`);
	}
	for (const value of [0.1, 0.2, 0.3, 0.4, 0.5]) grid.push(`<text x="${round(x(value))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${value * 100} %</text>`);
	grid.push(`<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">characters kept</text>`);
	return grid;
}

/** Places of labels, moved apart where they would stand on each other. */
function spread(places) {
	const order = [...places.keys()].sort((a, b) => places[a] - places[b]);
	const moved = [...places];
	order.forEach((at, position) => {
		if (position > 0) moved[at] = Math.max(moved[at], moved[order[position - 1]] + 14);
	});
	return moved;
}

const nameOf = (file) => String(file ?? '').split('/').at(-1).replace(/\.json$/, '');
const round = (value) => Math.round(value * 10) / 10;
