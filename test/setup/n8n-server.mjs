import { createWriteStream, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureLocalModel } from '../../examples/setup/local-model.mjs';
import { ensureN8n, startN8n } from '../../examples/setup/n8n-host.mjs';
import { connect } from '../../examples/setup/n8n-api.mjs';
import { installPackage } from '../../examples/setup/package-install.mjs';
import { cacheFolder, root } from '../../examples/setup/places.mjs';
import { freePort } from '../../examples/setup/processes.mjs';
import { prepareUserFolder } from '../../examples/setup/user-folder.mjs';

/** Starts one real n8n with the packed package in a new user folder; the tests find it through REACTENGINE_N8N. */
export default async function startServer() {
	if (!existsSync(path.join(root, 'dist'))) throw new Error('dist/ is missing: run "npm run build" first.');
	const say = (line) => process.stdout.write(`${line}\n`);
	const folder = await ensureN8n(cacheFolder(), say);
	const modelsFolder = await ensureLocalModel(cacheFolder(), say);
	const nodes = await installPackage(cacheFolder(), say);
	const user = await prepareUserFolder(mkdtempSync(path.join(tmpdir(), 'reactengine-n8n-')), nodes, modelsFolder);
	mkdirSync(path.join(root, '.pictures'), { recursive: true });
	const log = createWriteStream(path.join(user.folder, 'n8n.log'));
	const server = await startN8n({ folder, environment: user.environment, port: await freePort(), log: (text) => log.write(text) });
	globalThis.reactengineServer = { server, userFolder: user.folder };
	await connect(server.url, user.login);
	process.env.REACTENGINE_N8N = JSON.stringify({ url: server.url, hostFolder: folder, modelsFolder, nodes, user });
}
