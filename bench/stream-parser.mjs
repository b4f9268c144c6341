/**
 * Suite `stream-parser`: ReActStreamParser over one megabyte of text, cut into chunks.
 *
 * `mbPerS` and `ratioToScan` are for a transcript like those that models write, in chunks of 64 characters; `byChunk` gives them for
 * other sizes too. The baseline is a plain loop over `charCodeAt` of the same chunks. `worstMs1Mb` is the slowest of the texts made to
 * hurt, over all chunk sizes. Times are medians of five runs after a warm-up.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const SIZE = 2 ** 20;
const CHUNKS = [4, 16, 64, 4096];
const RUNS = 5;

const REPLY = `Thought: The stock of seals decides, so I look it up first.
Action: stock_lookup
Action Input: {"reference": "N-92c", "site": "north", "include": ["ordered", "reserved"]}
Observation: 36 pieces, 4 of them reserved

<think>36 - 4 = 32, which is enough for three machines.</think>
**Pensée :** Le stock suffit pour les trois machines.
Final Answer: There are 32 seals left. Three machines need 4 each: nothing has to be ordered.

| machine | seals |
|---|---|
| EX-104 | 4 |
`;

const ADVERSARIAL = {
	'one line': 'a',
	'line ends': '\n',
	marks: '*',
	'half labels': 'Action\n',
	labels: 'Action:\n',
	'labels in French': "Entrée de l'action :\n",
	'almost labels': 'Action Input of the',
	'open tags': '<think',
	'closing tags': '</think>',
	'tags one after another': '<think></think>',
	'angle brackets': '<',
	blanks: ' ',
};

export async function run({ say }) {
	const { ReActStreamParser } = require('../dist/lib/react/stream-parser.js');
	const parse = (chunks) => {
		const parser = new ReActStreamParser();
		let events = 0;
		for (const chunk of chunks) events += parser.push(chunk).length;
		return events + parser.flush().length;
	};
	const byChunk = Object.fromEntries(CHUNKS.map((size) => [size, compare(parse, cut(filled(REPLY), size))]));
	for (const [size, { mbPerS, ratioToScan }] of Object.entries(byChunk)) say(`chunks of ${size}: ${mbPerS} MB/s, ${ratioToScan} × a scan`);
	const msByText = {};
	for (const [name, piece] of Object.entries(ADVERSARIAL)) {
		msByText[name] = round(Math.max(...CHUNKS.map((size) => medianMs(parse, cut(filled(piece), size)))));
		say(`${name.padEnd(24)} ${msByText[name]} ms`);
	}
	return { ...byChunk[64], worstMs1Mb: Math.max(...Object.values(msByText)), byChunk, msByText };
}

function compare(parse, chunks) {
	const parseMs = medianMs(parse, chunks);
	return { mbPerS: round(1000 / parseMs), ratioToScan: round(parseMs / medianMs(scan, chunks)) };
}

function scan(chunks) {
	let sum = 0;
	for (const chunk of chunks) for (let at = 0; at < chunk.length; at++) sum = (sum + chunk.charCodeAt(at)) | 0;
	return sum;
}

function medianMs(work, chunks) {
	work(chunks);
	const times = Array.from({ length: RUNS }, () => {
		const from = performance.now();
		work(chunks);
		return performance.now() - from;
	});
	return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
}

function filled(piece) {
	return piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
}

function cut(text, size) {
	return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

function round(value) {
	return Math.round(value * 100) / 100;
}
