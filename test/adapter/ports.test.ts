import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { IExecuteFunctions } from 'n8n-workflow';
import { portsOf } from '../../lib/n8n/ports';

const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A context whose egress filter allows only addresses without /secret, and notes what it was asked. */
function context(asked: string[]): IExecuteFunctions {
	const validateUrl = async (url: string) => {
		asked.push(new URL(url).pathname);
		return url.includes('/secret') ? { ok: false, error: new Error('blocked') } : { ok: true };
	};
	return { logger: { debug: () => undefined }, helpers: { getSecureEgressFilter: () => ({ validateUrl }) } } as unknown as IExecuteFunctions;
}

afterEach(async () => {
	for (const name of ['HTTP_PROXY', 'NO_PROXY']) delete process.env[name];
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

describe('the fetch of nodes', () => {
	it('asks n8n about every hop of a redirect and stops at the first that is not allowed', async () => {
		const reached: (string | undefined)[] = [];
		const url = await listen(createServer((request, response) => {
			reached.push(request.url);
			const next = { '/a': '/b', '/b': '/secret' }[request.url ?? ''];
			response.writeHead(next ? 307 : 200, next ? { location: next } : {}).end('ok');
		}));
		const asked: string[] = [];
		await expect(portsOf(context(asked)).fetch(`${url}/a`, { method: 'POST', body: '{}' })).rejects.toMatchObject({
			code: 'BAD_INPUT', message: expect.stringContaining('n8n does not allow requests to 127.0.0.1'),
		});
		expect([asked, reached]).toEqual([['/a', '/b', '/secret'], ['/a', '/b']]);
	});

	it('sends nothing of a request to another server that it is redirected to', async () => {
		const other = await listen(createServer((_request, response) => response.end('stolen')));
		const url = await listen(createServer((_request, response) => response.writeHead(307, { location: other }).end()));
		const request = portsOf(context([])).fetch(`${url}/a`, { method: 'POST', headers: { authorization: 'Bearer x' }, body: '{}' });
		await expect(request).rejects.toThrow('redirects to another server');
	});

	it('goes through the proxy that the administrator set, and past it where it says so', async () => {
		const through: (string | undefined)[] = [];
		const url = await listen(createServer((_request, response) => response.end('answer')));
		const proxy = createServer();
		proxy.on('connect', (request, socket) => {
			through.push(request.url);
			const [host, port] = (request.url ?? '').split(':');
			const onward = connect(Number(port), host, () => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				socket.pipe(onward).pipe(socket);
			});
			for (const end of [socket, onward]) end.on('error', () => end.destroy());
		});
		process.env.HTTP_PROXY = await listen(proxy);
		const { fetch } = portsOf(context([]));
		expect(await (await fetch(`${url}/x`)).text()).toBe('answer');
		process.env.NO_PROXY = '127.0.0.1';
		expect(await (await fetch(`${url}/x`)).text()).toBe('answer');
		expect(through).toEqual([new URL(url).host]);
	});
});
