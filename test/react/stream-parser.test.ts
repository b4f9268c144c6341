import fc from 'fast-check';

import { ReActStreamParser, type BlockEvent } from '../../lib/react/stream-parser';

function parse(chunks: Iterable<string>): { parser: ReActStreamParser; events: BlockEvent[] } {
	const parser = new ReActStreamParser();
	const events: BlockEvent[] = [];
	for (const chunk of chunks) events.push(...parser.push(chunk));
	return { parser, events: [...events, ...parser.flush()] };
}

const whole = (text: string) => parse([text]).parser;
const blocks = (text: string) => whole(text).blocks().map(({ type, content }) => [type, content]);

/** Streams as models write them; the same list is cut at each place below. */
const replies = [
	'Thought: voir le stock\nAction: stock_lookup\nAction Input: {"ref":"A1"}\nObservation: 36\nFinal Answer: 36 pièces',
	'**Thought:** bold\n**Action:** `x`\n**Action Input:** {"a": "b\nAction: no"}\n\n> _Réponse_ : fini\nConclusion： oui',
	'<think>Action: not this\nAnswer: nor this</think>\nAnswer: Bonjour\nObservation: joint usé\nAction: remplacer',
	'je pense\nThought: encore\n</think>Response: après <b>tout</b>',
	"Je passe la main.\nPensée : oui\nEntrée de l'action : {}\nRésultat de l'action : rien\nQuestion: et ?",
	'<tool_call>{"name":"x"}</tool_call> puis\n<tool_result>ok</tool_result>\nTool Call: y\nRésultat d’outil : z',
	'Action : a < b et 3 <th rest\nFinalAnswer:\nAnswer without colon\nan Answer: inside',
	'\n\n  - Action:   spaced  \r\n\tAction Input:\n```json\n{"x":1}\n```\n***Thought***: end',
];

describe('ReActStreamParser', () => {
	it('types blocks by their labels, in English and French, whatever marks stand around them', () => {
		expect(blocks(replies[0] ?? '')).toEqual([
			['thought', 'voir le stock'],
			['action', 'stock_lookup'],
			['action_input', '{"ref":"A1"}'],
			['observation', '36'],
			['final_answer', '36 pièces'],
		]);
		expect(blocks(replies[1] ?? '').slice(-2)).toEqual([['answer', 'fini'], ['conclusion', 'oui']]);
		expect(blocks(replies[4] ?? '')).toEqual([
			['unknown', 'Je passe la main.'],
			['thought', 'oui'],
			['action_input', '{}'],
			['observation', 'rien'],
			['unknown', 'et ?'],
		]);
		expect(blocks(replies[5] ?? '').map(([type]) => type)).toEqual(['tool_call', 'unknown', 'tool_result', 'tool_call', 'tool_result']);
	});

	it('keeps reasoning apart, also when its closing tag was never opened', () => {
		expect(whole(replies[2] ?? '').reasoning()).toBe('Action: not this\nAnswer: nor this');
		expect(blocks(replies[2] ?? '')[0]).toEqual(['answer', 'Bonjour']);
		expect(whole(replies[3] ?? '').reasoning()).toBe('je pense\nThought: encore');
		expect(blocks(replies[3] ?? '')).toEqual([['response', 'après <b>tout</b>']]);
	});

	it('R24 shows only the answer when the tag is split over chunks', () => {
		const { events, parser } = parse(['<th', 'ink>', 'a', '</think>', 'Bonjour']);
		expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')).toBe('Bonjour');
		expect(parser.reasoning()).toBe('a');
	});

	it('gives the answer whole, label lines inside it as written', () => {
		expect(whole(replies[2] ?? '').getFinalAnswer()).toBe('Bonjour\nObservation: joint usé\nAction: remplacer');
		expect(whole('Thought: x').hasFinalAnswer()).toBe(false);
		expect(whole('Thought: x').getFinalAnswer()).toBeUndefined();
	});

	it('passes text on before the line ends, and holds back only what may become a label', () => {
		const parser = new ReActStreamParser();
		expect(parser.push('Answer: Il y ')).toEqual([
			{ type: 'start', block: 'answer' },
			{ type: 'delta', block: 'answer', text: 'Il y ' },
		]);
		expect(parser.push('a\nAct')).toEqual([{ type: 'delta', block: 'answer', text: 'a' }, { type: 'delta', block: 'answer', text: '\n' }]);
		expect(parser.push('e de vente')).toEqual([]);
		expect(parser.push(' 12, page 3').map((event) => ('text' in event ? event.text : event.type)).join('')).toBe('Acte de vente 12, page 3');
	});

	it('gives the same blocks for each way to cut a reply in two, and byte by byte', () => {
		for (const reply of replies) {
			const expected = whole(reply);
			for (let cut = 0; cut <= reply.length; cut++) {
				const { parser } = parse([reply.slice(0, cut), reply.slice(cut)]);
				expect([parser.blocks(), parser.reasoning(), parser.getFinalAnswer()]).toEqual([expected.blocks(), expected.reasoning(), expected.getFinalAnswer()]);
			}
			expect(parse(reply).parser.blocks()).toEqual(expected.blocks());
		}
	});

	it('gives the same blocks and deltas that add up to them for any text in any chunks', () => {
		const piece = fc.oneof(fc.constantFrom(...replies, 'Action: ', '\nAnswer: ', '</think>', '<think>', '\n', '**', ' :', '<'), fc.string({ maxLength: 12 }));
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 12 }), (chunks) => {
				const { parser, events } = parse(chunks);
				expect(parser.blocks()).toEqual(whole(chunks.join('')).blocks());
				const lastRetract = events.findLastIndex(({ type }) => type === 'retract');
				const told = events.slice(lastRetract + 1).flatMap((event) => (event.type === 'delta' ? [event.text] : []));
				const said = told.join('').replace(/\s/g, '');
				expect(said).toBe(parser.blocks().map(({ content }) => content).join('').replace(/\s/g, ''));
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		['one line', 'a'.repeat(1_000_000)],
		['line ends', '\n'.repeat(1_000_000)],
		['marks', '*'.repeat(1_000_000)],
		['half labels', 'Action\n'.repeat(140_000)],
		['labels', 'Action:\n'.repeat(125_000)],
		['brackets', '<'.repeat(1_000_000)],
		['open tags', '<think'.repeat(160_000)],
		['closing tags', '</think>'.repeat(125_000)],
		['blanks', ' '.repeat(999_999) + 'x'],
	])('reads a megabyte of %s in well under a second', (_name, text) => {
		const began = process.cpuUsage();
		const chunks = text.match(/[\s\S]{1,4096}/g) ?? [];
		parse(chunks);
		const { user, system } = process.cpuUsage(began);
		expect((user + system) / 1000).toBeLessThan(1_000);
	});
});
