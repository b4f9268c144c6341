import type { Tool } from '../../lib/core/tool';
import { prepareCall } from '../../lib/react/prepare-call';

const stock: Tool = {
	name: 'stock_lookup',
	intent: 'Parts in stock.',
	description: 'Parts in stock.',
	inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
	tags: [],
	run: async () => ({ text: '' }),
};
const prepare = (argumentsText: string): unknown => prepareCall([stock], { name: 'stock_lookup', argumentsText }, 'en');

describe('arguments of a call', () => {
	it.each(['{"q":"A"}{"q":"B"}', '{"q":"A"}\n{"q":"B"}', '{"q":"A"}, {"q":"B"}', '{"q":"A"}[1]'])('P19 two values glued together go back to the model, never half: %s', (text) => {
		expect(prepare(text)).toMatchObject({ ok: false, message: expect.stringContaining(`The arguments must be one JSON object, not: ${text}`) });
	});

	it.each(['{"q":"A"}', '```json\n{"q":"A"}\n```', '{"q":"A"} and that is all {', "{'q': 'A'}"])('one value is taken: %s', (text) => {
		expect(prepare(text)).toEqual({ ok: true, name: 'stock_lookup', input: { q: 'A' } });
	});
});
