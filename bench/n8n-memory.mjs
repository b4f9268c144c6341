/**
 * Suite n8n-memory: resident memory of a real n8n with and without local models, `--n N` texts (default 200) put into a knowledge base.
 *
 * The same n8n indexes them by words alone first (the baseline, `wordsMb`), then with the local encoder (`modelMb`), which lives in a
 * process of its own (`hostMb`). `ratio` is n8n's memory with the model over without. Linux only.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importWorkflow } from '../examples/setup/import-workflows.mjs';
import { connect } from '../examples/setup/n8n-api.mjs';
import { ensureN8n, startN8n } from '../examples/setup/n8n-host.mjs';
import { installPackage } from '../examples/setup/package-install.mjs';
import { cacheFolder } from '../examples/setup/places.mjs';
import { freePort } from '../examples/setup/processes.mjs';
import { callWebhook } from '../examples/setup/run-workflow.mjs';
import { prepareUserFolder } from '../examples/setup/user-folder.mjs';

const MODEL = { provider: 'local', localModel: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4' };

export async function run({ n = 200, modelsFolder, say }) {
	const folder = await ensureN8n(cacheFolder(), say);
	const user = await prepareUserFolder(mkdtempSync(path.join(tmpdir(), 'bench-n8n-')), await installPackage(cacheFolder(), say), modelsFolder);
	const server = await startN8n({ folder, environment: { ...user.environment, N8N_LOG_LEVEL: 'warn' }, port: await freePort(), log: () => undefined });
	try {
		const call = await connect(server.url, user.login);
		const startMb = rssMb(server.pid);
		const wordsMb = await afterIndexing(call, { server, user, n, embeddings: false });
		const modelMb = await afterIndexing(call, { server, user, n, embeddings: true });
		const hostMb = childrenOf(server.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('model-host')).map(rssMb)[0];
		return { texts: n, startMb, wordsMb, modelMb, ratio: Math.round((modelMb / wordsMb) * 100) / 100, hostMb };
	} finally {
		await server.stop();
		rmSync(user.folder, { recursive: true, force: true });
	}
}

async function afterIndexing(call, { server, user, n, embeddings }) {
	const name = embeddings ? 'model' : 'words';
	await importWorkflow(call, workflowOf(name, embeddings), { credentialIds: new Map(), recordFile: path.join(user.folder, 'imported.json') });
	const texts = Array.from({ length: n }, (_, at) => `Work order ${at}: pump ${at % 17} leaks oil at the seal, replaced and checked under pressure.`);
	const { status, body } = await callWebhook(server.url, `memory-${name}`, { texts });
	if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body).slice(0, 500)}`);
	return rssMb(server.pid);
}

function workflowOf(name, embeddings) {
	const nodes = [
		{ name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: `memory-${name}`,
			parameters: { httpMethod: 'POST', path: `memory-${name}`, responseMode: 'lastNode', options: {} } },
		{ name: 'Texts', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.texts', options: { destinationFieldName: 'text' } } },
		{ name: 'Index', type: 'n8n-nodes-reactengine.ragIndex', typeVersion: 1, parameters: { knowledgeBase: `memory-${name}`, documentId: '={{ $itemIndex }}', options: {} } },
		...(embeddings ? [{ name: 'Embeddings', type: 'n8n-nodes-reactengine.embeddings', typeVersion: 1, parameters: MODEL }] : []),
	];
	const link = (to, type) => ({ [type]: [[{ node: to, type, index: 0 }]] });
	return {
		id: `benchMemory${name}`.slice(0, 16),
		name: `Bench memory ${name}`,
		nodes: nodes.map((node, at) => ({ id: `${name}-${at}`, position: [at * 200, 0], ...node })),
		connections: { Webhook: link('Texts', 'main'), Texts: link('Index', 'main'), ...(embeddings ? { Embeddings: link('Index', 'ai_embedding') } : {}) },
		settings: { executionOrder: 'v1' },
	};
}

function rssMb(pid) {
	return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}

/** Processes whose parent is `pid`. */
function childrenOf(pid) {
	return globSync('/proc/[0-9]*/stat').flatMap((file) => {
		try {
			const [, parent] = readFileSync(file, 'utf8').split(') ')[1].split(' ');
			return Number(parent) === pid ? [Number(file.split('/')[2])] : [];
		} catch {
			// It ended meanwhile.
			return [];
		}
	});
}
