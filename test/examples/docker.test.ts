/** The compose file of examples/docker, read as Docker reads it: Docker itself is not needed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Service {
	readonly image: string;
	readonly build?: string;
	readonly user?: string;
	readonly command?: string[];
	readonly ports?: string[];
	readonly volumes?: string[];
	readonly environment?: Record<string, string>;
	readonly healthcheck?: { readonly test: string[] };
	readonly depends_on?: Record<string, { readonly condition: string }>;
}

const folder = path.resolve(__dirname, '../../examples/docker');
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const text = read('compose.yaml');
const compose = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, unknown> };
const services = Object.entries(compose.services);
const { main, 'worker-1': one, 'worker-2': two } = compose.services as Record<string, Service>;

it('has a main, two workers, Redis and a Postgres with pgvector', () => {
	expect(services.map(([name]) => name)).toEqual(['main', 'worker-1', 'worker-2', 'redis', 'postgres']);
	expect([main?.command, one?.command?.[0], two?.command?.[0]]).toEqual([undefined, 'worker', 'worker']);
	expect(compose.services.postgres?.image).toContain('pgvector');
});

it('gives the main and the workers one image and one environment, in queue mode', () => {
	expect(main?.environment).toMatchObject({ EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb', QUEUE_BULL_REDIS_HOST: 'redis', DB_POSTGRESDB_HOST: 'postgres' });
	for (const worker of [one, two]) {
		expect(worker?.environment).toEqual(main?.environment);
		expect([worker?.image, worker?.build]).toEqual([main?.image, main?.build]);
	}
});

it('opens one port, to this machine only', () => {
	expect(services.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:5678:5678']);
});

it('names a version of every image, that of n8n being the one that is tested', async () => {
	const { n8nVersion } = await import('../../examples/setup/places.mjs');
	const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image ?? '');
	for (const image of [...services.map(([, service]) => service.image), ...bases]) expect(image).toMatch(/:\d+\.\d+\.\d+/);
	expect(bases.at(-1)).toBe(`n8nio/n8n:${n8nVersion}`);
	expect(main?.image).toBe(`n8n-reactengine:${n8nVersion}`);
});

it('runs nothing as root', () => {
	expect(services.map(([, { user }]) => user)).toEqual(['node', 'node', 'node', 'redis', 'postgres']);
	expect([...read('Dockerfile').matchAll(/^USER (\S+)/gm)].at(-1)?.[1]).toBe('node');
});

it('checks the health of all, and starts workers after the main', () => {
	expect(services.filter(([, { healthcheck }]) => !healthcheck)).toEqual([]);
	expect(main?.depends_on).toEqual({ postgres: { condition: 'service_healthy' }, redis: { condition: 'service_healthy' } });
	expect(one?.depends_on).toEqual({ main: { condition: 'service_healthy' } });
});

it('takes each secret from .env, and stops when one is missing; the example has none', () => {
	const example = new Map([...read('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
	const asked = [...text.matchAll(/\$\{(\w+)(:\?|:-)/g)];
	expect(new Set(asked.map(([, name]) => name))).toEqual(new Set(example.keys()));
	const secrets = [...example.keys()].filter((name) => /KEY|PASSWORD/.test(name));
	expect(secrets).toHaveLength(4);
	for (const name of secrets) {
		expect(example.get(name)).toBe('');
		expect(asked.filter(([, asking]) => asking === name).map(([, , how]) => how)).not.toContain(':-');
	}
	expect(text).not.toMatch(/PASSWORD: (?!\$)/);
});

it('mounts volumes that it names and files that are there, and nothing over the nodes of the image', () => {
	const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((line) => line.split(':')));
	const named = mounts.map(([source = '']) => source).filter((source) => !source.startsWith('.'));
	expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
	const files = mounts.map(([source = '']) => source).filter((source) => source.startsWith('./'));
	expect(files.filter((file) => !readdirSync(folder).includes(file.slice(2)))).toEqual([]);
	const nodes = /COPY .* (\/home\S+\/nodes)$/m.exec(read('Dockerfile'))?.[1] ?? '';
	expect(nodes).toBe('/home/node/.n8n/nodes');
	expect(mounts.filter(([, target = '']) => nodes.startsWith(`${target}/`) || target.startsWith(nodes))).toEqual([]);
});
