import { collectReply, type ModelReply, type ModelRequest } from '../../lib/core/model';
import { textMessage, type Message } from '../../lib/core/message';
import { loadChatModel } from '../../lib/providers/registry';
import { fakePorts } from '../support/fake-ports';
import { TOOLS } from '../contracts/chat-model.contract';

const COSTS = { rows: [{ asset: 'EX-12', cost: 12450.5 }, { asset: 'EX-7', cost: 900 }], share: 0.125 };
const LOOK = { thought: 'I add up.', calls: [{ tool: 'stock_lookup', arguments: { ref: '{{query}}', max: 3 }, as: 'costs' }] };

async function play(script: unknown, messages: Message[], more: Partial<ModelRequest> = { tools: TOOLS }): Promise<ModelReply> {
	const model = loadChatModel('replay', { model: 'report', script }, fakePorts());
	return await collectReply(model, { messages, ...more }, new AbortController().signal);
}

const ask = (text: string): Message => textMessage('user', text);
const observed = (text: string, isError = false): Message[] => [
	{ role: 'assistant', parts: [{ type: 'tool-call', callId: 'c1', name: 'stock_lookup', argumentsText: '{}' }] },
	{ role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'stock_lookup', text, isError }] },
];
const afterCosts = [ask('Which machine?'), ...observed(JSON.stringify(COSTS))];
const answer = async (text: string, messages = afterCosts): Promise<string> => (await play([LOOK, { answer: text }], messages)).text;

describe('replay', () => {
	it('plays the first turn for a question, its references filled in', async () => {
		const reply = await play([LOOK, { answer: 'x' }], [ask('EX-12')]);
		expect(reply).toMatchObject({ text: 'I add up.', reason: 'tool-calls' });
		expect(reply.toolCalls).toEqual([expect.objectContaining({ name: 'stock_lookup', argumentsText: '{"ref":"EX-12","max":3}' })]);
	});

	it.each([
		['{{costs.rows[0].asset}} costs {{costs.rows[0].cost | money:EUR}}', 'EX-12 costs €12,450.50'],
		['{{costs.rows[0].cost | money::fr}}', '12\u202f450,50'],
		['{{ costs.rows[-1].asset }} of {{costs.rows.length}}', 'EX-7 of 2'],
		['{{costs["rows"][1]["cost"] | number:1}}', '900.0'],
		['{{costs.share | percent}}', '12.5%'],
		['{{costs.rows | table:asset}}', '| asset |\n| --- |\n| EX-12 |\n| EX-7 |'],
		['{{costs.rows | bullets:asset,cost}}', '- EX-12: 12450.5\n- EX-7: 900'],
		['{{costs.rows[0] | json}}', '{"asset":"EX-12","cost":12450.5}'],
		['{{costs.rows[9].asset | or:nothing}}, {{costs.share | or:nothing | percent}}, {{parts.total | or:}}', 'nothing, 12.5%, '],
		['In 3 steps', 'In 3 steps'],
	])('writes %s', async (text, expected) => expect(await answer(text)).toBe(expected));

	it('keeps the type of an argument that is one reference', async () => {
		const next = { calls: [{ tool: 'meter_reading', arguments: { hours: '{{costs.rows[0].cost}}', rows: '{{costs.rows}}' } }] };
		const reply = await play([LOOK, next], afterCosts);
		expect(JSON.parse(reply.toolCalls[0]!.argumentsText)).toEqual({ hours: 12450.5, rows: COSTS.rows });
	});

	it.each([
		['{{costs.rows[9].asset}}', /\{\{costs\.rows\[9\]\.asset\}\}.*held .*EX-12/],
		['{{parts.total}}', /no call named "parts".*results: costs/],
		['{{costs.rows | shout}}', /filter "shout"/],
		['{{costs.rows[0].asset | money}}', /filter "money" does not fit EX-12/],
		['{{costs.rows[x]}}', /"\[x\]" is no path/],
	])('says what is wrong with %s', async (text, message) => {
		await expect(answer(text)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(message) });
	});

	it('says that the call it refers to failed, or was cut', async () => {
		await expect(answer('{{costs.x}}', [ask('q'), ...observed('no such file', true)])).rejects.toThrow('the call "costs" failed: no such file');
		const cut = `${JSON.stringify(COSTS).slice(0, 20)}... (20 of 90 characters shown; call read_result with handle "c1")`;
		await expect(answer('{{costs.rows[0].asset}}', [ask('q'), ...observed(cut)])).rejects.toThrow('it was cut');
	});

	it('reads JSON that stands inside other text', async () => {
		expect(await answer('{{costs.n}}', [ask('q'), ...observed('Result:\n{"n":7}\nEnd.')])).toBe('7');
	});

	it('begins anew with each question and ignores results of earlier runs', async () => {
		const history = [...afterCosts, textMessage('assistant', 'EX-12.'), ask('And now?')];
		expect((await play([LOOK, { answer: 'x' }], history)).reason).toBe('tool-calls');
		const other = [...history, ...observed('{"rows":[{"asset":"EX-99"}]}')];
		expect(await answer('{{costs.rows[0].asset}}', other)).toBe('EX-99');
	});

	it('goes on after a remark of the loop', async () => {
		expect(await answer('{{costs.rows[0].asset}}', [...afterCosts, ask('Check the figures once more.')])).toBe('EX-12');
	});

	it('refuses a tool that is not offered and names those that are', async () => {
		const script = [{ calls: [{ tool: 'delete_all' }] }];
		await expect(play(script, [ask('q')])).rejects.toThrow('"delete_all", which is not offered (offered: stock_lookup, meter_reading)');
	});

	it('says that the script is over', async () => {
		await expect(play([LOOK], afterCosts)).rejects.toThrow('"report" has 1 turns');
	});
});

