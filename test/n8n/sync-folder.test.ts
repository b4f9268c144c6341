/** The example "Sync a folder every night" in a real n8n: night after night, with changes in between. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectToN8n, publish, realN8n, runByWebhook, type RestCall, type TestWorkflow } from '../support/real-n8n';
import { webhookWorkflow } from '../support/webhook-workflow';

jest.setTimeout(180_000);

let call: RestCall;
let folder: string;
const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);

beforeAll(async () => {
	call = await connectToN8n();
	folder = path.join(realN8n().user.reports, 'synced');
	mkdirSync(path.join(folder, 'pumps'), { recursive: true });
	const example = readFileSync(path.join(__dirname, '../../examples/workflows/sync-folder-every-night.json'), 'utf8');
	const text = example.replaceAll('EXAMPLES_FOLDER/data/procedures', JSON.stringify(folder).slice(1, -1));
	await publish(call, JSON.parse(text) as TestWorkflow);
	const search = webhookWorkflow('syncFolderAsk001', 'sync-folder-ask', [
		['Retriever', 'ragRetriever', 1, { knowledgeBase: 'folder', query: '={{ $json.body.query }}', topK: 1 }],
		['Embeddings', 'embeddings', 1, { provider: 'local', localModel: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4' }],
	], [['Webhook', 'main', 'Retriever'], ['Embeddings', 'ai_embedding', 'Retriever']]);
	await publish(call, search);
});

async function night() {
	const { answer, execution } = await runByWebhook(call, 'syncFolderNight1', 'sync-folder');
	return { status: execution.status, changed: answer.body as Record<string, string[]>, error: execution.error?.message };
}

async function ask(query: string) {
	const { answer } = await runByWebhook(call, 'syncFolderAsk001', 'sync-folder-ask', { query });
	return (answer.body as { documents: Array<Record<string, unknown>> }).documents[0];
}

describe('a folder that is synchronised every night', () => {
	it('the first night adds all files, and they are found by French and English questions with their source', async () => {
		write('pumps/purge.md', '# Purge de la pompe N-92c\n\nPurger la pompe avant le démarrage, jamais sous pression.');
		write('valve.md', '# Safety valve\n\nThe safety valve P101/A opens at 50 bar. Test it every six months.');
		write('grease.txt', 'Grease the slew ring every 250 hours.');
		write('teeth.txt', 'Replace the bucket teeth when they are shorter than 80 mm.');
		write('page.html', '<html><body><h1>Coolant</h1><p>Coolant temperature alarm: stop the engine.</p></body></html>');
		write('scan.pdf', 'not a pdf');
		const { status, changed } = await night();
		expect(status).toBe('success');
		expect(changed).toEqual({ added: ['grease.txt', 'page.html', 'pumps/purge.md', 'teeth.txt', 'valve.md'], updated: [], changed: [], unchanged: [], removed: [], unreadable: ['scan.pdf'] });
		expect(await ask('Que faire avant de démarrer la pompe N92C ?')).toMatchObject({ source: 'pumps/purge.md', section: 'Purge de la pompe N-92c', text: expect.stringContaining('jamais sous pression') });
		expect(await ask('At which pressure does the safety valve open?')).toMatchObject({ source: 'valve.md', text: expect.stringContaining('50 bar') });
	});

	it('the second night takes only what changed, and removes what is gone', async () => {
		write('valve.md', '# Safety valve\n\nThe safety valve P101/A opens at 60 bar. Test it every six months.');
		write('new.md', '# Hydraulic oil\n\nChange the hydraulic oil every 2,000 hours.');
		rmSync(path.join(folder, 'grease.txt'));
		const { changed } = await night();
		expect(changed).toMatchObject({ added: ['new.md'], updated: ['valve.md'], unchanged: ['page.html', 'pumps/purge.md', 'teeth.txt'], removed: ['grease.txt'] });
		expect(await ask('At which pressure does the safety valve open?')).toMatchObject({ text: expect.stringContaining('60 bar') });
		expect((await ask('slew ring grease'))?.source).not.toBe('grease.txt');
	});

	it('the third night refuses to empty the knowledge base when the folder is as good as gone', async () => {
		for (const name of ['valve.md', 'new.md', 'teeth.txt', 'page.html']) rmSync(path.join(folder, name));
		const { status, error } = await night();
		expect([status, error]).toEqual(['error', expect.stringContaining('would remove 4 of its 5 documents, more than 20 %')]);
		expect(await ask('At which pressure does the safety valve open?')).toMatchObject({ source: 'valve.md' });
	});
});
