import { fillArguments } from '../../lib/toolkits/fill-arguments';
import { macroTool, type MacroDefinition } from '../../lib/toolkits/macro-tool';
import { tool } from '../support/test-nodes';

const findPart = tool('find_part', ({ ref }) => ({ text: '', data: { id: `id-${String(ref)}`, places: [{ stock: 3 }] } }), {
	intent: 'Finds a part.', inputSchema: { type: 'object', properties: { ref: { type: 'string', description: 'Its reference' } }, required: ['ref'] }, annotations: { readOnly: true },
});
const order = tool('order_part', (input) => ({ text: JSON.stringify({ ordered: input }) }), {
	intent: 'Orders a part.', inputSchema: { type: 'object', properties: { id: { type: 'string' }, count: { type: 'integer', minimum: 1 }, note: { type: 'string' } }, required: ['id', 'count'] }, annotations: { destructive: true },
});
const tools = [findPart, order];
const steps = [
	{ id: 'part', tool: 'find_part', arguments: { ref: '{input.reference}' } },
	{ id: 'order', tool: 'order_part', arguments: { id: '{steps.part.id}', count: '{input.count}', note: 'stock {steps.part.places[0].stock} {x}' } },
];
const definition: MacroDefinition = { name: '', intent: '', steps };
const context = { signal: new AbortController().signal };

describe('macroTool', () => {
	it('composes name, intent, schema and annotations from its tools', () => {
		expect(macroTool(definition, tools)).toMatchObject({
			name: 'find_part_then_order_part', intent: 'Finds a part, then orders a part',
			inputSchema: { properties: { reference: { type: 'string', description: 'Its reference' }, count: { type: 'integer', minimum: 1 } }, required: ['reference', 'count'] },
			annotations: { readOnly: false, destructive: true },
		});
		expect(macroTool({ ...definition, name: 'buy', intent: 'Buys.' }, tools)).toMatchObject({ name: 'buy', intent: 'Buys.' });
		const long = Array.from({ length: 9 }, (_, at) => ({ id: `s${at}`, tool: 'find_part', arguments: { ref: 'x' } }));
		expect(macroTool({ ...definition, steps: long }, tools).name).toMatch(/^.{1,64}$/);
	});

	it('hands earlier results on by path, typed where the path is the whole argument', async () => {
		const output = await macroTool(definition, tools).run({ reference: 'N-92c', count: 2 }, context);
		expect(output.data).toEqual({ result: { ordered: { id: 'id-N-92c', count: 2, note: 'stock 3 {x}' } } });
	});

	it('says which step failed, why, and what was done before', async () => {
		const failing = tool('order_part', () => { throw new Error('no budget'); }, { inputSchema: order.inputSchema });
		const output = await macroTool(definition, [findPart, failing]).run({ reference: 'a', count: 1 }, context);
		expect(output).toEqual({ isError: true, text: 'Step 2 of 2, order (order_part), failed: no budget Done before it: part.' });
		const wrong = { ...definition, steps: [steps[0]!, { ...steps[1]!, arguments: { id: '{steps.part.code}', count: 1 } }] };
		expect((await macroTool(wrong, tools).run({ reference: 'a' }, context)).text).toContain('{steps.part.code} has no value: there is no "code" at place 2; it has: id, places.');
		expect((await macroTool(definition, tools).run({ reference: 'a', count: 0 }, context)).text).toContain('Step 2 of 2, order (order_part), failed:');
	});

	it('refuses what cannot run: no steps, unknown tools, a path to a later step, one name twice', () => {
		const make = (more: MacroDefinition['steps']) => () => macroTool({ ...definition, steps: more }, tools);
		expect(make([])).toThrow('The macro has no steps');
		expect(make([{ id: 'a', tool: 'gone', arguments: {} }])).toThrow('No tool named "gone" is connected to this macro; it has: find_part, order_part');
		expect(make([steps[1]!, steps[0]!])).toThrow('asks for the result of "part", which is no earlier step');
		expect(make([steps[0]!, steps[0]!])).toThrow('Two steps have the name "part"');
	});
});

describe('fillArguments', () => {
	it('goes through lists and objects, reaches own fields only, and leaves other braces alone', () => {
		const known = { input: { a: [1, { b: null }] }, steps: {} };
		expect(fillArguments({ x: ['{input.a}', '{input.a[1].b}!'], y: { z: '{"json": 1} {other.a}' } }, known)).toEqual({ x: [[1, { b: null }], 'null!'], y: { z: '{"json": 1} {other.a}' } });
		expect(() => fillArguments({ x: '{input.constructor}' }, known)).toThrow('there is no "constructor"');
	});
});
