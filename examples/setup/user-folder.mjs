/** An n8n user folder of our own: nothing of a user's other n8n is read or changed. */
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './processes.mjs';
import { root } from './places.mjs';

/**
 * Makes or reuses a user folder, with the package linked into it.
 *
 * @param folder        its place; n8n keeps everything in `<folder>/.n8n`, reports go to `<folder>/reports`
 * @param nodes         from installPackage
 * @param modelsFolder  from ensureLocalModel; absent leaves the local models out
 * @returns       the environment for n8n and the login of the owner
 */
export async function prepareUserFolder(folder, nodes, modelsFolder) {
	const home = path.join(folder, '.n8n');
	const reports = path.join(folder, 'reports');
	mkdirSync(home, { recursive: true });
	mkdirSync(reports, { recursive: true });
	link(path.join(home, 'nodes'), nodes);
	if (modelsFolder) link(path.join(home, 'reactengine/models'), modelsFolder);
	const secrets = readSecrets(path.join(folder, 'secrets.json'));
	return {
		folder,
		reports,
		login: { email: 'owner@example.com', password: secrets.password, firstName: 'Example', lastName: 'Owner' },
		environment: await environmentOf(folder, reports, secrets),
	};
}

function link(place, target) {
	if (existsSync(place) && !lstatSync(place).isSymbolicLink()) throw new Error(`${place} is a folder; remove it and start again.`);
	mkdirSync(path.dirname(place), { recursive: true });
	rmSync(place, { force: true });
	symlinkSync(target, place);
}

function readSecrets(file) {
	if (!existsSync(file)) {
		const made = { encryptionKey: randomBytes(24).toString('hex'), password: `Demo-${randomBytes(6).toString('hex')}` };
		writeFileSync(file, JSON.stringify(made, null, 2), { mode: 0o600 });
	}
	return JSON.parse(readFileSync(file, 'utf8'));
}

async function environmentOf(folder, reports, secrets) {
	const off = [
		'N8N_DIAGNOSTICS_ENABLED',
		'N8N_DYNAMIC_BANNERS_ENABLED',
		'N8N_HIRING_BANNER_ENABLED',
		'N8N_PERSONALIZATION_ENABLED',
		'N8N_TEMPLATES_ENABLED',
		'N8N_VERIFIED_PACKAGES_ENABLED',
		'N8N_VERSION_NOTIFICATIONS_ENABLED',
		'N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED',
		'N8N_SECURE_COOKIE',
	];
	return {
		...Object.fromEntries(off.map((name) => [name, 'false'])),
		N8N_USER_FOLDER: folder,
		N8N_ENCRYPTION_KEY: secrets.encryptionKey,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_DISABLED_MODULES: 'mcp-registry',
		N8N_RESTRICT_FILE_ACCESS_TO: [path.join(root, 'examples'), reports].join(';'),
		// An execution that waits for a person survives a restart of n8n only in this mode.
		N8N_EVENTBUS_RECOVERY_MODE: 'simple',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		N8N_LOG_LEVEL: 'info',
		NO_COLOR: '1',
	};
}
