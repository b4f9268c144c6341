/**
 * Suite contract: runs the contract that every chat model is held to, on every provider, and writes its table to
 * docs/chat-model-contract.md. Needs no data. A case that fails is an error with the output of the run.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const TABLE = 'docs/chat-model-contract.md';

export async function run({ say }) {
	const jest = ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules', path.join(root, 'node_modules/jest/bin/jest.js')];
	const args = [...jest, '--selectProjects', 'fast', '--runInBand', '--testPathPatterns', 'test/providers/chat-model.test.ts'];
	const done = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { ...process.env, REACTENGINE_WRITE_TABLE: '1' } });
	if (done.status !== 0) throw new Error(`The contract does not hold.\n${done.stderr}`);
	const table = readFileSync(path.join(root, TABLE), 'utf8');
	say(table);
	const rows = table.split('\n').filter((line) => line.startsWith('| ')).slice(2);
	const count = (what) => rows.join('\n').split(`| ${what}`).length - 1;
	return { file: TABLE, cases: rows.length, providers: rows[0].split(' | ').length - 1, passes: count('passes'), doesNotApply: count('does not apply'), fails: count('fails') };
}
