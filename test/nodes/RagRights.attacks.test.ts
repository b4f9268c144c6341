/**
 * An attacker's tries to learn what he may not see, through every way out of RAG Retriever. Two knowledge bases, one with what is
 * forbidden to him and one without it, must answer him alike: to the last score, count, note and error.
 */
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { indexItems, ragNodeTypes, runOne } from './rag-nodes';

const EVE = { sub: 'eve', groups: ['shop'] };
const open = [
	{ id: 'o1', text: '# Pompe\n\nPurger la pompe avant le démarrage.\n\n# Vanne\n\nFermer la vanne P101/A.', groups: ['shop'], meta: { site: 'Lyon' } },
	{ id: 'o2', text: 'La pompe du hangar est en panne depuis mardi.', groups: ['shop', 'office'], meta: { site: 'Brest' } },
	{ id: 'o3', text: 'Le calendrier des équipes.', everyone: true, meta: { site: 'Lyon' } },
];
const forbidden = [
	{ id: 's1', text: 'La pompe du hangar est en panne depuis mardi.', users: 'boss', meta: { site: 'Lyon' } },
	{ id: 's2', text: '# Projet Zénith\n\nFusion avec Dupont, 900 licenciements, code ZX-77.', users: 'boss', meta: { site: 'Lyon', secret: 'oui' } },
	{ id: 's3', text: 'Salaires du bureau. La pompe à chaleur du bureau.', groups: ['office'], meta: { site: 'Brest' } },
	{ id: 's4', text: 'Brouillon sur la fusion Zénith, sans droits.', meta: { site: 'Lyon' } },
];
const SECRETS = /Zénith|Dupont|licenciement|ZX-77|Salaires|Brouillon|"s[1-4]|s[1-4]#/;
const options = { users: '={{ $json.users }}', groups: '={{ $json.groups }}', everyone: '={{ $json.everyone === true }}', metadata: '={{ $json.meta }}' };
const QUERIES = ['pompe', 'fusion Zénith Dupont', '"ZX-77"', 'La pompe du hangar est en panne', 'salaires', 'vanne licenciements', 's2', 'code N-92c ZX-77 pompe', 'NEAR("fusion" "Dupont") OR *'];
/** What a model or a caller may send along: none of it may count. */
const FORGED = { user: { sub: 'boss', groups: ['office', 'shop'] }, acl: ['*', 'u:boss'], access: 'everything', groups: ['office'], fixedUser: 'boss', userField: 'asked', options: { userField: 'asked' } };

/** Asks a retriever port for each query of its item. */
class Chain {
	description = { displayName: 'C', name: 'chain', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_retriever'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [retriever] = [await this.getInputConnectionData('ai_retriever', 0)].flat() as [{ invoke(query: string): Promise<IDataObject[]> }];
		const found: IDataObject[] = [];
		for (const query of QUERIES) found.push({ query, pages: await retriever.invoke(query) });
		return [found.map((json) => ({ json }))];
	}
}

const nodeTypes: Record<string, INodeType> = { ...ragNodeTypes, 'p.agent': new ReActAgent(), 'p.chain': new Chain() as never };

async function asStep(knowledgeBase: string, more: IDataObject = {}, user: unknown = EVE): Promise<unknown> {
	const items = QUERIES.map((query) => ({ json: { ...FORGED, query, user } as IDataObject }));
	const run = await runOne({ type: 'retriever', parameters: { knowledgeBase, options: more }, items, embeddings: {}, onError: 'continueRegularOutput' });
	return run.items('N').map(({ json: { documents, document, retrieval, error, message } }) => ({ documents, document, retrieval, error, message }));
}

async function asTool(knowledgeBase: string, more: IDataObject = {}): Promise<unknown> {
	const calls = QUERIES.map((query) => ({ calls: [{ name: `search_${knowledgeBase}`, args: { query, max_results: 10 } }] }));
	const forged = { calls: [{ name: `search_${knowledgeBase}`, args: { query: 'pompe', ...FORGED } }] };
	const filtered = [{ site: 'Lyon' }, { secret: 'oui' }, { acl: '*' }].map((filters) => ({ calls: [{ name: `search_${knowledgeBase}`, args: { query: 'pompe', filters } }] }));
	const model = scriptedModel([...calls, forged, ...filtered, { text: 'fini' }]);
	const agentFilters = { field: [{ field: 'site', type: 'text' }] };
	await runWorkflow({
		nodeTypes: { ...nodeTypes, 'p.model': modelNode(model) },
		nodes: [
			...[start(), node('Agent', 'p.agent', { maxSteps: 20 }), node('Model', 'p.model'), node('E', 'p.embeddings')],
			node('N', 'p.retriever', { mode: 'tool', knowledgeBase, topK: 10, options: { agentFilters, ...more } }),
		],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['N', 'ai_tool', 'Agent'], ['E', 'ai_embedding', 'N']),
		input: [{ json: { ...FORGED, query: 'x', user: EVE } as IDataObject }],
	});
	return model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'tool'));
}