describe('replay in the text protocol', () => {
	const system = textMessage('system', 'Thought: …\nAction: …\nAction Input: …');
	const script = [{ ...LOOK, calls: [...LOOK.calls, { tool: 'meter_reading', as: 'meter' }] }, { thought: 'Done.', answer: '{{costs.n}} and {{meter.h}}' }];
	const first = textMessage('assistant', 'Thought: I add up.\nAction: stock_lookup\nAction Input: {"ref":"EX","max":3}');
	const second = textMessage('assistant', 'Action: meter_reading\nAction Input: {}');

	it('writes one action a turn', async () => {
		expect((await play(script, [system, ask('EX')], {})).text).toBe('Thought: I add up.\nAction: stock_lookup\nAction Input: {"ref":"EX","max":3}');
		const next = await play(script, [system, ask('EX'), first, ask('Observation: {"n":7}')], {});
		expect(next.text).toBe('Action: meter_reading\nAction Input: {}');
	});

	it('reads observations that come as user messages', async () => {
		const messages = [system, ask('EX'), first, ask('Observation: {"n":7}'), second, ask('Observation (meter_reading): {"h":9}')];
		expect((await play(script, messages, {})).text).toBe('Thought: Done.\nAnswer: 7 and 9');
	});

	it('says that it was stopped when the loop takes the tools away', async () => {
		const plain = textMessage('system', 'You are careful.');
		const reply = await play(script, [plain, ask('EX'), first, ask('Observation: {"n":7}'), ask('Stop here.')], {});
		expect(reply.text).toContain('stopped before its answer');
	});
});

describe('replay scripts', () => {
	it.each([
		['not json', /no valid JSON|not valid JSON/],
		['{}', /no list of turns/],
		['[]', /no list of turns/],
		['[{"thought":"x"}]', /turn 1 needs either calls or an answer/],
		['[{"answer":"a","calls":[{"tool":"x"}]}]', /turn 1 needs either/],
		['[{"answer":"a"},{"anwser":"b"}]', /turn 2: "anwser" is not one of/],
		['[{"calls":[{"arguments":{}}]}]', /turn 1, call 1: tool is missing/],
		['[{"calls":[{"tool":"x","as":"a b"}]}]', /as must be/],
	])('refuses %s and says why', (script, message) => {
		expect(() => loadChatModel('replay', { model: 'm', script }, fakePorts())).toThrow(message);
	});

	it('takes a name of its own', () => {
		const script = { name: 'own', turns: [{ answer: 'a' }] };
		expect(loadChatModel('replay', { model: 'm', script }, fakePorts()).id).toBe('replay/own');
	});
});
