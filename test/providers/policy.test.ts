import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CodedError } from '../../lib/core/errors';
import { textMessage } from '../../lib/core/message';
import { collectReply, type ChatModel, type ModelReply, type ModelRequest } from '../../lib/core/model';
import { ModelRecords } from '../../lib/providers/policy/model-records';
import { DEFAULT_POLICY, readPolicy, type Policy } from '../../lib/providers/policy/policy';
import { policyModel } from '../../lib/providers/policy/policy-model';

const REQUEST: ModelRequest = { messages: [textMessage('user', 'q'.repeat(3500))] };
const busy = (): CodedError => new CodedError('UPSTREAM', 'overloaded', { status: 503, retryable: true });

let now = 0;
const logged: string[] = [];
const ports = {
	clock: { now: () => now, sleep: async () => undefined },
	log: (_level: string, message: string) => void logged.push(message),
};
let records: ModelRecords;
beforeEach(() => {
	now = 1000;
	logged.length = 0;
	records = new ModelRecords(ports);
});

interface Fake extends ChatModel {
	calls: number;
}

/** A model whose first token takes `ms`; `failures` are thrown by its first calls. */
function fake(id: string, ms = 10, failures: Error[] = [], beginsFirst = false): Fake {
	const model: Fake = {
		id,
		calls: 0,
		capabilities: { tools: 'yes', responseSchema: 'yes', images: 'no' },
		async *stream() {
			model.calls += 1;
			now += ms;
			const failure = failures[model.calls - 1];
			if (failure && !beginsFirst) throw failure;
			yield { type: 'text-delta', text: id };
			if (failure) throw failure;
			yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1000, outputTokens: 500 } };
		},
	};
	return model;
}

async function ask(models: ChatModel[], more: Partial<Policy> = {}): Promise<ModelReply> {
	const model = policyModel(models, { ...DEFAULT_POLICY, ...more }, records, ports);
	return await collectReply(model, REQUEST, new AbortController().signal);
}

const PRICES = { 'a/dear': { inputPrice: 3, outputPrice: 15 }, 'b/cheap': { inputPrice: 0.1, outputPrice: 0.3 } };

describe('model policy', () => {
	it('takes the first connected model and says why', async () => {
		const reply = await ask([fake('a/dear'), fake('b/cheap')]);
		expect(reply).toMatchObject({ text: 'a/dear', notes: { policy: { chosen: 'a/dear', why: 'in the order of connection', price: null } } });
	});

	it.each([
		[{ prefer: ['cheap'] }, 'b/cheap', 'preference 1'],
		[{ prefer: ['b/*', 'a/dear'] }, 'b/cheap', 'preference 1'],
		[{ prefer: ['small'], aliases: { small: 'b/cheap' } }, 'b/cheap', 'preference 1'],
		[{ defaultModel: 'B/Cheap', prefer: ['a/dear'] }, 'b/cheap', 'the default'],
		[{ deny: ['a/*'] }, 'b/cheap', 'in the order of connection'],
		[{ allow: ['*/cheap'] }, 'b/cheap', 'in the order of connection'],
		[{ strategy: 'cheapest', models: PRICES }, 'b/cheap', 'expected price 0.000250'],
		[{ strategy: 'cheapest', models: { 'a/dear': PRICES['a/dear'] } }, 'a/dear', 'expected price 0.0105'],
		[{ strategy: 'fastest', models: { 'a/dear': { latencyMs: 900 }, 'b/cheap': { latencyMs: 300 } } }, 'b/cheap', 'first token after 300 ms (declared)'],
	] as const)('chooses by %j', async (policy, chosen, why) => {
		const { notes } = await ask([fake('a/dear'), fake('b/cheap')], policy as Partial<Policy>);
		expect(notes).toMatchObject({ policy: { chosen, why } });
	});

	it('goes by what was measured before what was declared', async () => {
		const models = [fake('a/slow', 800), fake('b/quick', 50)];
		await ask(models, { prefer: ['a/slow'] });
		await ask(models, { prefer: ['b/quick'] });
		const reply = await ask(models, { strategy: 'fastest', models: { 'a/slow': { latencyMs: 1 } } });
		expect(reply.notes).toMatchObject({ policy: { chosen: 'b/quick', why: 'first token after 50 ms (measured)', firstTokenMs: 50 } });
	});

	it('tells the price of the reply', async () => {
		const { notes } = await ask([fake('a/dear')], { models: PRICES });
		expect(notes).toMatchObject({ policy: { price: (1000 * 3 + 500 * 15) / 1e6 } });
	});

	it('goes to the next model on a failure that may pass, and tells what failed before', async () => {
		const { text, notes } = await ask([fake('a/dear', 5, [busy()]), fake('b/cheap')]);
		expect(text).toBe('b/cheap');
		expect(notes).toMatchObject({ policy: { chosen: 'b/cheap', failedBefore: [{ model: 'a/dear', failure: 'overloaded' }] } });
		expect(logged).toEqual(['a/dear failed, b/cheap is tried: overloaded']);
	});

	it('does not repeat a request that is wrong, nor one whose reply has begun, nor when told not to', async () => {
		const second = fake('b/cheap');
		const wrong = new CodedError('BAD_INPUT', 'too long', { reason: 'context-length' });
		await expect(ask([fake('a/x', 5, [wrong]), second])).rejects.toBe(wrong);
		await expect(ask([fake('a/y', 5, [busy()], true), second])).rejects.toThrow('overloaded');
		await expect(ask([fake('a/z', 5, [busy()]), second], { fallback: false })).rejects.toThrow('overloaded');
		expect(second.calls).toBe(0);
	});

	it('names every failure when all fail', async () => {
		const all = ask([fake('a/x', 5, [busy()]), fake('b/y', 5, [busy()])]);
		await expect(all).rejects.toMatchObject({
			code: 'UPSTREAM',
			status: 503,
			retryable: true,
			message: 'All 2 models of the policy failed. a/x: overloaded | b/y: overloaded',
		});
	});

	it('tries a model that failed three times in a row last, until it has cooled down', async () => {
		const ill = fake('a/ill', 5, [busy(), busy(), busy()]);
		const models = [ill, fake('b/well')];
		for (let turn = 0; turn < 5; turn += 1) await ask(models);
		expect(ill.calls).toBe(3);
		now += 61_000;
		expect((await ask(models)).text).toBe('a/ill');
		expect((await ask(models)).text).toBe('a/ill');
	});

	it('still tries a model that is cooling down when there is no other', async () => {
		const ill = fake('a/ill', 5, [busy(), busy(), busy()]);
		for (let turn = 0; turn < 3; turn += 1) await expect(ask([ill])).rejects.toThrow('overloaded');
		expect((await ask([ill])).text).toBe('a/ill');
	});

	it.each([
		[{ deny: ['*'] }, 'allows none of the connected models (a/dear, b/cheap)'],
		[{ defaultModel: 'c/none' }, 'The default model "c/none" is not connected (connected: a/dear, b/cheap)'],
		[{ defaultModel: 'b/cheap', deny: ['b/*'] }, 'The default model "b/cheap" is not allowed by the policy'],
	])('refuses %j at once', (policy, message) => {
		const make = (): ChatModel => policyModel([fake('a/dear'), fake('b/cheap')], { ...DEFAULT_POLICY, ...policy }, records, ports);
		expect(make).toThrow(expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining(message) }));
	});

	it('stops with the reason of the signal instead of trying the next model', async () => {
		const stop = new AbortController();
		const second = fake('b/cheap');
		const model = policyModel([fake('a/x', 5, [busy()]), second], DEFAULT_POLICY, records, ports);
		const reason = new Error('left');
		stop.abort(reason);
		await expect(collectReply(model, REQUEST, stop.signal)).rejects.toBe(reason);
		expect(second.calls).toBe(0);
	});
});

