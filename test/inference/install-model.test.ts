import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installModel, isHubName, type InstallRequest } from '../../lib/inference/install-model';
import { fakePorts, type FakePorts } from '../support/fake-ports';
import { writeCrossEncoder, writeEncoder } from '../support/tiny-models';

/** A hub on 127.0.0.1 with the routes of huggingface.co that are used: model, tree, and files that lie on "another" server. */
class FakeHub {
	readonly asked: string[] = [];
	/** Files that are served with other bytes than the tree says. */
	readonly spoilt = new Map<string, Buffer>();
	private server: Server | undefined;
	url = '';

	constructor(private readonly folder: () => string) {}

	async start(): Promise<void> {
		this.server = createServer((request, response) => {
			const route = decodeURIComponent(request.url ?? '');
			this.asked.push(route);
			const [, file] = /^\/lab\/tiny\/resolve\/commit1\/(.+)$/.exec(route) ?? [];
			if (route === '/api/models/lab/tiny/revision/main') return void response.end('{"id":"lab/tiny","sha":"commit1"}');
			if (route === '/api/models/lab/tiny/tree/commit1?recursive=true') return void response.end(JSON.stringify(this.tree()));
			if (file) return void response.writeHead(302, { location: `/cdn/${file}` }).end();
			if (route.startsWith('/cdn/')) return void response.end(this.spoilt.get(route.slice(5)) ?? readFileSync(path.join(this.folder(), route.slice(5))));
			response.writeHead(404).end('{"error":"Repository not found"}');
		});
		await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise((resolve) => this.server?.close(resolve));
	}

	private tree(): object[] {
		const names = readdirSync(this.folder(), { recursive: true, encoding: 'utf8' });
		return [...names, 'README.md', '../evil'].map((name) => {
			const file = path.join(this.folder(), name);
			if (!existsSync(file) || name === '../evil') return { type: 'file', path: name, size: 3 };
			if (statSync(file).isDirectory()) return { type: 'directory', path: name, size: 0 };
			const lfs = { oid: createHash('sha256').update(readFileSync(file)).digest('hex'), size: statSync(file).size };
			return { type: 'file', path: name, size: 130, lfs };
		});
	}
}

