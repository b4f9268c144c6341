import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CodedError } from '../core/errors';
import type { Backend } from './protocol';

/** What the child needs of our environment; keys and secrets of n8n stay here. */
const PASSED_ON = ['PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'TZ', 'SystemRoot', 'LD_LIBRARY_PATH', 'OMP_NUM_THREADS'];
const KEPT_CHARACTERS = 4000;

export interface HostProcess {
	readonly child: ChildProcess;
	/** The last things it wrote to stderr, at most 4,000 characters. */
	readonly lastWords: () => string;
}

/**
 * Starts the host process of the local models. It keeps neither n8n nor a test run alive by itself.
 *
 * @param memoryMb  cap for all models together; 0 for none
 * @throws CodedError INTERNAL when the package is not built
 */
export function startHostProcess(backend: Backend, memoryMb = 0, file = hostFile()): HostProcess {
	const child = fork(file, [...(backend === 'wasm' ? ['--wasm'] : []), `--memory=${memoryMb}`], {
		serialization: 'advanced',
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		execArgv: [],
		env: Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
	});
	let words = '';
	child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-KEPT_CHARACTERS)));
	child.unref();
	child.channel?.unref();
	if (child.stderr && 'unref' in child.stderr) (child.stderr as unknown as { unref(): void }).unref();
	return { child, lastWords: () => words };
}

/** Beside this file when built; in dist when this file runs from source. */
function hostFile(): string {
	const places = [path.join(__dirname, 'model-host.js'), path.resolve(__dirname, '../../dist/lib/inference/model-host.js')];
	const found = places.find((file) => existsSync(file));
	if (found) return found;
	throw new CodedError('INTERNAL', `The host process of the local models is missing: ${places[0]}`, {
		remedy: 'Install the package again; from a checkout, run npm run build first.',
	});
}
