import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'n8n-test-'));
process.env.N8N_ENCRYPTION_KEY = 'test-key';
process.env.N8N_DEFAULT_BINARY_DATA_MODE = 'filesystem';
process.env.N8N_LOG_LEVEL = 'silent';

import 'reflect-metadata';
import { Container } from '@n8n/di';
import { BinaryDataService, ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	NodeHelpers,
	Workflow,
	type IConnections,
	type IDataObject,
	type IExecuteData,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type IWorkflowExecuteAdditionalData,
	type IVersionedNodeType,
} from 'n8n-workflow';

/**
 * Runs a workflow through n8n-core in this process: the same engine, contexts, binary data and expressions as n8n, without
 * its server and database. A wait is answered by `resumeWorkflow`, as n8n's waiting webhook would.
 */
export interface WorkflowCase {
	readonly nodeTypes: Record<string, INodeType>;
	readonly nodes: readonly INode[];
	readonly connections: IConnections;
	readonly input?: INodeExecutionData[];
	/** By name of the credential. */
	readonly credentials?: Record<string, IDataObject>;
	readonly onChunk?: (chunk: unknown) => void;
	/** A test run in the editor unless told otherwise. */
	readonly mode?: 'manual' | 'webhook' | 'trigger';
}

export interface WorkflowRun {
	readonly result: IRun;
	readonly status: string;
	/** Node names in the order in which they ended. */
	readonly order: string[];
	readonly runData: Record<string, ITaskData[]>;
	readonly error: Error | undefined;
	/** Items of the last run of a node's main output. */
	items(nodeName: string, output?: number): INodeExecutionData[];
}

class ManualTrigger {
	description = {
		displayName: 'Manual Trigger',
		name: 'manualTrigger',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: 'Manual Trigger' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: { getInputData(): INodeExecutionData[] }): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

const START = 'n8n-nodes-base.manualTrigger';

/** A node with defaults for everything but its name and type. */
export function node(name: string, type: string, parameters: IDataObject = {}, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: parameters as never, ...more };
}

/** The trigger that a test workflow starts with, named Start. */
export function start(): INode {
	return node('Start', START);
}

/** Connections from `[from, type, to]` triples; several of one kind keep their order. */
export function connect(...links: Array<readonly [from: string, type: string, to: string]>): IConnections {
	const connections: IConnections = {};
	for (const [from, type, to] of links) {
		const ofNode = (connections[from] ??= {});
		const lists = (ofNode[type] ??= [[]]);
		lists[0]?.push({ node: to, type: type as never, index: 0 });
	}
	return connections;
}

/** Runs the workflow from its Start node. */
export async function runWorkflow(given: WorkflowCase): Promise<WorkflowRun> {
	const first = given.nodes.find((candidate) => candidate.type === START);
	if (!first) throw new Error('The workflow has no Start node');
	const entry: IExecuteData = { node: first, data: { main: [given.input ?? [{ json: {} }]] }, source: null };
	return await execute(given, createRunExecutionData({
		startData: {},
		resultData: { runData: {} },
		executionData: { contextData: {}, metadata: {}, waitingExecution: {}, waitingExecutionSource: {}, nodeExecutionStack: [entry] },
	}));
}

/** Continues a waiting run: the waiting node gives `items`, as n8n does when its webhook was called. */
export async function resumeWorkflow(
	given: WorkflowCase,
	run: WorkflowRun,
	items: INodeExecutionData[],
): Promise<WorkflowRun> {
	const saved = structuredClone(JSON.parse(JSON.stringify(run.result.data))) as IRunExecutionData;
	const waiting = saved.executionData?.nodeExecutionStack[0];
	if (!waiting) throw new Error('Nothing is waiting');
	waiting.data = { main: [items] };
	return await execute(given, saved);
}

async function execute(given: WorkflowCase, data: IRunExecutionData): Promise<WorkflowRun> {
	await Container.get(BinaryDataService).init();
	const nodes = structuredClone(given.nodes) as INode[];
	const settings = { executionOrder: 'v1' } as const;
	const base = { id: 'wf', name: 'wf', nodes, connections: given.connections, active: false, settings };
	const workflow = new Workflow({ ...base, nodeTypes: nodeTypesOf(given) });
	const order: string[] = [];
	const hooks = new ExecutionLifecycleHooks(given.mode ?? 'manual', 'exec-1', base as never);
	hooks.addHandler('nodeExecuteAfter', (name) => void order.push(name));
	if (given.onChunk) hooks.addHandler('sendChunk', given.onChunk);
	await workflow.expression.acquireIsolate();
	try {
		const execution = new WorkflowExecute(additionalData(given, hooks), given.mode ?? 'manual', data);
		return toRun(await execution.processRunExecutionData(workflow), order);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

function toRun(result: IRun, order: string[]): WorkflowRun {
	const { runData, error } = result.data.resultData;
	return {
		result,
		status: result.status,
		order,
		runData,
		error: error as Error | undefined,
		items: (name, output = 0) => runData[name]?.at(-1)?.data?.main?.[output] ?? [],
	};
}

function nodeTypesOf(given: WorkflowCase): INodeTypes {
	const all: Record<string, INodeType> = { [START]: new ManualTrigger() as never, ...given.nodeTypes };
	const get = (type: string): INodeType | IVersionedNodeType => {
		const found = all[type];
		if (!found) throw new Error(`The test knows no node type ${type}`);
		return found;
	};
	return {
		getKnownTypes: () => ({}),
		getByName: get,
		getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(get(type), version),
	};
}

function additionalData(given: WorkflowCase, hooks: ExecutionLifecycleHooks): IWorkflowExecuteAdditionalData {
	const local = 'http://127.0.0.1';
	return {
		hooks,
		executionId: 'exec-1',
		currentNodeExecutionIndex: 0,
		variables: {},
		streamingEnabled: given.onChunk !== undefined,
		webhookWaitingBaseUrl: `${local}/webhook-waiting`,
		formWaitingBaseUrl: `${local}/form`,
		webhookBaseUrl: `${local}/webhook`,
		restApiUrl: local,
		instanceBaseUrl: `${local}/`,
		setExecutionStatus: () => undefined,
		sendDataToUI: () => undefined,
		logAiEvent: () => undefined,
		secretsHelpers: {},
		credentialsHelper: {
			getDecrypted: async (_data: unknown, details: { name: string }) => given.credentials?.[details.name] ?? {},
			isCredentialUsableByNode: () => true,
			authenticate: async (_credentials: unknown, _type: unknown, options: unknown) => options,
			preAuthentication: async () => undefined,
			getParentTypes: () => [],
		},
	} as never;
}
