/** The example workflows: fitted to this machine and to the model that was chosen, imported, and run once. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureTable } from './data-table.mjs';
import { importCredentials, importWorkflow } from './import-workflows.mjs';
import { readJson, root } from './places.mjs';
import { callWebhook, lastExecution } from './run-workflow.mjs';

const workflows = path.join(root, 'examples/workflows');
const MODEL_TYPE = 'n8n-nodes-reactengine.chatModel';
const MODEL_NODE = 'Chat Model';
/** All examples in the order in which they are of use: [{file, id, title, credentials?, draft?, table?, event?}], see workflows/index.json. */
export const EXAMPLES = readJson(path.join(workflows, 'index.json'));

/**
 * Reads an example and fits it: folders in place of EXAMPLES_FOLDER and REPORTS_FOLDER, the address of n8n in place of N8N_ADDRESS, and
 * the chosen model in every Chat Model node.
 *
 * @param name     the `file` of one of EXAMPLES
 * @param model    from chooseModel
 * @param reports  folder for the reports
 * @param url      address of n8n; only for examples that name it
 * @param table    id of the data table that the index asks for; only for examples that work on one
 */
export function fitExample(name, { model, reports, url = 'http://127.0.0.1:5678', table = '' }) {
	const inJson = (text) => JSON.stringify(text).slice(1, -1);
	const text = readFileSync(path.join(workflows, `${name}.json`), 'utf8')
		.replaceAll('EXAMPLES_FOLDER', inJson(path.join(root, 'examples')))
		.replaceAll('REPORTS_FOLDER', inJson(reports))
		.replaceAll('N8N_ADDRESS', inJson(url))
		.replaceAll('TABLE_ID', table)
		.replaceAll('MODEL_SENTENCE', inJson(model.sentence))
		.replaceAll('MODEL_PHRASE', inJson(model.phrase ?? model.sentence));
	const modelNodes = JSON.parse(text).nodes.filter(({ type }) => type === MODEL_TYPE).map((node) => node.name);
	const renamed = modelNodes.reduce((done, node) => done.replaceAll(JSON.stringify(node), JSON.stringify(modelTitle(node, model))), text);
	const workflow = JSON.parse(renamed);
	for (const node of modelNodes) Object.assign(workflow.nodes.find((one) => one.name === modelTitle(node, model)), modelNode(name, node, model));
	return workflow;
}

/** "Chat Model" becomes the title of the chosen model, "Chat Model for Plans" the same with its own words kept. */
function modelTitle(node, model) {
	return `${node}${model.title.slice(MODEL_NODE.length)}`;
}

/**
 * The credentials that the fitted examples need: the model's, and those that the index names.
 *
 * A value GENERATED becomes a secret of this installation, the same at every start; `seed` is any secret of it.
 */
export function exampleCredentials(model, seed) {
	const ofModel = model.provider === 'mistral' ? [{ name: 'Mistral', type: 'reactEngineMistralApi', data: { apiKey: model.apiKey } }] : [];
	const named = EXAMPLES.flatMap(({ credentials = [] }) => credentials).map((credential) => ({ ...credential, data: filled(credential, seed) }));
	return [...ofModel, ...named];
}

function filled({ name, type, data }, seed) {
	const secret = () => createHmac('sha256', seed).update(`${type}/${name}`).digest('base64');
	return Object.fromEntries(Object.entries(data).map(([field, value]) => [field, value === 'GENERATED' ? secret() : value]));
}

/** The address of the example chat in an n8n. */
export function chatAddress(url) {
	const chat = readJson(path.join(workflows, 'company-chat.json')).nodes.find((node) => node.name === 'Chat');
	return `${url}/webhook/${chat.webhookId}/chat`;
}

/** Imports the credentials and the examples; says what became of each. */
export async function importExamples(call, { url, user, model, say }) {
	const credentialIds = await importCredentials(call, exampleCredentials(model, user.environment.N8N_ENCRYPTION_KEY));
	for (const { file, draft, table } of EXAMPLES) {
		const made = table && (await ensureTable(call, table));
		const workflow = fitExample(file, { model, reports: user.reports, url, table: made });
		const what = await importWorkflow(call, workflow, { credentialIds, draft, recordFile: path.join(user.folder, 'imported.json') });
		say(`Workflow "${workflow.name}": ${what}.`);
	}
}

/**
 * Runs the index, then the report, and prints where it lies, how it begins, its time and its tokens.
 *
 * @returns whether both succeeded
 */
export async function runExamples(call, { url, user, model, say }) {
	say('Indexing the procedures.');
	if (!(await runExample(call, { url, id: 'indexProcedures1', webhook: 'index-procedures', say }))) return false;
	say('Making the Maintenance report.');
	const startedAt = Date.now();
	const item = await runExample(call, { url, id: 'maintenanceReprt', webhook: 'maintenance-report', say });
	if (!item) return false;
	const tokens = [item.run.usage.in, item.run.usage.out].map((count) => count ?? (model.provider === 'replay' ? 0 : 'unknown'));
	const excerpt = item.report.split('\n').filter((line) => line.trim() !== '').slice(0, 10);
	// A table that is cut looks as if it were empty.
	while (excerpt.at(-1)?.startsWith('|')) excerpt.pop();
	say(`\n${excerpt.map((line) => `  ${line.length > 150 ? `${line.slice(0, 149)}…` : line}`).join('\n')}\n`);
	say(`Report:  ${item.fileName ?? user.reports}`);
	say(`Time:    ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
	say(`Tokens:  ${tokens[0]} in, ${tokens[1]} out${model.provider === 'replay' ? ' (no model was called)' : ''}`);
	return true;
}

/** Calls the webhook; the item that the last node gave, or undefined after saying what went wrong. */
async function runExample(call, { url, id, webhook, say }) {
	const { status, body } = await callWebhook(url, webhook);
	if (status === 200) return body;
	const { error } = await lastExecution(call, id);
	say(`It failed (${status}): ${error?.message ?? JSON.stringify(body)}`);
	if (error?.description) say(error.description);
	return undefined;
}

function modelNode(example, node, model) {
	if (model.provider === 'replay') {
		const script = scriptOf(example, node);
		return {
			parameters: { provider: 'replay', scriptName: script.name, script: JSON.stringify(script, null, 2), options: {} },
			credentials: undefined,
		};
	}
	const name = { __rl: true, mode: 'id', value: model.model };
	const mistral = { credentials: { reactEngineMistralApi: { name: 'Mistral' } } };
	if (model.provider === 'mistral') return { parameters: { provider: 'mistral', mistralModel: name, options: {} }, ...mistral };
	return {
		parameters: { provider: 'ollama', authentication: 'none', ollamaModel: name, options: {} },
		credentials: undefined,
	};
}

/** What `<example>.replay.json` lets a model node play: one script for all, or {nodes: {name: script}}. */
function scriptOf(example, node) {
	const file = readJson(path.join(workflows, `${example}.replay.json`));
	const script = file.nodes ? file.nodes[node] : file;
	if (!script) throw new Error(`${example}.replay.json has no script for the node "${node}".`);
	return script;
}
