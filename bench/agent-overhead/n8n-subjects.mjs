/** Agents in a real n8n, each a published workflow that is called by its webhook. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importCredentials, importWorkflow } from '../../examples/setup/import-workflows.mjs';
import { connect } from '../../examples/setup/n8n-api.mjs';
import { ensureN8n, startN8n } from '../../examples/setup/n8n-host.mjs';
import { installPackage } from '../../examples/setup/package-install.mjs';
import { cacheFolder } from '../../examples/setup/places.mjs';
import { freePort } from '../../examples/setup/processes.mjs';
import { callWebhook } from '../../examples/setup/run-workflow.mjs';
import { prepareUserFolder } from '../../examples/setup/user-folder.mjs';

const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
const MODEL = { __rl: true, mode: 'id', value: 'bench-model' };

/** @returns {run: {name: (steps) => Promise}, cpuMs(), stop()} */
export async function startN8nSubjects(modelUrl, say) {
	const folder = await ensureN8n(cacheFolder(), say);
	const user = await prepareUserFolder(mkdtempSync(path.join(tmpdir(), 'bench-n8n-')), await installPackage(cacheFolder(), say));
	const server = await startN8n({ folder, environment: { ...user.environment, N8N_LOG_LEVEL: 'warn' }, port: await freePort(), log: () => undefined });
	const stop = async () => {
		await server.stop();
		rmSync(user.folder, { recursive: true, force: true });
	};
	try {
		return { run: await publishAll(server.url, user, modelUrl), stop, cpuMs: () => cpuMsOf(server.pid) };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Processor time of a process so far, in steps of 10 ms; 0 where there is no /proc. */
function cpuMsOf(pid) {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return 0;
	const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function publishAll(url, user, modelUrl) {
	const call = await connect(url, user.login);
	const credentialIds = await importCredentials(call, [{ name: 'Bench', type: 'openAiApi', data: { apiKey: 'none', url: `${modelUrl}/v1` } }]);
	const recordFile = path.join(user.folder, 'imported.json');
	const agents = { node: ['reActAgent', 'ours'], n8n: [`${LANGCHAIN}agent`, 'theirs'], n8nWithOurModel: [`${LANGCHAIN}agent`, 'ours'], nodeWithTheirModel: ['reActAgent', 'theirs'] };
	const run = {};
	for (const [name, [agent, model]] of Object.entries(agents)) {
		await importWorkflow(call, workflowOf(name, agent, model === 'ours' ? ourModel(modelUrl) : theirModel), { credentialIds, recordFile });
		run[name] = (steps) => runOnce(url, name, steps);
	}
	return run;
}

async function runOnce(url, name, steps) {
	const { status, body } = await callWebhook(url, `bench-${name}`.toLowerCase(), { query: `Calculate in ${steps} steps.` });
	if (status !== 200 || body.output !== `Done after ${steps} steps.`) throw new Error(`${name}: ${status} ${JSON.stringify(body).slice(0, 500)}`);
}

const ourModel = (modelUrl) => ({
	type: 'n8n-nodes-reactengine.chatModel',
	typeVersion: 1,
	parameters: { provider: 'openai-compatible', preset: 'generic', authentication: 'none', baseUrl: `${modelUrl}/v1`, model: MODEL, options: {} },
});

const theirModel = {
	type: `${LANGCHAIN}lmChatOpenAi`,
	typeVersion: 1.2,
	parameters: { model: MODEL, options: { temperature: 0 } },
	credentials: { openAiApi: { name: 'Bench' } },
};

function workflowOf(name, agent, model) {
	const query = '={{ $json.body.query }}';
	const agentParameters = agent === 'reActAgent'
		? { query, options: { maxSteps: 100 } }
		: { promptType: 'define', text: query, options: { maxIterations: 100, enableStreaming: false } };
	const nodes = [
		{ name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: `bench-${name}`,
			parameters: { httpMethod: 'POST', path: `bench-${name}`.toLowerCase(), responseMode: 'lastNode', options: {} } },
		{ name: 'Agent', type: agent.includes('.') ? agent : `n8n-nodes-reactengine.${agent}`, typeVersion: agent.includes('.') ? 3.1 : 1, parameters: agentParameters },
		{ name: 'Model', ...model },
		{ name: 'Tools', type: 'n8n-nodes-reactengine.generalToolkit', typeVersion: 1, parameters: { groups: ['arithmetic'], options: {} } },
	];
	const link = (to, type) => ({ [type]: [[{ node: to, type, index: 0 }]] });
	return {
		id: `bench${name}`.padEnd(16, '0').slice(0, 16),
		name: `Bench ${name}`,
		nodes: nodes.map((node, at) => ({ id: `${name}-${at}`, position: [at * 200, 0], ...node })),
		connections: { Webhook: link('Agent', 'main'), Model: link('Agent', 'ai_languageModel'), Tools: link('Agent', 'ai_tool') },
		settings: { executionOrder: 'v1' },
	};
}
