/**
 * Suite `load`: what our node and credential files cost at n8n's start.
 *
 * Five fresh processes load n8n-core and n8n-workflow, as n8n has when it comes to community packages, then require every
 * file that package.json registers. Time is the median; rssMb is the median growth of the process.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJson, root } from '../examples/setup/places.mjs';

const PROCESSES = 5;

const PROBE = `
	const { NodeHelpers } = require('n8n-workflow');
	require('reflect-metadata');
	require('n8n-core');
	if (!NodeHelpers) throw new Error('n8n-workflow did not load');
	global.gc();
	const files = JSON.parse(process.argv[1]);
	const perFile = {};
	const rssBefore = process.memoryUsage().rss;
	const startedAt = performance.now();
	for (const file of files) {
		const fileStartedAt = performance.now();
		require(file);
		perFile[require('node:path').basename(file, '.js')] = performance.now() - fileStartedAt;
	}
	const ms = performance.now() - startedAt;
	const rssMb = (process.memoryUsage().rss - rssBefore) / 2 ** 20;
	console.log(JSON.stringify({ ms, rssMb, perFile }));
`;

/** @returns {files, msMedian, rssMb, msByFile}; msByFile in the order of loading, shared modules counted with the first file. */
export async function run({ say }) {
	const { nodes, credentials } = readJson(path.join(root, 'package.json')).n8n;
	const files = [...nodes, ...credentials].map((file) => path.join(root, file));
	const missing = files.filter((file) => !existsSync(file));
	if (missing.length > 0) throw new Error(`Not built: ${missing.join(', ')}. Run "npm run build" first.`);
	const runs = Array.from({ length: PROCESSES }, () => measure(files));
	const msByFile = Object.fromEntries(
		Object.keys(runs[0].perFile).map((name) => [name, rounded(median(runs.map((one) => one.perFile[name])))]),
	);
	for (const [name, ms] of Object.entries(msByFile)) say(`${String(ms).padStart(8)} ms  ${name}`);
	const result = {
		files: files.length,
		msMedian: rounded(median(runs.map((one) => one.ms))),
		rssMb: rounded(median(runs.map((one) => one.rssMb))),
		msByFile,
	};
	say(`${result.files} files: ${result.msMedian} ms, ${result.rssMb} MB (median of ${PROCESSES} processes)`);
	return result;
}

function measure(files) {
	const output = execFileSync(process.execPath, ['--expose-gc', '-e', PROBE, JSON.stringify(files)], { cwd: root, encoding: 'utf8' });
	return JSON.parse(output.trim().split('\n').at(-1));
}

function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function rounded(value) {
	return Math.round(value * 100) / 100;
}
