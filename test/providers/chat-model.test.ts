import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { chatProviders, embedProviders, loadChatModel } from '../../lib/providers/registry';
import { SERVER_CASES } from '../contracts/chat-model-server.contract';
import { CASES } from '../contracts/chat-model.contract';
import { providerSetups } from '../contracts/chat-model.setups';
import { fakePorts } from '../support/fake-ports';

const TABLE = path.resolve(__dirname, '../../docs/chat-model-contract.md');
const ALL_CASES = [...CASES, ...SERVER_CASES];
const setups = providerSetups();
const providers = Object.keys(setups);
const passed = new Set<string>();

describe.each(providers)('chat model: %s', (provider) => {
	const setup = setups[provider]!;
	afterEach(async () => await setup.close());

	it.each(ALL_CASES.filter(({ notFor }) => notFor?.(setup) === undefined).map((one) => [one.name, one] as const))('%s', async (name, { check }) => {
		await check(setup);
		passed.add(`${provider} ${name}`);
	});
});

describe('the table of the contract', () => {
	it('has every provider there is', () => expect(providers).toEqual(chatProviders()));

	it.each(providers.filter((provider) => !setups[provider]!.wire))('leaves out for %s what the model says it cannot do', async (provider) => {
		const { capabilities } = await setups[provider]!.make('text');
		await setups[provider]!.close();
		expect(capabilities).toMatchObject({ responseSchema: 'no', images: 'no' });
	});

	it('in docs is what this run gave (npm run bench -- contract writes it)', () => {
		const table = tableOf();
		if (process.env.REACTENGINE_WRITE_TABLE) {
			mkdirSync(path.dirname(TABLE), { recursive: true });
			writeFileSync(TABLE, table);
		}
		expect(existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : '').toBe(table);
		expect(table).not.toContain('fails');
	});
});

function tableOf(): string {
	const notes = [...new Set(ALL_CASES.flatMap(({ notFor }) => providers.flatMap((provider) => notFor?.(setups[provider]!) ?? [])))];
	const cell = (provider: string, name: string, why: string | undefined): string => {
		if (why !== undefined) return `does not apply (${notes.indexOf(why) + 1})`;
		return passed.has(`${provider} ${name}`) ? 'passes' : 'fails';
	};
	const rows = ALL_CASES.map(({ name, notFor }) => [name, ...providers.map((provider) => cell(provider, name, notFor?.(setups[provider]!)))]);
	const lines = [['A chat model …', ...providers], ['---', ...providers.map(() => '---')], ...rows].map((cells) => `| ${cells.join(' | ')} |`);
	const legend = notes.map((note, at) => `(${at + 1}) ${note}`);
	const head = '# Contract of the chat models\n\nWritten by `npm run bench -- contract` from a run of `test/contracts/chat-model*.contract.ts`; do not edit.';
	return `${[head, lines.join('\n'), ...legend].join('\n\n')}\n`;
}

describe('registry', () => {
	it('names the providers it has when one is unknown', () => {
		const remedy = 'Choose one of: local, mistral, ollama, openai-compatible, replay.';
		const load = (): unknown => loadChatModel('toString', { model: 'x' }, fakePorts());
		expect(load).toThrow(expect.objectContaining({ code: 'BAD_INPUT', message: 'No provider "toString" for chat models', remedy }));
	});

	it('finds providers by their folders', () => {
		expect(chatProviders()).toEqual(['local', 'mistral', 'ollama', 'openai-compatible', 'replay']);
		expect(embedProviders()).toEqual(['mistral', 'ollama', 'openai-compatible']);
	});

	it('loads no provider before it is chosen, and then only that one', async () => {
		const program = `const { loadChatModel } = require('./dist/lib/providers/registry.js');
			const loaded = () => Object.keys(require.cache).flatMap((file) => /providers[^a-z-]([a-z-]+)[^a-z-]model[.]js$/.exec(file)?.[1] ?? []);
			const before = loaded();
			loadChatModel('ollama', { model: 'm' }, {});
			console.log(JSON.stringify([before, loaded(), Object.keys(require.cache).some((file) => /mistralai|huggingface/.test(file))]));`;
		const { stdout: output } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: path.resolve(__dirname, '../..') });
		expect(JSON.parse(output)).toEqual([[], ['ollama'], false]);
	});
});
