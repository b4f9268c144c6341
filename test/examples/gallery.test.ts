/** The example workflows as files: what the index says of them, how they lie on the canvas, and how they are fitted to a model. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';

const folder = join(__dirname, '../../examples/workflows');
const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as ReadonlyArray<{ file: string; id: string; title: string }>;
const REPLAY = { provider: 'replay', model: 'script', title: 'Chat Model: Replay', sentence: 'No model is called.' };

interface Example {
	readonly id: string;
	readonly name: string;
	readonly nodes: readonly INode[];
	readonly connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
}

const isNote = ({ type }: INode): boolean => type === 'n8n-nodes-base.stickyNote';

async function fitted(file: string, model: object = REPLAY): Promise<Example> {
	const { fitExample } = await import('../../examples/setup/examples.mjs');
	return fitExample(file, { model, reports: '/reports', url: 'http://127.0.0.1:6789' }) as Example;
}

/** Left, top, right and bottom; a node is drawn 96 wide and high, its name below it. */
function boxOf({ position: [left, top], parameters: { width = 96, height = 96 } }: INode): number[] {
	return [left, top, left + Number(width), top + Number(height)];
}

function overlap(one: INode, other: INode): boolean {
	const [left = 0, top = 0, right = 0, bottom = 0] = boxOf(one);
	const [otherLeft = 0, otherTop = 0, otherRight = 0, otherBottom = 0] = boxOf(other);
	return left < otherRight && otherLeft < right && top < otherBottom && otherTop < bottom;
}

describe.each(index.map(({ file, id, title }) => [file, id, title]))('%s', (file, id, title) => {
	it('has the id and the title of the index', async () => {
		const { id: ownId, name } = await fitted(file);
		expect([ownId, name]).toEqual([id, title]);
		expect(ownId).toHaveLength(16);
	});

	it('has a note and no nodes on top of each other', async () => {
		const { nodes } = await fitted(file);
		expect(nodes.filter(isNote).length).toBeGreaterThan(0);
		const pairs = nodes.flatMap((one, at) => nodes.slice(at + 1).map((other) => [one, other] as const));
		expect(pairs.filter(([one, other]) => isNote(one) === isNote(other) && overlap(one, other)).map(([one, other]) => [one.name, other.name])).toEqual([]);
	});

	it('names every node once, connects only nodes that exist, and is filled whole', async () => {
		const { nodes, connections } = await fitted(file);
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id: nodeId }) => nodeId)).size).toBe(names.length);
		const ends = Object.values(connections).flatMap((ports) => Object.values(ports).flat(2).map(({ node }) => node));
		expect([...Object.keys(connections), ...ends].filter((name) => !names.includes(name))).toEqual([]);
		expect(JSON.stringify(nodes)).not.toMatch(/EXAMPLES_FOLDER|REPORTS_FOLDER|N8N_ADDRESS|:5678|MODEL_(SENTENCE|PHRASE)/);
	});

	it('tells to start only triggers that need no call from outside', async () => {
		const { nodes } = await fitted(file);
		const told = nodes.filter(isNote).flatMap(({ parameters }) => [...String(parameters.content).matchAll(/\*from ([^*]+)\*/g)].map(([, name]) => name));
		const runsAtOnce = /\.(manualTrigger|scheduleTrigger|eventQueueTrigger)$/;
		expect(told.filter((name) => !runsAtOnce.test(nodes.find((node) => node.name === name)?.type ?? ''))).toEqual([]);
	});

	it('gets the chosen model in every Chat Model node', async () => {
		const ollama = { provider: 'ollama', model: 'qwen3:8b', title: 'Chat Model: Ollama', sentence: 'Ollama.' };
		const models = (await fitted(file, ollama)).nodes.filter(({ type }) => type.endsWith('.chatModel'));
		expect(models.every(({ name, parameters }) => name.endsWith(': Ollama') && parameters.provider === 'ollama')).toBe(true);
		const replays = (await fitted(file)).nodes.filter(({ type }) => type.endsWith('.chatModel'));
		expect(replays.map(({ parameters }) => parameters.provider)).toEqual(models.map(() => 'replay'));
	});
});

it('makes secrets of the installation, always the same, and keeps none in the files', async () => {
	const { exampleCredentials } = await import('../../examples/setup/examples.mjs');
	const made = exampleCredentials(REPLAY, 'seed') as Array<{ name: string; data: Record<string, string> }>;
	expect(exampleCredentials(REPLAY, 'seed')).toEqual(made);
	expect(made.filter(({ data }) => Object.values(data).includes('GENERATED'))).toEqual([]);
	expect(readFileSync(join(folder, 'index.json'), 'utf8')).not.toMatch(/"(?:secret|token|apiKey|sessionToken)": "(?!GENERATED")[^"]+"/);
});
