import type { Embedder } from '../../lib/core/document';
import { readIntentMap } from '../../lib/routing/intent-map';
import { routeSummary, routeTools, type RouteOptions } from '../../lib/routing/tool-router';
import { fakeEmbedder } from '../support/fake-embedder';
import { tool } from '../support/test-nodes';

const named = (name: string, description: string) => tool(name, () => ({ text: '' }), { intent: description, description });
const tools = [
	named('stock_level', 'How many spare parts are in stock.'),
	named('weather', 'Weather forecast of a town.'),
	named('listerPannes', 'Liste les pannes d’une machine.'),
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
		expect((await names('Envoie un courriel à l’atelier'))[0]).toBe('sendMail');
	});

	it('reads the demand after a long pasted text', async () => {
		const log = 'line of a log without any sense; '.repeat(1_000);
		expect((await names(`${log}\nHow many spare parts are in stock?`, { topK: 1 }))[0]).toBe('stock_level');
		expect((await names(`How many spare parts are in stock?\n${log}`, { topK: 1 }))[0]).toBe('stock_level');
	});

	it('always shows a tool that the query names, also among others that say the same', async () => {
		const alike = Array.from({ length: 9 }, (_, at) => named(`delete_invoice_v${at + 1}`, 'Delete an invoice.'));
		const { tools: shown } = await routeTools(alike, 'Use delete_invoice_v7 for invoice 12.', { ...options, embedder: fakeEmbedder() });
		expect(shown[0]?.name).toBe('delete_invoice_v7');
		const other = await routeTools([...tools, ...alike], 'sunshine, with delete_invoice_v9', { ...options, minRelevance: 0.99 });
		expect(other.tools.map(({ name }) => name)).toEqual(['delete_invoice_v9']);
	});

	it('shows always-on tools first and reports names that are not connected', async () => {
		const intents = readIntentMap({ gone: 'Nothing.' });
		const route = await routeTools(tools, 'stock', { ...options, topK: 1, alwaysOn: ['weather', 'nowhere'], intents });
		expect(route.tools.map(({ name }) => name)).toEqual(['weather', 'stock_level']);
		expect(route.warnings).toEqual(['Always-on tools that are not connected: nowhere', 'Intents of tools that are not connected: gone']);
	});

	it('passes few tools through untouched and counts the tokens spared otherwise', async () => {
		const all = await routeTools(tools, 'stock', { ...options, passthroughUpTo: 4 });
		expect(all).toMatchObject({ method: 'passthrough', tools, hidden: [] });
		const some = await routeTools(tools, 'stock', { ...options, topK: 1 });
		expect(some.tokensAll).toBe(all.tokensAll);
		expect(some.tokensShown).toBeLessThan(some.tokensAll / 2);
		expect(some.hidden.map(({ name }) => name)).toEqual(['weather', 'listerPannes', 'sendMail']);
		expect(routeSummary({ ...some, tokensAll: 84_312, tokensShown: 388 })).toBe('1 of 4 tools, about 84,000 tokens saved');
	});

	it('blends words and meaning when there is an encoder, and asks it for each text only once', async () => {
		const base = fakeEmbedder();
		const sent: string[][] = [];
		const embedder: Embedder = { id: 'test/routing-once', embed: async (texts, how) => (sent.push([...texts]), await base.embed(texts, how)) };
		const route = await routeTools(tools, 'spare parts stock', { ...options, embedder });
		expect(route.method).toBe('blend');
		expect(route.tools[0]?.name).toBe('stock_level');
		await routeTools(tools, 'town weather', { ...options, embedder });
		expect(sent.map(({ length }) => length)).toEqual([9, 1, 1]);
	});

	it('falls back to words when the encoder fails, and says why', async () => {
		const embedder: Embedder = { id: 'test/dead', embed: async () => Promise.reject(new Error('out of memory')) };
		const route = await routeTools(tools, 'weather', { ...options, embedder });
		expect(route).toMatchObject({ method: 'lexical', warnings: [expect.stringContaining('out of memory')] });
		expect(route.tools[0]?.name).toBe('weather');
	});

	it('takes no tools, one tool, an empty query, a huge query and a tool without description', async () => {
		expect(await routeTools([], 'x', options)).toMatchObject({ tools: [], tokensAll: 0, method: 'passthrough' });
		expect((await routeTools(tools.slice(0, 1), 'stock', options)).tools).toHaveLength(1);
		expect(await names('')).toHaveLength(2);
		expect((await names(`weather ${'filler '.repeat(7_000)}`))[0]).toBe('weather');
		const bare = [...tools, tool('', () => ({ text: '' }), { intent: '', description: '' })];
		expect((await routeTools(bare, 'stock', options)).tools[0]?.name).toBe('stock_level');
	});

	it('T07 keeps braces of a description as they are, and routes two tools of one name and a Chinese description', async () => {
		const braces = named('renvoie_ok', 'renvoie {"ok": true}}}');
		const odd = [...tools, braces, named('weather', 'Marées et houle.'), named('tianqi', '查询城市天气预报')];
		const route = await routeTools(odd, '查询城市天气预报', { ...options, topK: 1 });
		expect(route.tools.map(({ name }) => name)).toEqual(['tianqi']);
		expect(route.hidden).toContain(braces);
		expect((await routeTools(odd, 'marées', { ...options, topK: 1 })).tools[0]?.description).toBe('Marées et houle.');
	});

	it('says that none fits, keeps the always-on tools, and lets small talk spend no tokens', async () => {
		const route = await routeTools(tools, 'bonjour, merci', { ...options, alwaysOn: ['weather'] });
		expect(route).toMatchObject({ noneRelevant: true, ranked: [] });
		expect(route.tools.map(({ name }) => name)).toEqual(['weather']);
		expect(routeSummary(route)).toContain('1 of 4 tools (none of the others fits the query)');
		expect((await routeTools(tools, 'stock', { ...options, topK: 3, minRelevance: 0.5 })).tools.map(({ name }) => name)).toEqual(['stock_level']);
		expect(await names('stock', { topK: 3 })).toHaveLength(3);
	});

	it('gives each demand of a query its tool, and keeps an enumeration together', async () => {
		const route = await routeTools(tools, 'Check the weather and send a mail to the workshop', { ...options, topK: 2 });
		expect(route.demands).toEqual(['Check the weather', 'send a mail to the workshop']);
		expect(route.tools.map(({ name }) => name).sort()).toEqual(['sendMail', 'weather']);
		expect((await routeTools(tools, 'Salt and pepper in stock?', options)).demands).toEqual([]);
		expect((await routeTools(tools, 'Cherche le stock, puis envoie un mail', options)).demands).toEqual(['Cherche le stock', 'envoie un mail']);
	});

	it('uses the history where the query alone says nothing', async () => {
		expect((await names('and tomorrow?', { topK: 1, history: 'What was the weather in the town today?' }))[0]).toBe('weather');
	});

	it('does not fill the list with near-duplicates', async () => {
		const many = [1, 2, 3, 4, 5].map((at) => named(`stock_report_${at}`, 'Stock report of spare parts: quantity, place, shelf, price and supplier of each part in the stock.'));
		const others = [...many, named('spare_order', 'Orders spare parts at a supplier.'), ...Array.from({ length: 20 }, (_, at) => named(`other_${at}`, `Unrelated thing number ${at}.`))];
		const route = await routeTools(others, 'stock report of spare parts', { ...options, topK: 3, embedder: fakeEmbedder({ id: 'test/diverse' }) });
		expect(route.tools.map(({ name }) => name)).toContain('spare_order');
	});
});

