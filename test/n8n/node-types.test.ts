import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectToN8n, type RestCall } from '../support/real-n8n';

interface NodeType {
	readonly name: string;
	readonly codex?: { readonly alias?: readonly string[] };
	readonly iconUrl: { readonly light: string; readonly dark: string };
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { n8n: { nodes: string[]; credentials: string[] } };
const fileNames = (files: readonly string[]): string[] => files.map((file) => /([^/]+)\.(node|credentials)\.js$/.exec(file)?.[1] ?? file);
/** n8n's names, in lower case: `RAGIndex` and `ragIndex` are one. */
const sorted = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase()).sort();

let call: RestCall;
let types: NodeType[];

beforeAll(async () => {
	call = await connectToN8n();
	const all = (await (await call.get('/types/nodes.json')).json()) as NodeType[];
	types = all.filter((type) => type.name.startsWith('n8n-nodes-reactengine.'));
});

describe('the packed package in n8n', () => {
	it('offers every node, with words to search for', () => {
		expect(sorted(types.map((type) => type.name.split('.')[1] ?? ''))).toEqual(sorted(fileNames(manifest.n8n.nodes)));
		expect(types.filter((type) => !type.codex?.alias?.length).map((type) => type.name)).toEqual([]);
	});

	it('offers every credential', async () => {
		const all = (await (await call.get('/types/credentials.json')).json()) as Array<{ name: string }>;
		const names = new Set(all.map((type) => type.name.toLowerCase()));
		expect(fileNames(manifest.n8n.credentials).filter((name) => !names.has(name.toLowerCase()))).toEqual([]);
	});

	it('serves a light and a dark icon for each', async () => {
		for (const { iconUrl } of types) {
			expect(iconUrl.light).not.toBe(iconUrl.dark);
			for (const path of [iconUrl.light, iconUrl.dark]) {
				const icon = await call.get(`/${path}`);
				expect([path, icon.status, icon.headers.get('content-type')]).toEqual([path, 200, expect.stringContaining('image/svg+xml')]);
			}
		}
	});
});
