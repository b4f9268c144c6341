/** `examples/send-event.mjs` as a command, against a server of the test's own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const command = join(__dirname, '../../examples/send-event.mjs');
let folder: string;
let server: Server;
let url: string;
let asked: Array<{ path: string | undefined; signature: unknown }>;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'send-event-'));
	writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ encryptionKey: 'made-up' }));
	asked = [];
	server = createServer(({ url: path, headers }, response) => {
		asked.push({ path, signature: headers['webhook-signature'] ?? headers['x-frappe-webhook-signature'] });
		response.end('taken');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
	server.close();
	rmSync(folder, { recursive: true });
});

/** What the command printed; throws what it said when it failed. */
async function send(...args: string[]): Promise<string> {
	const { runCommand } = await import('../../examples/setup/processes.mjs');
	return (await runCommand(process.execPath, [command, ...args, '--folder', folder], { cwd: folder, env: {}, say: undefined, what: 'send-event' })) as string;
}

it('sends a signed event to the address that npm start kept, whatever its port', async () => {
	const { keepAddress } = await import('../../examples/setup/address.mjs');
	keepAddress(folder, url);
	expect(await send('crm-complaint')).toBe('200 taken\n');
	expect(asked).toEqual([{ path: '/webhook/crm-index-complaints' }, { path: '/webhook/crm-complaint', signature: expect.stringMatching(/^v1,/) }]);
});

it('sends to another address when one is given', async () => {
	expect(await send('erp-breakdown-ticket', '--url', url)).toBe('200 taken\n');
	expect(asked).toEqual([{ path: '/webhook/erp-breakdown', signature: expect.any(String) }]);
});

it('names the address when nothing answers there', async () => {
	server.close();
	const said = `No n8n answers at ${url}. Start it with "npm start", or give its address with --url.`;
	await expect(send('erp-breakdown-ticket', '--url', url)).rejects.toThrow(said);
});

it('says where it looked when npm start never ran', async () => {
	rmSync(join(folder, 'secrets.json'));
	await expect(send('erp-breakdown-ticket')).rejects.toThrow(`There is no n8n of the examples in ${folder}`);
});

it('lists the examples that take events when none is named', async () => {
	await expect(send()).rejects.toThrow('Name an example that takes events: erp-breakdown-ticket, crm-complaint, crm-reclamation.');
});
