import { writeHtml, type HtmlOptions } from '../../lib/report/html-report';
import { writeJsonLines } from '../../lib/report/json-lines';
import { readRun } from '../../lib/report/read-run';
import type { ReportSource } from '../../lib/report/report-source';
import { writeReport } from '../../lib/report/write-report';
import { makeCall, makeRun } from '../support/make-run';

const options: HtmlOptions = { form: 'page', show: 'everything', language: 'fr', title: '', sections: ['answer', 'check', 'figures', 'sources', 'steps', 'run'], maxRows: 50 };
const inAllForms = async (source: ReportSource): Promise<string[]> => [
	writeReport(source, options),
	await writeHtml(source, options),
	await writeHtml(source, { ...options, form: 'mail' }),
	writeJsonLines({ ...source.run }),
];

describe('secrets', () => {
	it.each([
		['an argument', { smtp_password: 'p4ss,w;rd x' }],
		['an argument in French', { motDePasse: 'abc' }],
		['another one', { 'mot de passe': 'sésame 7', mdp: 'xyz' }],
		['a key', { 'clé d’API': 'k-1234', cle_api: 'k-5678' }],
		['a number', { secret: 424_242 }],
		['something inside', { credentials: { user: 'u-4711', list: ['v-4712'] } }],
		['a header', { headers: { Authorization: 'Token abcdef99', Cookie: 'sid=abc12345' } }],
		['a token', { accessToken: 'q9', token: 'r8', jeton: 's7' }],
	])('as %s are in no form', async (_what, secret) => {
		const values = JSON.stringify(secret).match(/(?<=[:[])(?:"[^"]*"|\d+)/g)!.map((value) => value.replaceAll('"', '')).filter((value) => !value.startsWith('{'));
		const call = makeCall('login', secret, { rows: [secret, { ...secret, cost: 3 }] }, { text: JSON.stringify(secret) });
		const run = makeRun([{ ...call, result: { ...call.result, text: 'ok' } }]);
		for (const text of await inAllForms({ run, documents: [{ title: 't', text: 'x', meta: secret }] })) {
			for (const value of values) expect(text).not.toMatch(new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`));
		}
	});

	it.each([
		['JSON in a result', '{"password":"hunter 22 \\" x9","n":1}', 'hunter|x9'],
		['words', 'Le mot de passe est Tr0ub4dor! et mdp: zebra77', 'Tr0ub|zebra'],
		['an address', 'GET https://u:geheim99@h/x?token=abcd1234&sig=ffff0000#a', 'geheim|abcd1234|ffff0000'],
		['headers', 'x-api-key: 1234abcd\nAuthorization: ApiKey zzzz1111\nCookie: sid=yyyy2222', '1234abcd|zzzz1111|yyyy2222'],
		['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\nxyz\n-----END RSA PRIVATE KEY-----', 'MIIE|xyz'],
		['base64', 'Authorization: Basic YW5uYTpzZWNyZXQ=', 'YW5uYT'],
		['an encrypted token', 'eyJhbGciOiJSU0Et.eyJabcdefghij.abc123.def456.ghi789', 'ghi789|def456'],
		['keys of services', `AKIA${'A'.repeat(16)} github_pat_${'b'.repeat(30)} AIza${'c'.repeat(35)}`, 'AAAA|bbbb|cccc'],
	])('in %s are in no form', async (_what, text, secret) => {
		const run = makeRun([makeCall('fetch', { note: text }, undefined, { text })], { answer: text, warnings: [text], prompt: { ...makeRun([]).prompt, question: text, system: text } });
		const step = { ...run.steps[0]!, thought: text, correction: text, injected: text };
		for (const report of await inAllForms({ run: { ...run, steps: [step] }, question: text, documents: [{ title: 't', text }] })) expect(report).not.toMatch(new RegExp(secret));
	});

	it('masked leave JSON lines that can be read', () => {
		const text = 'password: abcd\\"ef and "secret": {"a":1} and api_key=\\\\';
		const run = makeRun([makeCall('t', { password: 12_345, secret: null, api_key: true, token: ['a'], text }, { secret: false }, { text })], { answer: text });
		const lines = writeJsonLines(run).trim().split('\n').map((line) => JSON.parse(line) as { type: string; input?: unknown });
		expect(lines.map(({ type }) => type)).toEqual(['run', 'step', 'call', 'answer']);
		expect(lines[2]?.input).toMatchObject({ password: '***', secret: null, api_key: true, token: ['***'] });
	});

	it('are not seen where there are none', () => {
		for (const text of ['Jetons : 1200 en entrée', 'max_tokens: 4096', 'Unexpected token: function', 'Le mot de passe est incorrect', 'First token after: 1.23 s', 'La clé de 12 : 45 €', 'le secret']) {
			const [, , call] = writeJsonLines(makeRun([makeCall('t', { tokens: 12, max_tokens: 4096 }, undefined, { text })])).split('\n');
			expect(JSON.parse(call!)).toMatchObject({ input: { tokens: 12, max_tokens: 4096 }, result: { text } });
		}
	});
});

describe('Markdown of a model', () => {
	const report = (answer: string): string => writeReport({ run: makeRun([], { answer }) }, { ...options, sections: ['answer', 'run'] });

	it('shows HTML and pictures as text outside of code, and keeps code and links', () => {
		const text = report('<img src=x onerror=alert(1)> ![a](https://evil.example/?q=1) a < b <https://ok.example> `<b>![x]`\n<!-- \n```html\n<i>![y]\n```');
		expect(text).toContain('&lt;img src=x onerror=alert(1)> !\\[a](https://evil.example/?q=1) a < b <https://ok.example> `<b>![x]`\n&lt;!-- \n```html\n<i>![y]\n```');
	});

	it.each(['```\ncode', '~~~~ x\n```\n~~~', '````\n```'])('that leaves code open (%j) swallows nothing of the report', (answer) => {
		const lines = report(answer).split('\n');
		const [fence = ''] = /^[`~]+/.exec(answer) ?? [];
		expect(lines.filter((line) => line.startsWith(fence))).toHaveLength(2);
	});
});

describe('the HTML report', () => {
	it.each(['[a](JaVaScRiPt:alert(1))', '[a](data:text/html,x)', '<javascript:alert(1)>', '[a]: javascript:alert(1)\n[a]', '[a](&#106;avascript:alert(1))', '[a](vbscript:x "onclick=1")', '```js" onload="x\ncode\n```', '<svg/onload=x>', '<style>*{}</style>'])('makes no code of %j', async (answer) => {
		for (const form of ['page', 'mail'] as const) {
			const html = await writeHtml({ run: makeRun([], { answer }) }, { ...options, form });
			expect(html).not.toMatch(/href="(?:javascript|data|vbscript)|<svg|<style>\*|<[^>]+\son[a-z]+="?x/i);
		}
	});

	it('stays under 2 MB with wide tables, quotes and letters of three bytes', async () => {
		const rows = Array.from({ length: 60 }, (_, n) => Object.fromEntries(Array.from({ length: 30 }, (_c, c) => [`column ${c}`, `"<&>${n} ${'値'.repeat(60)}`])));
		const calls = Array.from({ length: 200 }, (_, n) => makeCall(`tool_${n}`, { query: '"<'.repeat(3_000), n }, { rows: [...rows, { n }] }, { text: '"値'.repeat(8_000) }));
		const documents = Array.from({ length: 3_000 }, (_, n) => ({ title: `Document ${n}`, text: '"é'.repeat(200) }));
		const source = { run: makeRun(calls, { answer: '"1'.repeat(30_000) }), documents };
		for (const form of ['page', 'mail'] as const) expect(Buffer.byteLength(await writeHtml(source, { ...options, form }))).toBeLessThan(2_000_000);
	});
});

describe('a run of another shape', () => {
	it.each([
		['with nothing else', {}],
		['with lists that are none', { steps: 'none', warnings: 3, prompt: null, figures: 7, startedAt: 5 }],
		['with empty steps', { steps: [null, {}, { calls: [null, {}, { result: null }, { result: { text: 5, data: { a: 1 } } }] }] }],
		['with a check that is none', { figures: { checked: 1, unsupported: 'x' }, answer: { a: 12 } }],
	])('%s is reported all the same', async (_what, over) => {
		const run = readRun({ usage: { model: 'm' }, stoppedBy: 'error', ...over });
		for (const text of await inAllForms({ run, question: 'q', documents: [null, 3, { title: 4 }] })) expect(text).not.toMatch(/NaN|undefined|\[object/);
	});
});
