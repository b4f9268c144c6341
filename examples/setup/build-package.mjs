/**
 * `npm run build`: compiles nodes, credentials and lib to dist/ and copies icons and codex files beside them.
 *
 * The new dist replaces the old one in one step, after the compiler has succeeded: a failing build leaves the last good one.
 * Node files load their engine when they first run, not when n8n starts: see `loadLazily`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');

/** Builds dist/; throws with the compiler's messages when the types do not fit. */
export function buildPackage() {
	// Of this process: two builds at once would mix their files.
	const next = path.join(root, `node_modules/.cache/reactengine-build-${process.pid}`);
	rmSync(next, { recursive: true, force: true });
	const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
	const compiled = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', next], {
		cwd: root,
		encoding: 'utf8',
	});
	if (compiled.status !== 0) {
		rmSync(next, { recursive: true, force: true });
		throw new Error(`The build failed.\n${compiled.stdout}${compiled.stderr}`);
	}
	for (const file of globSync('{nodes,credentials}/**/*.{svg,png,json}', { cwd: root })) {
		mkdirSync(path.dirname(path.join(next, file)), { recursive: true });
		cpSync(path.join(root, file), path.join(next, file));
	}
	for (const file of globSync('nodes/*/*.node.js', { cwd: next })) {
		const compiledFile = path.join(next, file);
		writeFileSync(compiledFile, loadLazily(readFileSync(compiledFile, 'utf8')));
	}
	rmSync(path.join(root, 'dist'), { recursive: true, force: true });
	renameSync(next, path.join(root, 'dist'));
}

/**
 * Puts off the loading of a compiled node's own modules, its description apart, until they are used.
 *
 * n8n requires every community node file at its start, used or not; the engine behind them is some 200 files. The compiler
 * writes each import as one line and each use as `name_1.member`, so that both can be rewritten by name.
 */
function loadLazily(code) {
	const imports = [...code.matchAll(/^const (\w+) = require\("(\.[^"]+)"\);$/gm)].filter(([, , from]) => from !== './description');
	return imports.reduce(
		(text, [line, name, from]) =>
			text
				.replaceAll(`${name}.`, `${name}().`)
				.replace(line, `let ${name}_loaded;\nconst ${name} = () => (${name}_loaded ??= require("${from}"));`),
		code,
	);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	try {
		buildPackage();
	} catch (error) {
		process.stderr.write(`${error.message}\n`);
		process.exitCode = 1;
	}
}
