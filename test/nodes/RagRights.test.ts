import type { EngineRequest, EngineResponse, IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { indexItems, ragNodeTypes, runOne } from './rag-nodes';

const ANN = { sub: 'ann', groups: ['shop'] };
const BOB = { sub: 'bob', groups: ['office'] };
const files = [
	{ id: 'secret', text: 'Le salaire de la pompe est secret.', users: 'boss' },
	{ id: 'shop', text: 'La pompe de l’atelier.', groups: ['shop'] },
	{ id: 'office', text: 'La pompe du bureau.', groups: 'office, boss' },
	{ id: 'public', text: 'La pompe de tous.', everyone: true },
	{ id: 'forgotten', text: 'La pompe sans droits.' },
];
const rights = { users: '={{ $json.users }}', groups: '={{ $json.groups }}', everyone: '={{ $json.everyone === true }}' };

/** Calls the tool as n8n's own agent does: every argument of the model spread into the item, one call for each item. */
class SpreadingAgent {
	description = { displayName: 'A', name: 'a', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_tool'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<INodeExecutionData[][] | EngineRequest> {
		if (response?.actionResponses.length) return [response.actionResponses.map(({ data }) => data?.data?.ai_tool?.[0]?.[0] ?? { json: { error: 'refused' } })];
		return {
			metadata: {},
			actions: this.getInputData().map(({ json }, itemIndex) => ({
				actionType: 'ExecutionNodeAction' as const,
				nodeName: 'Search',
				input: { ...(json.asked as IDataObject), query: 'pompe' },
				type: 'ai_tool' as const,
				id: (json.callId as string) ?? `call-${itemIndex}`,
				metadata: { itemIndex },
			})),
		};
	}
}

/** The same agent as a tool of another one. */
class InnerAgent extends SpreadingAgent {
	override description = { ...new SpreadingAgent().description, inputs: ['ai_tool'], outputs: ['ai_tool'] } as never;
}

/** Calls the inner agent. */
class OuterAgent extends SpreadingAgent {
	override async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<INodeExecutionData[][] | EngineRequest> {
		const given = await SpreadingAgent.prototype.execute.call(this, response);
		if (Array.isArray(given)) return given;
		return { ...given, actions: given.actions.map((action) => ({ ...action, nodeName: 'Inner' })) };
	}
}

/** Asks for the retriever of the first item and uses it for all, as n8n's chains do. */
class Chain {
	description = { displayName: 'C', name: 'c', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_retriever'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [retriever] = [await this.getInputConnectionData('ai_retriever', 0)].flat() as [{ invoke(query: string): Promise<Array<{ metadata: IDataObject }>> }];
		const found = await retriever.invoke('pompe');
		return [[{ json: { ids: found.map(({ metadata }) => metadata.documentId) as string[] } }]];
	}
}

const nodeTypes: Record<string, INodeType> = { ...ragNodeTypes, 'p.spreading': new SpreadingAgent() as never, 'p.chain': new Chain() as never };
const idsOf = (run: WorkflowRun): string[][] =>
	run.items('N').map((item) => (item.json.documents as Array<{ documentId: string }>).map(({ documentId }) => documentId).sort());

async function asTool(items: IDataObject[], parameters: IDataObject = {}): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes,
		nodes: [start(), node('Agent', 'p.spreading'), node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'rights', topK: 10, ...parameters })],
		connections: connect(['Start', 'main', 'Agent'], ['Search', 'ai_tool', 'Agent']),
		input: items.map((json) => ({ json })),
	});
}

const toolIds = (run: WorkflowRun): string[][] =>
	(run.runData.Search ?? []).map(({ data, error }) =>
		error ? [error.message] : ((data?.ai_tool?.[0]?.[0]?.json.data ?? []) as Array<{ documentId: string }>).map(({ documentId }) => documentId).sort(),
	);

