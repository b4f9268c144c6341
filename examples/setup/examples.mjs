/** The example workflows: fitted to this machine and to the model that was chosen, imported, and run once. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importCredentials, importWorkflow } from './import-workflows.mjs';
import { readJson, root } from './places.mjs';
import { callWebhook, lastExecution } from './run-workflow.mjs';

const workflows = path.join(root, 'examples/workflows');
const MODEL_NODE = 'Chat Model';
/** In the order in which they are of use. */
export const EXAMPLES = ['index-procedures', 'maintenance-report', 'company-chat', 'sync-folder-every-night'];

/**
 * Reads an example and fits it: folders in place of EXAMPLES_FOLDER and REPORTS_FOLDER, the chosen model in the Chat Model node.
 *
 * @param name     one of EXAMPLES
 * @param model    from chooseModel
 * @param reports  folder for the reports
 */
export function fitExample(name, { model, reports }) {
	const inJson = (text) => JSON.stringify(text).slice(1, -1);
	const text = readFileSync(path.join(workflows, `${name}.json`), 'utf8')
		.replaceAll('EXAMPLES_FOLDER', inJson(path.join(root, 'examples')))
		.replaceAll('REPORTS_FOLDER', inJson(reports))
		.replaceAll('MODEL_SENTENCE', inJson(model.sentence))
		.replaceAll(JSON.stringify(MODEL_NODE), JSON.stringify(model.title));
	const workflow = JSON.parse(text);
	const node = workflow.nodes.find((one) => one.name === model.title);
	if (node) Object.assign(node, modelNode(name, model));
	return workflow;
}

/** The credentials that the fitted examples need. */
export function exampleCredentials(model) {
	return model.provider === 'mistral' ? [{ name: 'Mistral', type: 'reactEngineMistralApi', data: { apiKey: model.apiKey } }] : [];
}

/** The address of the example chat in an n8n. */
export function chatAddress(url) {
	const chat = readJson(path.join(workflows, 'company-chat.json')).nodes.find((node) => node.name === 'Chat');
	return `${url}/webhook/${chat.webhookId}/chat`;
}

/** Imports the credentials and the examples; says what became of each. */
export async function importExamples(call, { user, model, say }) {
	const credentialIds = await importCredentials(call, exampleCredentials(model));
	for (const name of EXAMPLES) {
		const workflow = fitExample(name, { model, reports: user.reports });
		const what = await importWorkflow(call, workflow, { credentialIds, recordFile: path.join(user.folder, 'imported.json') });
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

function modelNode(example, model) {
	if (model.provider === 'replay') {
		const script = readJson(path.join(workflows, `${example}.replay.json`));
		return {
			parameters: { provider: 'replay', scriptName: script.name, script: JSON.stringify(script, null, 2), options: {} },
			credentials: undefined,
		};
	}
	const name = { __rl: true, mode: 'id', value: model.model };
	if (model.provider === 'mistral') return { parameters: { provider: 'mistral', mistralModel: name, options: {} } };
	return {
		parameters: { provider: 'ollama', authentication: 'none', ollamaModel: name, options: {} },
		credentials: undefined,
	};
}
