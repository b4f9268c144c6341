/**
 * `npm start [-- --once] [-- --port 5678]`: a real n8n with this package, and one Maintenance report.
 *
 * Without --once it keeps running until Ctrl-C. Exit codes: 0 report made, 1 something failed (the message says what to do).
 */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
	process.stderr.write(`Node ${process.versions.node} is too old for n8n. Run "npm ci", then "npm start": npm then uses the Node 24 that it fetched.\n`);
	process.exit(1);
}

const { keepAddress } = await import('./setup/address.mjs');
const { buildPackage } = await import('./setup/build-package.mjs');
const { chooseModel } = await import('./setup/choose-model.mjs');
const { connect } = await import('./setup/n8n-api.mjs');
const { ensureLocalModel } = await import('./setup/local-model.mjs');
const { ensureN8n, startN8n } = await import('./setup/n8n-host.mjs');
const { chatAddress, importExamples, runExamples } = await import('./setup/examples.mjs');
const { installPackage } = await import('./setup/package-install.mjs');
const { isPortFree } = await import('./setup/processes.mjs');
const { prepareUserFolder } = await import('./setup/user-folder.mjs');
const { cacheFolder, root } = await import('./setup/places.mjs');

const say = (line) => process.stdout.write(`${line}\n`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end(signal === 'SIGINT' ? 0 : 1));
let n8n;
let ending = false;

try {
	await start(readArguments());
} catch (error) {
	process.stderr.write(`\n${error.message}\n`);
	await end(1);
}

async function start({ once, port }) {
	if (!(await isPortFree(port))) throw new Error(`Port ${port} is taken. Choose another: npm start -- --port ${port + 1}`);
	const model = await chooseModel(process.env);
	say('Building the package.');
	buildPackage();
	const folder = await ensureN8n(cacheFolder(), say);
	const modelsFolder = await ensureLocalModel(cacheFolder(), say);
	const nodes = await installPackage(cacheFolder(), say);
	const user = await prepareUserFolder(path.join(root, '.n8n-demo'), nodes, modelsFolder);
	say(`Starting n8n on http://127.0.0.1:${port} (up to a minute at the first start).`);
	const logFile = path.join(user.folder, 'n8n.log');
	const log = createWriteStream(logFile);
	n8n = await startN8n({ folder, environment: user.environment, port, log: (text) => log.write(text) });
	keepAddress(user.folder, n8n.url);
	const call = await connect(n8n.url, user.login);
	await importExamples(call, { url: n8n.url, user, model, say });
	say(`\n${model.sentence}\n`);
	const succeeded = await runExamples(call, { url: n8n.url, user, model, say });
	if (once) say('\nStart again without --once to open the editor.');
	else say(`\nEditor: ${n8n.url}\nChat:   ${chatAddress(n8n.url)}\nLogin:  ${user.login.email}\nPassword: ${user.login.password}\nLog:    ${logFile}`);
	if (once || !succeeded) return await end(succeeded ? 0 : 1);
	say('\nn8n keeps running. End it with Ctrl-C.');
	await n8n.ended;
	await end(1);
}

function readArguments() {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false }, port: { type: 'string', default: '5678' } } });
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${values.port} is not a port; give a number from 1 to 65535.`);
	return { once: values.once, port };
}

/** Ends n8n, then this process; only the first call counts. */
async function end(code) {
	if (ending) return;
	ending = true;
	await n8n?.stop();
	process.exit(code);
}