describe('rights of documents', () => {
	beforeAll(async () => {
		const run = await indexItems('rights', files, { parameters: { options: rights } });
		expect(run.error).toBeUndefined();
	});

	it('are applied to the user of each item, and a document without rights is seen by nobody', async () => {
		const items = [{ user: ANN }, { user: BOB }, { user: 'boss' }, {}, { user: { sub: '', groups: ['', '*'] } }, { user: ['boss'] }];
		const run = await runOne({ type: 'retriever', parameters: { knowledgeBase: 'rights', query: 'pompe' }, items: items.map((json) => ({ json })) });
		expect(run.error).toBeUndefined();
		expect(idsOf(run)).toEqual([['public', 'shop'], ['office', 'public'], ['public', 'secret'], ['public'], ['public'], ['public']]);
	});

	it('tell the builder when no user is known, and when rights are given that are nobody’s', async () => {
		const ask = async (user?: object) =>
			(await runOne({ type: 'retriever', parameters: { knowledgeBase: 'rights', query: 'pompe' }, items: [{ json: { ...(user && { user }) } as IDataObject }] })).items('N')[0]?.json.retrieval;
		expect(await ask()).toMatchObject({ notes: [expect.stringContaining('No user is known, and this knowledge base has rights'), expect.any(String)] });
		expect(JSON.stringify(await ask(ANN))).not.toContain('No user is known');
		const hints = async (items: IDataObject[]) => (await indexItems('hinted', items, { parameters: { options: rights } })).runData.N?.[0]?.hints ?? [];
		expect(await hints([{ id: 'a', text: 'a', everyone: true }])).toEqual([]);
		expect(await hints([{ id: 'a', text: 'a', everyone: true }, { id: 'b', text: 'b' }])).toMatchObject([{ type: 'warning', message: expect.stringContaining('1 document(s) have rights for nobody') }]);
	});

	it('can be those of a fixed user or group, or be put aside by whoever builds the flow', async () => {
		const ask = async (parameters: IDataObject) =>
			idsOf(await runOne({ type: 'retriever', parameters: { knowledgeBase: 'rights', query: 'pompe', ...parameters }, items: [{ json: { user: ANN } }] }));
		expect(await ask({ access: 'fixed', fixedUser: 'boss', fixedGroups: 'office' })).toEqual([['office', 'public', 'secret']]);
		expect((await ask({ access: 'everything' }))[0]).toHaveLength(5);
		expect(await ask({ options: { userField: 'body.user' } })).toEqual([['public']]);
	});

	it('a model cannot forge: the tool believes the items of the agent, each for its own call', async () => {
		const forged = { user: { sub: 'boss', groups: ['office', 'shop'] }, access: 'everything', userField: 'asked.user' };
		const run = await asTool([{ user: ANN, asked: forged }, { user: BOB, asked: forged }]);
		expect(run.error).toBeUndefined();
		expect(toolIds(run)).toEqual([['public', 'shop'], ['office', 'public']]);
	});

	it('refuses a call that could be for two users, and says so to neither what there is', async () => {
		const both = [{ user: ANN, callId: 'same' }, { user: BOB, callId: 'same' }];
		expect(toolIds(await asTool(both)).flat()).toEqual(Array(2).fill('This search may be for one of 2 different users'));
		const one = both.map(({ callId }) => ({ user: ANN, callId }));
		expect(toolIds(await asTool(one))).toEqual([['public', 'shop'], ['public', 'shop']]);
	});

	it('hold when n8n’s record of the waiting agent is missing: then every item that fed the agent must be of one user', async () => {
		// The call's id is not the record's: as if the agent were not the one that waits.
		const run = await runWorkflow({
			nodeTypes: { ...nodeTypes, 'p.retriever': withoutRecord() },
			nodes: [start(), node('Agent', 'p.spreading'), node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'rights' })],
			connections: connect(['Start', 'main', 'Agent'], ['Search', 'ai_tool', 'Agent']),
			input: [{ json: { user: ANN, asked: { user: 'boss' } } }, { json: { user: BOB } }],
		});
		expect(toolIds(run).flat()).toEqual(Array(2).fill('This search may be for one of 2 different users'));
		const same = await runWorkflow({
			nodeTypes: { ...nodeTypes, 'p.retriever': withoutRecord() },
			nodes: [start(), node('Agent', 'p.spreading'), node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'rights' })],
			connections: connect(['Start', 'main', 'Agent'], ['Search', 'ai_tool', 'Agent']),
			input: [{ json: { user: ANN, asked: { user: 'boss' } } }],
		});
		expect(toolIds(same)).toEqual([['public', 'shop']]);
	});

	it('hold when the caller is itself a tool, whose item a model has forged', async () => {
		const forged = { user: 'boss', asked: { user: 'boss' } };
		const nested = async (...users: object[]) =>
			await runWorkflow({
				nodeTypes: { ...nodeTypes, 'p.inner': new InnerAgent() as never, 'p.outer': new OuterAgent() as never },
				nodes: [start(), node('Agent', 'p.outer'), node('Inner', 'p.inner'), node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'rights', topK: 10 })],
				connections: connect(['Start', 'main', 'Agent'], ['Inner', 'ai_tool', 'Agent'], ['Search', 'ai_tool', 'Inner']),
				input: users.map((user) => ({ json: { user, asked: forged } as IDataObject })),
			});
		expect(toolIds(await nested(ANN))).toEqual([['public', 'shop']]);
		const both = toolIds(await nested(ANN, BOB)).flat();
		expect(both.filter((found) => ['secret', 'forgotten'].includes(found))).toEqual([]);
		expect(new Set(both)).toEqual(new Set(['This search may be for one of 2 different users']));
	});

	it('hold under our agent, for two users in one run, in spite of forged arguments', async () => {
		const seen: string[] = [];
		const model = scriptedModel([
			{ calls: [{ name: 'search_rights', args: { query: 'pompe' } }] },
			{ calls: [{ name: 'search_rights', args: { query: 'pompe' } }] },
			...[1, 2].map(() => (request: { messages: readonly unknown[] }) => {
				seen.push(JSON.stringify(request.messages));
				return { text: 'fini' };
			}),
		]);
		const run = await runWorkflow({
			nodeTypes: { ...nodeTypes, 'p.agent': new ReActAgent(), 'p.model': modelNode(model) },
			nodes: [start(), node('Agent', 'p.agent', {}), node('Model', 'p.model'), node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'rights' })],
			connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Search', 'ai_tool', 'Agent']),
			input: [{ json: { query: 'a', user: ANN } }, { json: { query: 'b', user: BOB } }],
		});
		expect(run.error).toBeUndefined();
		expect(toolIds(run)).toEqual([['public', 'shop'], ['office', 'public']]);
		expect(seen.join()).not.toContain('secret');
	});

	it('as a retriever are those of the items, when these are of one user', async () => {
		const ask = async (...items: IDataObject[]) =>
			await runWorkflow({
				nodeTypes,
				nodes: [start(), node('N', 'p.chain'), node('R', 'p.retriever', { mode: 'retriever', knowledgeBase: 'rights' })],
				connections: connect(['Start', 'main', 'N'], ['R', 'ai_retriever', 'N']),
				input: items.map((json) => ({ json })),
			});
		expect((await ask({ user: ANN }, { user: ANN })).items('N')[0]?.json.ids).toEqual(expect.arrayContaining(['public', 'shop']));
		expect((await ask({ user: ANN }, { user: BOB })).error?.message).toContain('one of 2 different users');
	});

	it('taken away take effect with the next search, without embedding anything', async () => {
		await indexItems('revoked', [{ id: 'a', text: 'La pompe.', groups: ['shop'] }], { parameters: { options: rights }, embeddings: {} });
		const ask = async () => idsOf(await runOne({ type: 'retriever', parameters: { knowledgeBase: 'revoked', query: 'pompe' }, embeddings: {}, items: [{ json: { user: ANN } }] }));
		expect(await ask()).toEqual([['a']]);
		const run = await indexItems('revoked', [{ id: 'a', text: 'La pompe.', groups: [] }], { parameters: { options: rights }, embeddings: {} });
		expect(run.items('N')[0]?.json.index).toMatchObject({ outcome: 'changed' });
		expect(run.runData.E).toBeUndefined();
		// The only document with rights has lost them: that must not open the knowledge base.
		expect(await ask()).toEqual([[]]);
		await runOne({ type: 'index', parameters: { operation: 'rights', knowledgeBase: 'revoked', documentId: 'a', rightsGroups: 'shop' }, items: [{ json: {} }] });
		expect(await ask()).toEqual([['a']]);
	});
});

/** The retriever without n8n's record of waiting agents. */
function withoutRecord(): INodeType {
	const retriever = ragNodeTypes['p.retriever']!;
	return Object.assign(Object.create(retriever) as INodeType, {
		async execute(this: IExecuteFunctions) {
			const ctx = new Proxy(this, { get: (target, key) => (key === 'runExecutionData' ? undefined : bound(target, key)) });
			return await retriever.execute!.call(ctx);
		},
	});
}

function bound(target: object, key: string | symbol): unknown {
	const value: unknown = Reflect.get(target, key);
	return typeof value === 'function' ? value.bind(target) : value;
}