describe('policy in YAML', () => {
	it('goes over the fields, and merges maps', () => {
		const base = { ...DEFAULT_POLICY, models: PRICES, prefer: ['a/dear'] };
		const policy = readPolicy('strategy: cheapest\nprefer: [b/cheap]\ndeny: openai/*\naliases:\n  s: b/cheap\nmodels:\n  c/new: { inputPrice: 1 }\ncoolDownSeconds: 5', base);
		expect(policy).toMatchObject({ strategy: 'cheapest', prefer: ['b/cheap'], deny: ['openai/*'], aliases: { s: 'b/cheap' }, coolDownMs: 5000, fallback: true });
		expect(Object.keys(policy.models)).toEqual(['a/dear', 'b/cheap', 'c/new']);
		expect(readPolicy('  ', base)).toBe(base);
	});

	it.each([
		['strategy: best', 'strategy is "best" and not preferred, cheapest or fastest'],
		['strategie: cheapest', '"strategie" is not one of strategy, prefer'],
		['models: { x: { price: 1 } }', 'models.x: "price" is not one of inputPrice'],
		['models: { x: { inputPrice: free } }', 'models.x.inputPrice is no number from 0'],
		['fallback: maybe', 'fallback is neither true nor false'],
		['- a\n- b', 'it is not a map of keys'],
		['a: [1', 'line 1'],
	])('says what is wrong with %j', (yaml, message) => {
		expect(() => readPolicy(yaml, DEFAULT_POLICY)).toThrow(message);
	});
});

describe('records of models', () => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'records-'))));
	afterEach(() => rmSync(folder, { recursive: true }));

	it('outlive the process', () => {
		const file = path.join(folder, 'sub/models.json');
		const first = new ModelRecords(ports, file);
		first.succeeded('a/x', 120);
		first.failed('b/y');
		const second = new ModelRecords(ports, file);
		expect(second.firstTokenMs('a/x')).toBe(120);
		expect([second.isOpen('b/y', 1, 1000), second.isOpen('b/y', 2, 1000), second.isOpen('a/x', 1, 1000)]).toEqual([true, false, false]);
	});

	it('begin anew from a broken file, and warn when they cannot be kept', () => {
		const file = path.join(folder, 'models.json');
		writeFileSync(file, '{"a/x":{"times":"oops"}');
		const fresh = new ModelRecords(ports, file);
		expect(fresh.firstTokenMs('a/x')).toBeNull();
		const lost = new ModelRecords(ports, path.join(file, 'below-a-file.json'));
		lost.succeeded('a/x', 1);
		expect(logged).toEqual([expect.stringContaining('could not be kept')]);
		expect(lost.firstTokenMs('a/x')).toBe(1);
	});
});
