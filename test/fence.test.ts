/**
 * The fence around the house: who may import whom, how big things may be, what the package must declare.
 * A failing row names the file and the rule; the rules themselves are in the README, "The map of the house".
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { filesOf, readSources, root, type SourceFile } from './support/source-tree';

const FLOORS: readonly (readonly string[])[] = [
	['core'],
	['text'],
	['shape', 'storage'],
	['inference'],
	['providers', 'react', 'routing', 'toolkits', 'mcp', 'rag', 'compression', 'chat', 'events', 'report'],
	['engine'],
	['n8n'],
	['nodes', 'credentials'],
];
/** Small enough to load with a node file; every other dependency is loaded by the call that needs it. */
const LIGHT_PACKAGES = new Set(['p-limit']);

const sources = readSources('lib/**/*.ts', 'nodes/**/*.ts', 'credentials/**/*.ts');
const byPath = new Map(sources.map((source) => [source.path, source]));
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const roomOf = (file: string): string => (file.startsWith('lib/') ? file.split('/')[1]! : file.split('/')[0]!);
const floorOf = (room: string): number => FLOORS.findIndex((floor) => floor.includes(room));
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

describe('imports', () => {
	it('every room stands on a floor', () => {
		expect([...new Set(sources.map((source) => roomOf(source.path)))].filter((room) => floorOf(room) < 0)).toEqual([]);
	});

	it('a room imports only rooms of lower floors', () => {
		const wrong = sources.flatMap(({ path: file, imports }) =>
			imports.flatMap(({ target }) => {
				if (target === undefined || roomOf(target) === roomOf(file)) return [];
				return floorOf(roomOf(target)) < floorOf(roomOf(file)) ? [] : [`${file} imports ${target}`];
			}),
		);
		expect(wrong).toEqual([]);
	});

	it('relative imports lead to a file', () => {
		const lost = sources.flatMap(({ path: file, imports }) =>
			imports.flatMap(({ target }) => (target && !existsSync(path.join(root, target)) ? [`${file} imports ${target}`] : [])),
		);
		expect(lost).toEqual([]);
	});

	it('no file imports itself through others', () => {
		expect(findCycles()).toEqual([]);
	});

	it('only nodes, credentials and lib/n8n know n8n', () => {
		const wrong = sources.flatMap(({ path: file, imports }) =>
			imports.flatMap(({ specifier }) =>
				/^(n8n-workflow|n8n-core|@n8n\/)/.test(specifier) && floorOf(roomOf(file)) < floorOf('n8n')
					? [`${file} imports ${specifier}`]
					: [],
			),
		);
		expect(wrong).toEqual([]);
	});

	it('loading a node file loads no heavy package', () => {
		const entries = sources.filter((source) => /\.(node|credentials)\.ts$/.test(source.path));
		expect(entries.flatMap((entry) => heavyFrom(entry))).toEqual([]);
	});

	it('every package that is imported is declared', () => {
		const declared = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]);
		const undeclared = sources.flatMap(({ path: file, imports }) =>
			imports.flatMap(({ specifier, target, typeOnly }) =>
				target || typeOnly || specifier.startsWith('node:') || declared.has(packageOf(specifier)) ? [] : [`${file}: ${specifier}`],
			),
		);
		expect(undeclared).toEqual([]);
	});
});

describe('sizes', () => {
	it('no file is over 250 lines, descriptions apart', () => {
		expect(sources.filter((s) => s.lines > 250 && !isDescription(s)).map((s) => `${s.path}: ${s.lines}`)).toEqual([]);
	});

	it('a node class file has at most 80 lines', () => {
		expect(sources.filter((s) => s.path.endsWith('.node.ts') && s.lines > 80).map((s) => `${s.path}: ${s.lines}`)).toEqual([]);
	});

	it('no function is over 60 lines or takes more than 4 parameters', () => {
		const wrong = sources.flatMap((source) =>
			source.functions
				.filter((fn) => fn.lines > 60 || fn.parameters > 4)
				.map((fn) => `${source.path}: ${fn.name}: ${fn.lines} lines, ${fn.parameters} parameters`),
		);
		expect(wrong).toEqual([]);
	});

	it('half of the functions have at most 12 lines, half of the files at most 90', () => {
		expect(median(sources.flatMap((source) => source.functions.map((fn) => fn.lines)))).toBeLessThanOrEqual(12);
		expect(median(sources.filter((s) => !isDescription(s)).map((s) => s.lines))).toBeLessThanOrEqual(90);
	});

	it('no test is over 300 lines', () => {
		expect(readSources('test/**/*.ts').filter((s) => s.lines > 300).map((s) => `${s.path}: ${s.lines}`)).toEqual([]);
	});
});