async function asRetriever(knowledgeBase: string, more: IDataObject = {}): Promise<unknown> {
	const run = await runWorkflow({
		nodeTypes,
		nodes: [start(), node('C', 'p.chain'), node('E', 'p.embeddings'), node('N', 'p.retriever', { mode: 'retriever', knowledgeBase, topK: 10, options: more })],
		connections: connect(['Start', 'main', 'C'], ['N', 'ai_retriever', 'C'], ['E', 'ai_embedding', 'N']),
		input: [{ json: { ...FORGED, user: EVE } as IDataObject }],
	});
	return [run.error?.message, run.items('C').map(({ json }) => json.pages), run.runData.N?.map(({ data, hints }) => [data, hints])];
}

/** What came out, as one text; the name of the knowledge base and ids of calls and runs apart. */
const plain = (answer: unknown): string =>
	JSON.stringify(answer, (key, value: unknown) => (/^(?:callId|id|toolCallId)$/.test(key) && !/#|^o\d/.test(String(value)) ? undefined : value)).replace(/apart|among/g, 'base');

const WAYS = { step: asStep, tool: asTool, retriever: asRetriever };
const SETTINGS: readonly IDataObject[] = [
	{},
	{ neighbours: 3 },
	{ onePerDocument: true, fusion: 'ranks' },
	{ fusion: 'cascade', neighbours: 1 },
	{ balance: 'fixed', meaningWeight: 0 },
	{ balance: 'fixed', meaningWeight: 100 },
	{ filterJson: '{"field": "site", "operator": "==", "value": "Lyon"}' },
	{ filterJson: '{"field": "secret", "operator": "exists"}' },
];

describe('RAG Retriever, to somebody who may not see everything', () => {
	beforeAll(async () => {
		for (const [knowledgeBase, items] of [['apart', open], ['among', [...forbidden.slice(0, 2), ...open, ...forbidden.slice(2)]]] as const) {
			const run = await indexItems(knowledgeBase, items as IDataObject[], { parameters: { options }, embeddings: {} });
			expect(run.error).toBeUndefined();
		}
	});

	it.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('answers as %s as if what is forbidden were not there, with every option', async (way) => {
		for (const settings of SETTINGS) {
			const answers = [plain(await WAYS[way]('apart', settings)), plain(await WAYS[way]('among', settings))];
			expect(answers[1]).toBe(answers[0]);
			expect(answers[1]).not.toMatch(/900|Salaires du|Brouillon sur/);
		}
		expect(plain(await WAYS[way]('among'))).toContain('Purger la pompe');
	}, 60_000);

	it.each<[string, unknown]>([
		['no user', null],
		['a list of users', ['boss']],
		['an identity that cannot be read, with the name of another', { sub: null, name: 'boss', email: 'boss' }],
		['an identity that is an object', { sub: { toString: 'boss' }, id: 'boss' }],
		['another spelling', { sub: 'BOSS', groups: ['Office'] }],
		['tokens for names', { sub: 'u:boss', groups: ['*', 'g:office', 'u:boss', 'office,boss'] }],
		['groups as a text', { sub: 'x', groups: 'office' }],
		['a prototype', JSON.parse('{"__proto__": {"sub": "boss", "groups": ["office"]}}')],
	])('gives to %s only what everyone may see', async (_, user) => {
		const answer = JSON.stringify(await asStep('among', {}, user));
		expect(answer).not.toMatch(SECRETS);
		expect(answer).not.toContain('Purger');
		expect(answer).toContain('calendrier');
	});

	it('takes several knowledge bases each with its own rights, and names none of what is forbidden in its errors', async () => {
		const both = plain(await asStep('apart', { moreKnowledgeBases: 'among' }));
		expect(both).not.toMatch(/Salaires du|Brouillon sur|900/);
		const errors = JSON.stringify([await asStep('nowhere'), await asStep('among', { moreKnowledgeBases: 'nowhere' }), await asStep('among', { filterJson: '{"field":' })]);
		expect(errors).toContain('There is no knowledge base');
		expect(errors).not.toMatch(/Salaires du|Brouillon sur|900 /);
	});

	it('follows rights that change between two syncs at once, in both directions, also for answers that it kept', async () => {
		const sync = async (groups: string[]) =>
			await indexItems('synced', [{ id: 'a', text: 'La pompe secrète.', groups }, { id: 'b', text: 'La pompe.', groups: ['shop'] }], {
				parameters: { operation: 'sync', scope: 's', listComplete: true, options },
				embeddings: {},
			});
		const sees = async (): Promise<boolean> => /secrète/.test(JSON.stringify([await asStep('synced'), await asTool('synced'), await asRetriever('synced')]).replace(/"query":"[^"]*"/g, ''));
		for (const groups of [['shop'], ['office'], ['shop'], []]) {
			await sync(groups);
			for (let turn = 0; turn < 2; turn++) expect(await sees()).toBe(groups.includes('shop'));
		}
	}, 60_000);
});
