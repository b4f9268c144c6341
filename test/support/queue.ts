import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PostgresConnection } from '../../lib/storage/postgres';
import { publish, realN8n, type Execution, type RestCall } from './real-n8n';
import { webhookWorkflow, type NodeLine } from './webhook-workflow';

/** What test/setup/queue-servers.mjs started for the tests of n8n's queue mode, beside the main (`realN8n`). */
export interface QueueServers {
	/** Names of the workers; each takes one run at a time. */
	readonly workers: readonly [string, string];
	/** An empty database, without pgvector. */
	readonly postgres: PostgresConnection;
	/** n8n's own database on the same server. */
	readonly n8nDatabase: string;
}

export function queueServers(): QueueServers {
	const given = process.env.REACTENGINE_QUEUE;
	if (given === undefined) throw new Error('These tests need the servers of the queue project.');
	return JSON.parse(given) as QueueServers;
}

/** The storage of all workers, as nodes name it and as `publish` imports it. */
export function postgresStorage(postgres = queueServers().postgres, name = 'Engine Postgres') {
	return {
		onNode: { reactEngineStorageApi: { name } },
		credential: { name, type: 'reactEngineStorageApi', data: { kind: 'postgres', ...postgres } },
	};
}

/** A node that notes on which worker it runs. */
export function whereNode(name = 'Where', more: Record<string, string> = {}): NodeLine {
	const values = Object.entries({ worker: '={{ $env.REACTENGINE_WORKER }}', ...more });
	const assignments = values.map(([key, value]) => ({ id: key, name: key, value, type: 'string' }));
	return [name, 'n8n-nodes-base.set', 3.4, { assignments: { assignments }, includeOtherFields: true, options: {} }];
}

/** Ended executions of a workflow, read from n8n's database at once. */
export async function executionsOf(workflowId: string): Promise<Execution[]> {
	const { unfoldExecution } = await import('../../examples/setup/run-workflow.mjs');
	const { default: pg } = await import('pg');
	const { postgres, n8nDatabase } = queueServers();
	const client = new pg.Client({ ...postgres, database: n8nDatabase });
	await client.connect();
	try {
		const text = `SELECT id, status, data FROM execution_entity JOIN execution_data ON "executionId" = id
			WHERE execution_entity."workflowId" = $1 AND status NOT IN ('new', 'running', 'waiting') ORDER BY id`;
		return (await client.query(text, [workflowId])).rows.map((row) => unfoldExecution(row) as Execution);
	} finally {
		await client.end();
	}
}

export interface BusyWorkers {
	/** Does something while every other worker is busy, so that its runs are on this one. */
	runOn<Result>(worker: string, work: () => Promise<Result>): Promise<Result>;
	close(): Promise<void>;
}

const HOLD = 'holdAWorker00001';

/** Keeps workers busy by runs that wait for an answer of ours. */
export async function busyWorkers(call: RestCall): Promise<BusyWorkers> {
	const arrivals: Array<(held: { worker: string; release: () => void }) => void> = [];
	const server = createServer((request, response: ServerResponse) => {
		const worker = new URL(request.url ?? '/', 'http://localhost').searchParams.get('worker') ?? '';
		arrivals.shift()?.({ worker, release: () => void response.end('{}') });
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?worker={{ $env.REACTENGINE_WORKER }}`;
	const workflow = webhookWorkflow(HOLD, 'hold', [['Wait', 'n8n-nodes-base.httpRequest', 4.2, { url: `=${url}`, options: {} }]], [['Webhook', 'main', 'Wait']]);
	const nodes = workflow.nodes.map((node) => (node.name === 'Webhook' ? { ...node, parameters: { ...node.parameters, responseMode: 'onReceived' } } : node));
	await publish(call, { ...workflow, nodes });
	const hold = async () => {
		const { callWebhook } = await import('../../examples/setup/run-workflow.mjs');
		const arrived = new Promise<{ worker: string; release: () => void }>((resolve) => arrivals.push(resolve));
		await callWebhook(realN8n().url, 'hold');
		return await arrived;
	};
	return {
		runOn: async (worker, work) => {
			const first = await hold();
			// The first one sits on the worker that is wanted: a second one must be on the other.
			const held = first.worker === worker ? await hold() : first;
			if (held !== first) first.release();
			try {
				return await work();
			} finally {
				held.release();
			}
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
