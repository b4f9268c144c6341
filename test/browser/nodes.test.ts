import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEditor, type Editor } from '../support/editor';
import { connectToN8n, publish } from '../support/real-n8n';

interface NodeType {
	readonly name: string;
	readonly displayName: string;
	readonly defaultVersion: number;
	/** Port types, or an expression for nodes whose mode decides. */
	readonly properties: ReadonlyArray<{ readonly name: string; readonly type: string; readonly displayOptions?: unknown }>;
	readonly outputs: string | ReadonlyArray<string | { readonly type: string }>;
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { n8n: { nodes: string[] } };
const classNames = manifest.n8n.nodes.map((file) => /([^/]+)\.node\.js$/.exec(file)?.[1] ?? file);
const workflowId = 'everyNode0000001';

jest.setTimeout(60_000);

let editor: Editor;
let types: Map<string, NodeType>;

const typeOf = (className: string): NodeType => {
	const type = types.get(`n8n-nodes-reactengine.${className}`.toLowerCase());
	if (!type) throw new Error(`n8n does not know ${className}`);
	return type;
};

beforeAll(async () => {
	const call = await connectToN8n();
	const all = (await (await call.get('/types/nodes.json')).json()) as NodeType[];
	types = new Map(all.map((type) => [type.name.toLowerCase(), type]));
	const nodes = classNames.map((className, index) => ({
		id: className,
		name: typeOf(className).displayName,
		type: typeOf(className).name,
		typeVersion: typeOf(className).defaultVersion,
		position: [(index % 4) * 300, Math.floor(index / 4) * 250] as [number, number],
		parameters: {},
	}));
	await publish(call, { id: workflowId, name: 'Every node', nodes, connections: {} }, { draft: true });
	editor = await openEditor();
});

afterAll(async () => {
	await editor?.close();
});

/** An input at which the editor offers nodes of that output. */
const PLACES: Record<string, string> = { ai_languageModel: 'ReAct Agent', ai_tool: 'ReAct Agent', ai_embedding: 'RAG Index' };

describe('the editor', () => {
	it('shows every node on the canvas', async () => {
		await editor.openWorkflow(workflowId);
		await editor.takePicture('every-node');
		expect(await editor.page.getByTestId('canvas-node').count()).toBe(classNames.length);
		expect(await editor.takeProblems()).toEqual([]);
	});

	it.each(classNames)('offers %s where it can be used', async (className) => {
		const { displayName, outputs } = typeOf(className);
		const [first] = Array.isArray(outputs) ? outputs : ['main'];
		const port = typeof first === 'string' ? first : (first as { type: string }).type;
		const place = PLACES[port];
		const found = place === undefined ? await editor.searchNodes(displayName) : await editor.searchAtInput(place, port, displayName);
		expect(found).toContain(displayName);
		expect(await editor.takeProblems()).toEqual([]);
	});

	it.each(classNames)('opens the panel of %s without errors', async (className) => {
		const { displayName } = typeOf(className);
		await editor.openPanel(displayName);
		await editor.takePicture(`panel-${className}`);
		expect(await editor.page.getByTestId('node-title-container').textContent()).toContain(displayName);
		expect(await missingFields(className)).toEqual([]);
		expect(await editor.takeProblems()).toEqual([]);
		await editor.closePanel();
	});

	it('shows the server and its key field for an OpenAI-compatible model', async () => {
		await editor.openPanel('Chat Model');
		await editor.page.getByTestId('parameter-input-provider').click();
		await editor.page.getByTestId('parameter-input-item').filter({ hasText: 'OpenAI-Compatible' }).click();
		await editor.page.getByTestId('parameter-input-preset').waitFor();
		await editor.page.getByTestId('parameter-input-authentication').waitFor();
		await editor.takePicture('panel-ChatModel-openai-compatible');
		await editor.closePanel();
	});
});

/** Fields that are always to be shown and are not: the editor hides some that credentials depend on. */
async function missingFields(className: string): Promise<string[]> {
	const plain = ['options', 'multiOptions', 'string', 'number', 'boolean', 'json'];
	const wanted = typeOf(className).properties.filter(({ type, displayOptions }) => plain.includes(type) && !displayOptions);
	const shown = await Promise.all(wanted.map(({ name }) => editor.page.getByTestId(`parameter-input-${name}`).count()));
	return wanted.filter((_field, index) => shown[index] === 0).map(({ name }) => name);
}
