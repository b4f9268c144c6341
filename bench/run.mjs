/**
 * `npm run bench -- <suite> [--data <file>] [--n N] [--kept 0.5,0.2] [--chart <file>] [--json]`: measures one part of the engine.
 *
 * A suite is `bench/<suite>.mjs` and exports `run({data, file, n, kept, chart, modelsFolder, say})`: `data` is the parsed `file` (a list for JSON lines),
 * `say` prints a line for people. What it returns is printed as one JSON object on the last line; with --json it is the only
 * line. Shares are 0..1, times are medians in milliseconds.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureLocalModel } from '../examples/setup/local-model.mjs';
import { cacheFolder } from '../examples/setup/places.mjs';

const folder = import.meta.dirname;

try {
	await main();
} catch (error) {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
}

async function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			data: { type: 'string' },
			n: { type: 'string' },
			kept: { type: 'string' },
			chart: { type: 'string' },
			json: { type: 'boolean', default: false },
		},
	});
	const suite = await loadSuite(positionals[0]);
	if (!existsSync(path.join(folder, '../dist'))) throw new Error('dist/ is missing: run "npm run build" first.');
	const say = (line) => {
		if (!values.json) process.stdout.write(`${line}\n`);
	};
	const result = await suite.run({
		data: values.data === undefined ? undefined : readData(values.data),
		file: values.data,
		n: values.n === undefined ? undefined : readCount(values.n),
		kept: values.kept?.split(',').map(Number),
		chart: values.chart,
		modelsFolder: await ensureLocalModel(cacheFolder(), say),
		say,
	});
	process.stdout.write(`${JSON.stringify(result)}\n`);
}

async function loadSuite(name) {
	const suites = globSync('*.mjs', { cwd: folder })
		.map((file) => path.basename(file, '.mjs'))
		.filter((one) => one !== 'run')
		.sort();
	if (name !== undefined && suites.includes(name)) return await import(path.join(folder, `${name}.mjs`));
	const named = name === undefined ? 'No suite was named' : `There is no suite "${name}"`;
	throw new Error(`${named}. Suites: ${suites.join(', ')}. Usage: npm run bench -- <suite> --data <file>`);
}

function readData(file) {
	const text = readFileSync(file, 'utf8');
	if (!/\.(jsonl|ndjson)$/.test(file)) return JSON.parse(text);
	return text.split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

function readCount(text) {
	const count = Number(text);
	if (Number.isInteger(count) && count > 0) return count;
	throw new Error(`--n ${text} is not a count; give a whole number above 0.`);
}