describe('habits', () => {
	it('every exported function of lib says what it does', () => {
		expect(sources.flatMap((s) => (s.path.startsWith('lib/') ? s.undocumented.map((name) => `${s.path}: ${name}`) : []))).toEqual([]);
	});

	it('nothing is silenced or left for later', () => {
		const marks = new RegExp(['@ts-' + 'ignore', '@ts-' + 'nocheck', 'eslint-' + 'disable', '\\bTO' + 'DO\\b', '\\bFIX' + 'ME\\b'].join('|'));
		const silent = /catch\s*(\(\w+\)\s*)?\{\s*\}/;
		const all = [...sources, ...readSources('test/**/*.ts')];
		expect(all.filter((s) => marks.test(s.text) || silent.test(s.text)).map((s) => s.path)).toEqual([]);
	});

	it('no committed file names a place of this machine', () => {
		const files = filesOf('{lib,nodes,credentials,test,examples,bench,.ci}/**/*.{ts,mjs,cjs,js,json,md}', '*.{json,md,js,mjs}');
		const places = [`${root}/`, `${homedir()}/`];
		const naming = files.filter((file) => {
			const text = readFileSync(path.join(root, file), 'utf8');
			return places.some((place) => text.includes(place));
		});
		expect(naming).toEqual([]);
	});
});

describe('package', () => {
	const folders = [...new Set(filesOf('nodes/*/*.node.ts').map((file) => path.posix.dirname(file)))];

	it('registers every node and every credential, and nothing else', () => {
		const built = (file: string): string => `dist/${file.replace(/\.ts$/, '.js')}`;
		expect([...manifest.n8n.nodes].sort()).toEqual(filesOf('nodes/*/*.node.ts').map(built));
		expect([...manifest.n8n.credentials].sort()).toEqual(filesOf('credentials/*.credentials.ts').map(built));
	});

	it.each(folders)('%s has a description, search words and two icons', (folder) => {
		const name = path.posix.basename(folder);
		const files = filesOf(`${folder}/*`).map((file) => path.posix.basename(file));
		expect(files).toEqual(expect.arrayContaining([`${name}.node.ts`, 'description.ts', `${name}.node.json`]));
		expect(files.filter((file) => file.endsWith('.dark.svg'))).toHaveLength(1);
		expect(files.filter((file) => file.endsWith('.svg'))).toHaveLength(2);
		const codex = JSON.parse(readFileSync(path.join(root, folder, `${name}.node.json`), 'utf8'));
		expect(codex.node).toMatch(/^n8n-nodes-reactengine\./);
		expect(codex.categories).toContain('AI');
		// Without it n8n drops the whole file, silently.
		expect(codex.resources).toEqual({ primaryDocumentation: [{ url: manifest.homepage }] });
		// The editor's search leaves other AI nodes out of workflows that hold no AI node of n8n's own.
		expect(codex.subcategories.AI).toContain('Root Nodes');
		expect(codex.alias.length).toBeGreaterThan(2);
	});

	it('pins every dependency to one version', () => {
		const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
		expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
		expect(Object.values(manifest.peerDependencies)).toEqual(['*', '*']);
	});

	it('has a lock file with a hash for every package and no address', () => {
		const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
		expect(lock).not.toContain('"resolved"');
		const packages = Object.entries<{ integrity?: string; version: string }>(JSON.parse(lock).packages);
		expect(packages.filter(([name, entry]) => name !== '' && !entry.integrity)).toEqual([]);
		for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
			expect([name, JSON.parse(lock).packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
		}
	});
});

function isDescription(source: SourceFile): boolean {
	return source.path.endsWith('/description.ts') || source.path.endsWith('.credentials.ts');
}

/** Heavy packages that come along when the file is loaded, each with the file that imports it. */
function heavyFrom(entry: SourceFile): string[] {
	const seen = new Set<string>();
	const found: string[] = [];
	const walk = (file: SourceFile): void => {
		if (seen.has(file.path)) return;
		seen.add(file.path);
		for (const { specifier, target, typeOnly, lazy } of file.imports) {
			if (typeOnly || lazy) continue;
			const next = target === undefined ? undefined : byPath.get(target);
			if (next) walk(next);
			else if (isHeavy(specifier)) found.push(`${entry.path} loads ${specifier} through ${file.path}`);
		}
	};
	walk(entry);
	return found;
}

function isHeavy(specifier: string): boolean {
	if (specifier.startsWith('.') || specifier.startsWith('node:') || specifier === 'n8n-workflow') return false;
	return !LIGHT_PACKAGES.has(packageOf(specifier));
}

function findCycles(): string[] {
	const state = new Map<string, 'open' | 'done'>();
	const cycles: string[] = [];
	const walk = (file: string, trail: readonly string[]): void => {
		if (state.get(file) === 'done') return;
		if (state.get(file) === 'open') {
			cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
			return;
		}
		state.set(file, 'open');
		for (const { target } of byPath.get(file)?.imports ?? []) if (target) walk(target, [...trail, file]);
		state.set(file, 'done');
	};
	for (const file of byPath.keys()) walk(file, []);
	return cycles;
}