describe('a large set', () => {
	const verbs = ['list', 'create', 'update', 'delete', 'export'];
	const many = Array.from({ length: 2_500 }, (_, at) => named(`${verbs[at % 5]}_record_${at}`, `${verbs[at % 5]} records of kind ${at} for site ${at % 77}, with filters and a page size.`));

	it('is routed in milliseconds after the first time, and embedded once', async () => {
		const embedder = fakeEmbedder({ id: 'test/large', dimension: 384 });
		const set = [...many, ...tools];
		await routeTools(set, 'weather', { ...options, embedder });
		const times: number[] = [];
		for (const query of ['stock of parts', 'town weather', 'send a mail', 'export records of kind 7', 'les pannes']) {
			const fresh = set.map((one) => ({ ...one }));
			const before = process.cpuUsage();
			const route = await routeTools(fresh, query, { ...options, embedder });
			times.push(process.cpuUsage(before).user / 1_000);
			expect(route.tools).toHaveLength(2);
			expect(route.hidden).toHaveLength(2_502);
		}
		expect(times.sort((a, b) => a - b)[2]).toBeLessThan(50);
		expect(embedder.requests.slice(-5).every((request) => request.options.kind === 'query')).toBe(true);
	});
});

describe('IntentMap', () => {
	const intents = readIntentMap([
		{ tool: 'weather', intent: 'Peut-on lever la grue demain ?', tags: 'chantier, grue', examples: 'Is the wind too strong for the crane?\nVent fort ?' },
		{ tool: 'sendMail', tags: ['bureau'] },
	]);

	it('matches and shows the intents, also by the words of the example questions', async () => {
		const route = await routeTools(tools, 'wind at the crane', { ...options, topK: 1, intents });
		expect(route.tools[0]).toMatchObject({ name: 'weather', intent: 'Peut-on lever la grue demain ?', description: 'Peut-on lever la grue demain ? Weather forecast of a town.' });
		const embedded = await routeTools(tools, 'is the wind too strong', { ...options, topK: 1, intents, embedder: fakeEmbedder({ id: 'test/examples' }) });
		expect(embedded.tools[0]?.name).toBe('weather');
	});

	it('filters by tags; tools without tags stay', async () => {
		expect(await names('mail weather stock', { topK: 4, intents, tags: ['chantier'] })).not.toContain('sendMail');
		expect(await names('mail weather stock', { topK: 4, intents, tags: ['chantier'] })).toContain('stock_level');
	});

	it('reads an object, rows, JSON text, and refuses other forms with words', () => {
		expect([...readIntentMap('{"a": "Does a.", "b": {"intent": "B", "tags": ["x"]}}').keys()]).toEqual(['a', 'b']);
		expect(readIntentMap('').size).toBe(0);
		expect(readIntentMap([{ name: 'a', intent: ' two\nlines ' }]).get('a')?.intent).toBe('two lines');
		expect(() => readIntentMap('no table')).toThrow('not a table of tools: no table');
		expect(() => readIntentMap(['x'])).toThrow('not a table');
	});
});
