import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lockModel } from '../../lib/inference/lock-model';
import { fakePorts } from '../support/fake-ports';
import { writeEncoder } from '../support/tiny-models';

describe('lock of a model', () => {
	let root: string;
	let models: string;
	beforeEach(() => {
		root = mkdtempSync(path.join(tmpdir(), 'lock-'));
		models = path.join(root, 'models');
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	const who = { node: 'Embeddings', workflow: 'Index' };
	const lock = async (folder: string, ports = fakePorts(), node = who.node): Promise<void> =>
		await lockModel({ folder, dtype: 'fp32', who: { ...who, node }, modelsFolder: models }, ports);
	const lockOf = (file: string): { values: object; lockedBy: object } => JSON.parse(readFileSync(file, 'utf8')) as never;

	it('of one put into the models folder by hand lies beside its files', async () => {
		const folder = writeEncoder(path.join(models, 'lab/encoder'), ['pump']);
		await lock(folder);
		const { values, lockedBy } = lockOf(path.join(folder, 'engine-settings.json'));
		expect(values).toEqual({ type: 'hf_encoder', 'config sha256': expect.stringMatching(/^[0-9a-f]{64}$/), 'weights fp32 bytes': expect.any(Number) });
		expect(lockedBy).toEqual({ ...who, at: '2026-01-01T00:00:00.000Z', pid: process.pid });
	});

	it('of a folder elsewhere lies in the models folder; nothing is written to it', async () => {
		const folder = writeEncoder(path.join(root, 'elsewhere'), ['pump']);
		const before = readdirSync(folder);
		await lock(folder);
		expect(readdirSync(folder)).toEqual(before);
		const [file] = readdirSync(path.join(models, '.locked'));
		expect(lockOf(path.join(models, '.locked', file!)).values).toMatchObject({ type: 'hf_encoder' });
	});

	it('holds: the same model again is fine, other files in its place are refused with who locked it', async () => {
		const folder = writeEncoder(path.join(root, 'elsewhere'), ['pump']);
		await lock(folder);
		await lock(folder, fakePorts(), 'Other');
		writeEncoder(folder, ['pump', 'leak', 'oil']);
		await expect(lock(folder, fakePorts(), 'Other')).rejects.toMatchObject({
			code: 'BAD_INPUT',
			message: expect.stringMatching(/^EngineSettings mismatch: .*\(locked 2026-01-01T00:00:00.000Z by node "Embeddings" of workflow "Index"\)$/),
		});
	});

	it('that cannot be written is a warning', async () => {
		const folder = writeEncoder(path.join(root, 'elsewhere'), ['pump']);
		mkdirSync(models);
		const refused = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
		const ports = fakePorts();
		const clock = { ...ports.clock, now: () => { throw refused; } };
		await lockModel({ folder, dtype: 'fp32', who, modelsFolder: models }, { ...ports, clock });
		expect(ports.logged).toEqual([{ level: 'warn', message: expect.stringContaining('could not be locked: EROFS') }]);
		expect(existsSync(path.join(models, '.locked'))).toBe(false);
	});

	it('looks at the files again only when they changed', async () => {
		const folder = writeEncoder(path.join(models, 'lab/encoder'), ['pump']);
		await lock(folder);
		rmSync(path.join(folder, 'engine-settings.json'));
		await lock(folder);
		expect(existsSync(path.join(folder, 'engine-settings.json'))).toBe(false);
		writeFileSync(path.join(folder, 'config.json'), `${readFileSync(path.join(folder, 'config.json'), 'utf8')}\n`);
		await lock(folder);
		expect(existsSync(path.join(folder, 'engine-settings.json'))).toBe(true);
	});
});
