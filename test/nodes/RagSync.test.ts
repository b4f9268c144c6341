import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Container } from '@n8n/di';
import { SecurityConfig } from '@n8n/config';
import type { IDataObject } from 'n8n-workflow';
import { runOne, indexItems } from './rag-nodes';

const outcomes = (items: Array<{ json: IDataObject }>) =>
	items.map(({ json }) => [(json.index as IDataObject).documentId, (json.index as IDataObject).outcome]);

describe('RAG Index: folders, sync and filters', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'rag-folder-'));
	const outside = mkdtempSync(path.join(tmpdir(), 'rag-outside-'));
	const security = Container.get(SecurityConfig);
	const before = security.restrictFileAccessTo;
	beforeAll(() => {
		security.restrictFileAccessTo = folder;
		mkdirSync(path.join(folder, 'sous-dossier'));
		writeFileSync(path.join(folder, 'a.md'), '# Pompe\n\nPurger la pompe.');
		writeFileSync(path.join(folder, 'sous-dossier', 'b.txt'), 'Fermer la vanne.');
		writeFileSync(path.join(folder, 'c.bin'), 'x\0y');
		writeFileSync(path.join(folder, '.hidden'), 'secret');
		writeFileSync(path.join(outside, 'secret.txt'), 'secret');
		symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'link.txt'));
	});
	afterAll(() => {
		security.restrictFileAccessTo = before;
		rmSync(folder, { recursive: true });
		rmSync(outside, { recursive: true });
	});
	const sync = async (parameters: IDataObject = {}) =>
		await runOne({
			type: 'index',
			parameters: { operation: 'sync', knowledgeBase: 'folder', from: 'folder', folder, scope: 'folder', listComplete: true, ...parameters },
			items: [{ json: { night: 1 } }],
		});

	it('reads a folder, tells what cannot be read, and keeps to what n8n allows', async () => {
		const run = await sync();
		expect(run.error).toBeUndefined();
		expect(outcomes(run.items('N'))).toEqual([['a.md', 'added'], ['sous-dossier/b.txt', 'added']]);
		expect(run.items('N')[0]).toMatchObject({ json: { night: 1 }, pairedItem: { item: 0 } });
		const unreadable = run.items('N', 1).map(({ json }) => json.index as IDataObject);
		expect(unreadable.map(({ documentId }) => documentId)).toEqual(['c.bin', 'link.txt']);
		expect(unreadable[1]?.reason).toContain('n8n does not allow reading');
		expect((await sync({ folder: outside })).error?.message).toBe(`n8n does not allow reading ${outside}`);
		expect((await sync({ folder: path.join(folder, 'none') })).error?.message).toContain('There is no folder');
		expect((await sync({ folder: '../x' })).error?.message).toBe('"../x" is not the full path of a folder');
	});

	it('brings a folder up to date the next night, and the one after', async () => {
		writeFileSync(path.join(folder, 'a.md'), '# Pompe\n\nPurger la pompe deux fois.');
		writeFileSync(path.join(folder, 'd.txt'), 'Graisser le palier.');
		expect(outcomes((await sync()).items('N'))).toEqual([['a.md', 'updated'], ['d.txt', 'added'], ['sous-dossier/b.txt', 'unchanged']]);
		rmSync(path.join(folder, 'd.txt'));
		expect((await sync()).error?.message).toContain('would remove 1 of its 3 documents, more than 20 %');
		expect(outcomes((await sync({ mostRemoved: 50, dryRun: true })).items('N')).at(-1)).toEqual(['d.txt', 'removed']);
		expect(outcomes((await sync({ mostRemoved: 50 })).items('N')).at(-1)).toEqual(['d.txt', 'removed']);
		const left = await runOne({ type: 'index', parameters: { operation: 'list', knowledgeBase: 'folder' }, items: [{ json: {} }] });
		expect(left.items('N').map(({ json }) => (json.document as IDataObject).id)).toEqual(['a.md', 'sous-dossier/b.txt']);
	});

	it('filters by fields and by JSON, in retrieving, listing and deleting', async () => {
		const options = { metadata: '={{ $json.meta }}' };
		const items = [1, 2, 3, 4].map((n) => ({ id: `d${n}`, text: `La pompe ${n}.`, meta: { n, site: n % 2 ? 'Lyon' : 'Brest', date: `2026-0${n}-01` } }));
		await indexItems('filtered', items, { parameters: { options } });
		const find = async (given: IDataObject) =>
			(await runOne({ type: 'retriever', parameters: { knowledgeBase: 'filtered', query: 'pompe', options: given }, items: [{ json: {} }] })) ;
		const ids = async (given: IDataObject) => ((await find(given)).items('N')[0]!.json.documents as IDataObject[]).map(({ documentId }) => documentId).sort();
		const condition = (field: string, operator: string, value: string, type = 'text') => ({ field, operator, value, type });
		expect(await ids({ filters: { condition: [condition('site', '==', 'Lyon'), condition('n', '>', '1', 'number')] } })).toEqual(['d3']);
		expect(await ids({ filters: { condition: [condition('n', 'in', '1, 4', 'number'), condition('site', '==', 'x')] }, filterJoin: 'or' })).toEqual(['d1', 'd4']);
		expect(await ids({ filters: { condition: [condition('date', '>=', '2026-03', 'date')] }, filterJson: '{"not": {"field": "n", "operator": "==", "value": 4}}' })).toEqual(['d3']);
		expect((await find({ filters: { condition: [condition('n', '>', 'many', 'number')] } })).error?.message).toBe('The filter on "n" needs a number, not "many"');
		expect((await find({ filterJson: '{"field": "n"}' })).error?.message).toContain('The filter cannot be used');
		const gone = await runOne({
			type: 'index',
			parameters: { operation: 'delete', which: 'filter', knowledgeBase: 'filtered', options: { filters: { condition: [condition('site', '==', 'Brest')] } } },
			items: [{ json: {} }],
		});
		expect(gone.items('N')[0]?.json.index).toEqual({ outcome: 'deleted', documentIds: ['d2', 'd4'], knowledgeBase: 'filtered' });
		const all = await runOne({ type: 'index', parameters: { operation: 'delete', which: 'filter', knowledgeBase: 'filtered' }, items: [{ json: {} }] });
		expect(all.error?.message).toBe('There is no filter to choose documents by');
	});

	it('verifies and compacts', async () => {
		const run = async (operation: string) => (await runOne({ type: 'index', parameters: { operation, knowledgeBase: 'folder' }, items: [{ json: {} }] })).items('N')[0]?.json.index;
		expect(await run('verify')).toEqual({ knowledgeBase: 'folder', ok: true, problems: [] });
		expect(await run('compact')).toMatchObject({ outcome: 'compacted', bytes: expect.any(Number) });
	});

	it('refuses files of one machine in queue mode, unless the credential says that the workers share them', async () => {
		process.env.EXECUTIONS_MODE = 'queue';
		try {
			const refused = await indexItems('queue', [{ id: 'a', text: 'pompe' }]);
			expect(refused.error?.message).toContain('n8n runs in queue mode');
			expect((await indexItems('queue', [{ id: 'a', text: 'pompe' }], { storage: 'team' })).error?.message).toContain('n8n runs in queue mode');
		} finally {
			delete process.env.EXECUTIONS_MODE;
		}
	});
});
