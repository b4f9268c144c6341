/**
 * Installs this package as n8n's community-nodes screen does: the packed tarball, dev, peer and optional dependencies stripped,
 * its dependencies fetched without lock file and without scripts.
 *
 * It lies in the cache folder, outside the checkout: n8n follows links to the real place, and from a place inside the checkout
 * Node would find the checkout's own node_modules, which hides missing dependencies and gives n8n a second copy of its libraries.
 */
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { runCommand } from './processes.mjs';
import { packageName, readJson, root } from './places.mjs';

const KEEP_MS = 3 * 24 * 3600 * 1000;
const INSTALL_FLAGS = ['--audit=false', '--fund=false', '--bin-links=false', '--install-strategy=shallow', '--ignore-scripts=true', '--package-lock=false'];

/**
 * Packs dist/ and installs it; both steps are left out when nothing has changed.
 *
 * @returns the folder to use as `.n8n/nodes` of a user folder
 */
export async function installPackage(cacheFolder, say) {
	const installs = path.join(cacheFolder, 'installed');
	mkdirSync(installs, { recursive: true });
	const work = mkdtempSync(path.join(installs, 'work-'));
	try {
		const unpacked = await packAndUnpack(work, say);
		const manifest = stripManifest(unpacked);
		const dependencies = await installDependencies(installs, work, { manifest, say });
		const nodes = path.join(installs, `package-${hashOfFolder(unpacked)}`);
		if (!existsSync(nodes)) {
			symlinkSync(dependencies, path.join(unpacked, 'node_modules'));
			const next = path.join(work, 'nodes');
			mkdirSync(path.join(next, 'node_modules'), { recursive: true });
			renameSync(unpacked, path.join(next, 'node_modules', packageName));
			writeFileSync(
				path.join(next, 'package.json'),
				JSON.stringify({ name: 'installed-nodes', private: true, dependencies: { [packageName]: manifest.version } }),
			);
			renameSync(next, nodes);
		}
		removeOld(installs, [nodes, path.dirname(dependencies)]);
		return nodes;
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}

async function packAndUnpack(work, say) {
	await runCommand('npm', ['pack', '--ignore-scripts', '--pack-destination', work], { cwd: root, say, what: 'packing' });
	const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
	await runCommand('tar', ['-xzf', tarball], { cwd: work, what: 'unpacking' });
	return path.join(work, 'package');
}

function stripManifest(folder) {
	const file = path.join(folder, 'package.json');
	const { devDependencies, peerDependencies, optionalDependencies, ...manifest } = readJson(file);
	writeFileSync(file, JSON.stringify(manifest, null, 2));
	return manifest;
}

/** Our dependencies change rarely and weigh 550 MB: each set of them is installed once and linked. */
async function installDependencies(installs, work, { manifest, say }) {
	const hash = createHash('sha256').update(JSON.stringify(manifest.dependencies)).digest('hex').slice(0, 16);
	const folder = path.join(installs, `dependencies-${hash}`);
	if (!existsSync(folder)) {
		say('Installing the package and its dependencies the way n8n does: about 550 MB, half a minute to three minutes.');
		const next = path.join(work, 'dependencies');
		mkdirSync(next);
		cpSync(path.join(work, 'package/package.json'), path.join(next, 'package.json'));
		await runCommand('npm', ['install', ...INSTALL_FLAGS], { cwd: next, say, what: 'installing the package' });
		renameSync(next, folder);
	}
	return path.join(folder, 'node_modules');
}

function hashOfFolder(folder) {
	const hash = createHash('sha256');
	for (const file of readdirSync(folder, { recursive: true }).sort()) {
		const full = path.join(folder, file);
		if (statSync(full).isFile()) hash.update(file).update('\0').update(readFileSync(full)).update('\0');
	}
	return hash.digest('hex').slice(0, 16);
}

/** Older installs are removed after some days, so that an n8n which still runs on one keeps its files. */
function removeOld(installs, kept) {
	const now = new Date();
	for (const folder of kept) utimesSync(folder, now, now);
	for (const name of readdirSync(installs)) {
		const folder = path.join(installs, name);
		if (!kept.includes(folder) && Date.now() - statSync(folder).mtimeMs > KEEP_MS) rmSync(folder, { recursive: true, force: true });
	}
}
