import { parseReply, type ParsedReply } from '../../lib/react/output-parser';

const tools = new Set(['stock_lookup', 'handoff', 'meteo']);

function calls(reply: string, known: ReadonlySet<string> | undefined = tools) {
	const parsed = parseReply(reply, known);
	if (parsed.kind !== 'calls') throw new Error(`an answer was read: ${parsed.answer}`);
	return parsed.calls;
}

function answer(reply: string): string {
	const parsed: ParsedReply = parseReply(reply, tools);
	if (parsed.kind !== 'answer') throw new Error('a call was read');
	return parsed.answer;
}

const refused = (reply: string) => () => parseReply(reply, tools);

describe('reading an action', () => {
	it('R03 finds labels in bold, quoted or with other marks around them', () => {
		const reply = '**Thought:** voir le stock\n**Action:** stock_lookup\n**Action Input:** {"ref":"A1"}';
		expect(parseReply(reply, tools)).toMatchObject({
			kind: 'calls',
			thought: 'voir le stock',
			calls: [{ name: 'stock_lookup', argumentsText: '{"ref":"A1"}' }],
		});
		expect(calls('> _Action_: stock_lookup\n# Action Input: {}')).toEqual([{ name: 'stock_lookup', argumentsText: '{}' }]);
		expect(calls('Action： stock_lookup\nAction Input： {}')).toEqual([{ name: 'stock_lookup', argumentsText: '{}' }]);
	});

	it('R04 trims quotes, back-ticks and a final stop from the name', () => {
		for (const name of ['`stock_lookup`', '"stock_lookup".', '**stock_lookup**', "'stock_lookup'"]) {
			expect(calls(`Action: ${name}\nAction Input: {}`)[0]?.name).toBe('stock_lookup');
		}
	});

	it('R06 counts an action after free prose', () => {
		const parsed = parseReply('Je passe la main.\nAction: handoff\nAction Input: {"to":"achats"}', tools);
		expect(parsed).toMatchObject({ kind: 'calls', thought: 'Je passe la main.', calls: [{ name: 'handoff' }] });
	});

	it('R08 keeps nested braces and R09 braces in strings', () => {
		expect(calls('Action: meteo\nAction Input: {"filtre":{"site":"LYO"},"max":5}')[0]?.argumentsText).toBe(
			'{"filtre":{"site":"LYO"},"max":5}',
		);
		expect(calls('Action: meteo\nAction Input: {"motif":"code } suivi de {"} et voilà')[0]?.argumentsText).toBe(
			'{"motif":"code } suivi de {"}',
		);
	});

	it('R10 takes the first complete object, over several lines, and ignores what follows', () => {
		const reply = 'Action: meteo\nAction Input: {\n"v":\n"Lyon"\n}\nVoilà, j\'attends le résultat.';
		expect(calls(reply)[0]?.argumentsText).toBe('{\n"v":\n"Lyon"\n}');
	});

	it('R12 drops an observation that the model invented, with all that follows', () => {
		const parsed = parseReply('Action: stock_lookup\nAction Input: {"ref":"A1"}\nObservation: 36\nAnswer: 36', tools);
		expect(parsed).toMatchObject({ kind: 'calls', kept: 'Action: stock_lookup\nAction Input: {"ref":"A1"}' });
	});

	it('R13 lets the first in the order of the text win', () => {
		expect(calls('Action: meteo\nAction Input: {"v":"Lyon"}\nFinal Answer: 12 °C')[0]?.name).toBe('meteo');
		expect(answer('Final Answer: 12 °C\nAction: meteo\nAction Input: {"v":"Lyon"}')).toBe('12 °C');
	});

	it('R17 unwraps a call in an outer key', () => {
		expect(calls('{"tool_call":{"action":"web","action_input":{"q":"x"}}}')).toEqual([{ name: 'web', argumentsText: '{"q":"x"}' }]);
		expect(calls('{"function":{"name":"web","arguments":"{\\"q\\":1}"}}')[0]).toEqual({ name: 'web', argumentsText: '{"q":1}' });
	});

	it('R18 runs only the labelled action, not JSON quoted in a thought', () => {
		const reply =
			'Thought: par exemple {"action":"supprimer","action_input":{}} serait dangereux\nAction: stock_lookup\nAction Input: {}';
		expect(calls(reply)).toEqual([{ name: 'stock_lookup', argumentsText: '{}' }]);
	});

	it('takes several actions of one reply in their order, and French labels', () => {
		const reply = "Pensée : deux choses\nAction : meteo\nEntrée de l'action : {\"v\":1}\nAction : handoff\nAction Input : {}";
		expect(calls(reply).map(({ name }) => name)).toEqual(['meteo', 'handoff']);
	});

	it('accepts a known tool without input, and a call written as a function', () => {
		expect(calls('Action: stock_lookup')).toEqual([{ name: 'stock_lookup', argumentsText: '' }]);
		expect(calls('Action: meteo({"v":"Lyon"})')).toEqual([{ name: 'meteo', argumentsText: '{"v":"Lyon"}' }]);
	});
});

describe('reading an answer', () => {
	it('R15 ends the answer where a new question with a thought begins', () => {
		expect(answer('Answer: 42 pièces\nQuestion: et demain ?\nThought: je dois')).toBe('42 pièces');
	});

	it('R19 accepts labels without space, in any case and in French', () => {
		expect(answer('Thought: ok\nFinalAnswer: 3 pannes')).toBe('3 pannes');
		expect(answer('Final answer : 3 pannes')).toBe('3 pannes');
		expect(answer('Pensée : ok\nRéponse : 3 pannes')).toBe('3 pannes');
	});

	it('R24 keeps reasoning out, also when its tag was never opened', () => {
		expect(answer('<think>hmm\nAction: meteo</think>Bonjour')).toBe('Bonjour');
		expect(answer('je réfléchis\n</think>\nAnswer: Bonjour')).toBe('Bonjour');
		expect(answer('Answer: use the <think> tag, close it with </think> please')).toBe('use the <think> tag, close it with </think> please');
	});

	it('R28 keeps a report whole that holds label words', () => {
		const report = 'Rapport\nObservation: joint usé\nAction: remplacer le joint\nÉchéance: lundi';
		expect(answer(`Answer: ${report}`)).toBe(report);
		expect(answer('Answer: Rapport\nAction: remplacer\nAction Input: rien')).toContain('Action Input: rien');
	});

	it('takes text without any label for the answer', () => {
		expect(answer('Paris est la capitale.')).toBe('Paris est la capitale.');
	});
});

describe('what cannot be used goes back to the model in words it can act on', () => {
	it.each([
		['R20 nothing', '', /empty/],
		['R20 only a thought', 'Thought: voyons', /only a thought/],
		['R21 an input that is cut off', 'Action: meteo\nAction Input: {"v":"Ly', /cut off/],
		['an action without a name', 'Action: ****\nAction Input: x', /no tool name/],
		['an action that says none', 'Action: None (direct response)', /not a tool/],
		['an input without an action', 'Thought: x\nAction Input: {}', /no Action/],
		['an unknown word without input', 'Action: something', /no Action Input/],
		['P19 two actions in one block', '```json\n{"action":"a","input":"x"}\n{"action":"b","input":"y"}\n```', /two actions/],
		['an empty answer', 'Thought: x\nAnswer:   ', /empty/],
	])('%s', (_name, reply, message) => {
		expect(refused(reply)).toThrow(expect.objectContaining({ name: 'RetryException', message: expect.stringMatching(message) }));
	});
});