describe('installing a model from a hub', () => {
	let root: string;
	let hub: FakeHub;
	let ports: FakePorts;
	const before = process.env.HF_ENDPOINT;
	beforeEach(async () => {
		root = mkdtempSync(path.join(tmpdir(), 'hub-'));
		hub = new FakeHub(() => path.join(root, 'source'));
		await hub.start();
		ports = fakePorts();
		process.env.HF_ENDPOINT = `${hub.url}/`;
	});
	afterEach(async () => {
		await hub.stop();
		rmSync(root, { recursive: true });
		if (before === undefined) delete process.env.HF_ENDPOINT;
		else process.env.HF_ENDPOINT = before;
	});

	const models = (): string => path.join(root, 'models');
	const install = async (more: Partial<InstallRequest> = {}): Promise<string> =>
		await installModel({ model: 'lab/tiny', dtype: 'fp32', types: ['hf_encoder'], modelsFolder: models(), who: { node: 'Embeddings', workflow: 'w' }, ...more }, ports);

	it('fetches what is needed, checks it, says how far it is, and never asks again', async () => {
		writeEncoder(path.join(root, 'source'), ['a', 'b'], { 'onnx/model_q4.onnx': {} });
		const seen: number[] = [];
		const folder = await install({ onProgress: (done, all) => seen.push(Math.round((done / all) * 100)) });
		expect(folder).toBe(path.join(models(), 'lab/tiny'));
		expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
			'config.json', 'engine-settings.json', 'onnx', 'onnx/model.onnx', 'tokenizer.json', 'tokenizer_config.json',
		]);
		expect(seen.at(-1)).toBe(100);
		expect(ports.logged.at(0)?.message).toContain('Fetching model lab/tiny (fp32');
		const asked = hub.asked.length;
		expect(asked).toBeGreaterThan(0);
		await install();
		expect(hub.asked).toHaveLength(asked);
		expect(readdirSync(models())).toEqual(['lab']);
	});

	it('notes kind, commit and hash of what was fetched, and by whom', async () => {
		writeEncoder(path.join(root, 'source'), ['a']);
		const file = path.join(await install(), 'engine-settings.json');
		const onnx = createHash('sha256').update(readFileSync(path.join(root, 'source/onnx/model.onnx'))).digest('hex');
		expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
			values: { model: 'lab/tiny', type: 'hf_encoder', revision: 'commit1', 'sha256 fp32': onnx },
			lockedBy: { node: 'Embeddings', workflow: 'w', pid: process.pid },
		});
	});

	it('shares one download between requests that come together', async () => {
		writeEncoder(path.join(root, 'source'), ['a']);
		await Promise.all([install(), install(), install()]);
		expect(hub.asked.filter((route) => route.startsWith('/cdn/onnx'))).toHaveLength(1);
	});

	it('leaves nothing when the kind is another than declared', async () => {
		writeCrossEncoder(path.join(root, 'source'), { a: 1 });
		await expect(install()).rejects.toThrow('"lab/tiny" is declared as hf_encoder, but its files are those of cross_encoder');
		expect(readdirSync(models())).toEqual([]);
	});

	it.each([
		['another size', Buffer.from('x'), /onnx\/model\.onnx has 1 bytes instead of \d+/],
		['another hash', undefined, /onnx\/model\.onnx has SHA-256 [0-9a-f]{64} instead of/],
	])('refuses a file of %s and leaves nothing', async (_, bytes, message) => {
		writeEncoder(path.join(root, 'source'), ['a']);
		const file = path.join(root, 'source/onnx/model.onnx');
		hub.spoilt.set('onnx/model.onnx', bytes ?? Buffer.alloc(statSync(file).size));
		await expect(install()).rejects.toMatchObject({ code: 'UPSTREAM', retryable: true, message: expect.stringMatching(message) });
		expect(existsSync(path.join(models(), 'lab'))).toBe(false);
	});

	it('says which data types are there, and when the hub has no such model', async () => {
		writeEncoder(path.join(root, 'source'), ['a'], { 'onnx/model_quantized.onnx': {} });
		await expect(install({ dtype: 'q4' })).rejects.toMatchObject({ code: 'BAD_INPUT', remedy: 'Choose a data type that is there: fp32, q8.' });
		await expect(install({ model: 'lab/none' })).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('has no public model "lab/none" (HTTP 404') });
	});

	it('says that the hub cannot be reached', async () => {
		await hub.stop();
		await expect(install()).rejects.toMatchObject({ code: 'UPSTREAM', retryable: true, remedy: expect.stringContaining('path of its folder') });
	});

	it('stops with the reason of the signal', async () => {
		writeEncoder(path.join(root, 'source'), ['a']);
		const reason = new Error('left');
		await expect(install({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		expect(existsSync(path.join(models(), 'lab'))).toBe(false);
	});

	it('adds a second data type to a model that is there', async () => {
		writeEncoder(path.join(root, 'source'), ['a']);
		const folder = await install();
		writeFileSync(path.join(root, 'source/onnx/model_quantized.onnx'), 'other');
		await install({ dtype: 'q8' });
		const { values } = JSON.parse(readFileSync(path.join(folder, 'engine-settings.json'), 'utf8'));
		expect(Object.keys(values)).toEqual(['model', 'type', 'revision', 'sha256 fp32', 'sha256 q8']);
	});

	it.each([['lab/tiny', true], ['tiny', false], ['/srv/models/tiny', false], ['../x', false], ['C:\\models\\x', false], ['a/b/c', false]])(
		'%s is a name on the hub: %s',
		(name, expected) => expect(isHubName(name)).toBe(expected),
	);
});
