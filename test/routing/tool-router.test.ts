import type { Embedder } from '../../lib/core/document';
import { routeTools, type RouteOptions } from '../../lib/routing/tool-router';
import { fakeEmbedder } from '../support/fake-embedder';
import { tool } from '../support/test-nodes';

const tools = [
	tool('stock_level', () => ({ text: '' }), { intent: 'How many spare parts are in stock.', description: 'How many spare parts are in stock.' }),
	tool('weather', () => ({ text: '' }), { intent: 'Weather forecast of a town.', description: 'Weather forecast of a town.' }),
	tool('listerPannes', () => ({ text: '' }), { intent: 'Liste les pannes d’une machine.', description: 'Liste les pannes d’une machine.' }),
	tool('sendMail', () => ({ text: '' }), { intent: 'Send an e-mail.', description: 'Send an e-mail. Returns {"ok": true}}} {{x}}.' }),
];
const options: RouteOptions = { topK: 2, passthroughUpTo: 0, alwaysOn: [] };
const names = async (query: string, more: Partial<RouteOptions> = {}) =>
	(await routeTools(tools, query, { ...options, ...more })).tools.map(({ name }) => name);

describe('routeTools', () => {
	it('puts the fitting tool first, in English and French, by words alone', async () => {
		expect((await names('parts left in stock?'))[0]).toBe('stock_level');
		expect((await names("les pannes de l'excavatrice"))[0]).toBe('listerPannes');
		expect((await names('mail to the workshop'))[0]).toBe('sendMail');
	});

	it('shows always-on tools first and reports names that are not connected', async () => {
		const route = await routeTools(tools, 'stock', { ...options, topK: 1, alwaysOn: ['weather', 'nowhere'] });
		expect(route.tools.map(({ name }) => name)).toEqual(['weather', 'stock_level']);
		expect(route.warnings).toEqual(['Always-on tools that are not connected: nowhere']);
	});

	it('passes few tools through untouched and counts the tokens spared otherwise', async () => {
		const all = await routeTools(tools, 'stock', { ...options, passthroughUpTo: 4 });
		expect(all).toMatchObject({ method: 'passthrough', tools });
		const some = await routeTools(tools, 'stock', { ...options, topK: 1 });
		expect(some.tokensAll).toBe(all.tokensAll);
		expect(some.tokensShown).toBeLessThan(some.tokensAll / 2);
	});

	it('blends words and meaning when there is an encoder, and asks it for each tool only once', async () => {
		const base = fakeEmbedder();
		const sent: string[][] = [];
		const embedder: Embedder = { id: 'test/routing-once', embed: async (texts, how) => (sent.push([...texts]), await base.embed(texts, how)) };
		const route = await routeTools(tools, 'spare parts stock', { ...options, embedder });
		expect(route.method).toBe('blend');
		expect(route.tools[0]?.name).toBe('stock_level');
		await routeTools(tools, 'town weather', { ...options, embedder });
		expect(sent.map(({ length }) => length)).toEqual([4, 1, 1]);
	});

	it('falls back to words when the encoder fails, and says why', async () => {
		const embedder: Embedder = { id: 'test/dead', embed: async () => Promise.reject(new Error('out of memory')) };
		const route = await routeTools(tools, 'weather', { ...options, embedder });
		expect(route).toMatchObject({ method: 'lexical', warnings: [expect.stringContaining('out of memory')] });
		expect(route.tools[0]?.name).toBe('weather');
	});

	it('takes no tools, an empty query, a huge query and a tool without description', async () => {
		expect((await routeTools([], 'x', options)).tools).toEqual([]);
		expect(await names('')).toHaveLength(2);
		expect((await names(`weather ${'filler '.repeat(7_000)}`))[0]).toBe('weather');
		const bare = [...tools, tool('', () => ({ text: '' }), { intent: '', description: '' })];
		expect((await routeTools(bare, '天气', options)).tools).toHaveLength(2);
	});
});
