/** Runs a published workflow and reads what its execution recorded. */

/**
 * Calls a production webhook and waits for its answer.
 *
 * A webhook is registered a moment after its workflow is published, so an unknown path is tried again for ten seconds.
 * @returns {status, body}; body is parsed JSON when it is JSON
 */
export async function callWebhook(url, path, payload = {}) {
	for (let attempt = 0; ; attempt++) {
		const response = await fetch(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(payload),
		});
		const text = await response.text();
		if (response.status !== 404 || attempt >= 40) return { status: response.status, body: parsed(text) };
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}

/**
 * The newest execution of a workflow with its data.
 *
 * @returns {status, runData, error}: runData is {nodeName: [{data, error, executionTime, …}]}
 */
export async function lastExecution(call, workflowId) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const deadline = Date.now() + 15_000;
	for (;;) {
		const { results } = await call('GET', `/executions?filter=${filter}&limit=1`);
		const newest = results[0];
		if (newest && !['new', 'running'].includes(newest.status)) return await readExecution(call, newest.id);
		if (Date.now() > deadline) throw new Error(`No finished execution of workflow ${workflowId} within 15 s.`);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** An execution by its id, its compact data unfolded. */
export async function readExecution(call, id) {
	return unfoldExecution(await call('GET', `/executions/${id}`));
}

/** {id, status, data} as n8n stores it → {id, status, runData, error} */
export function unfoldExecution({ id, status, data }) {
	const { resultData } = unflatten(data);
	return { id, status, runData: resultData.runData, error: resultData.error };
}

/** n8n stores execution data as a list in which strings in objects are positions in that list. */
function unflatten(text) {
	const list = JSON.parse(text);
	const done = new Map();
	const at = (position) => {
		const key = Number(position);
		if (done.has(key)) return done.get(key);
		const value = list[key];
		if (typeof value !== 'object' || value === null) return value;
		const result = Array.isArray(value) ? [] : {};
		done.set(key, result);
		for (const [name, child] of Object.entries(value)) result[name] = typeof child === 'string' ? at(child) : child;
		return result;
	};
	return at(0);
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
