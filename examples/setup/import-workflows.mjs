/** Brings the example workflows and their credentials into n8n, and publishes them. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates each credential unless one of its name and type is there; an existing one gets the new data, unless it is to be kept as the
 * user has changed it.
 *
 * @param credentials  [{name, type, data, keep?}]
 * @returns            `(node credentials by type) → the same with n8n's ids`, for importWorkflow
 */
export async function importCredentials(call, credentials) {
	const existing = await call('GET', '/credentials');
	const ids = new Map();
	for (const { keep, ...credential } of credentials) {
		const found = existing.find((one) => one.name === credential.name && one.type === credential.type);
		const changed = found && !keep ? await call('PATCH', `/credentials/${found.id}`, credential) : found;
		const saved = changed ?? (await call('POST', '/credentials', credential));
		ids.set(`${credential.type}/${credential.name}`, saved.id);
	}
	return ids;
}

/**
 * Imports one workflow under its own id and publishes it, unless `draft` is true.
 *
 * A workflow that is already there is replaced only when the example has changed since (its hash is kept in `recordFile`), so
 * that a user's own changes survive a new start.
 * @returns 'created' | 'replaced' | 'kept'
 */
export async function importWorkflow(call, workflow, { credentialIds, recordFile, draft = false }) {
	const body = { ...workflow, nodes: workflow.nodes.map((node) => withCredentialIds(node, credentialIds)) };
	const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
	const record = existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {};
	const { exists } = await call('GET', `/workflows/${workflow.id}/exists`);
	if (exists && record[workflow.id] === hash) return 'kept';
	// n8n goes on running the version that was published at its start, unless it is taken down first.
	if (exists && !draft) await call('POST', `/workflows/${workflow.id}/deactivate`);
	const saved = exists
		? await call('PATCH', `/workflows/${workflow.id}?forceSave=true`, body)
		: await call('POST', '/workflows', body);
	if (!draft) await call('POST', `/workflows/${workflow.id}/activate`, { versionId: saved.versionId });
	writeFileSync(recordFile, JSON.stringify({ ...record, [workflow.id]: hash }, null, 2));
	return exists ? 'replaced' : 'created';
}

/** The workflows of a folder, in the order of their file names; replay scripts (`*.replay.json`) are left out. */
export function readWorkflow(file) {
	return JSON.parse(readFileSync(path.resolve(file), 'utf8'));
}

function withCredentialIds(node, credentialIds) {
	if (!node.credentials) return node;
	const credentials = Object.entries(node.credentials).map(([type, { name }]) => {
		const id = credentialIds.get(`${type}/${name}`);
		if (!id) throw new Error(`Node "${node.name}" needs the credential "${name}" (${type}), which was not imported.`);
		return [type, { id, name }];
	});
	return { ...node, credentials: Object.fromEntries(credentials) };
}
