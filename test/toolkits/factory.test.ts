import { decorate, withInputValidation, withNormalisedOutput, withTags } from '../../lib/toolkits/decorate-tool';
import { normaliseValue } from '../../lib/toolkits/normalise-value';
import { toolsFromModule, type ModuleTools } from '../../lib/toolkits/tools-from-module';
import { tool } from '../support/test-nodes';
import { callTool } from './call-tool';

const context = { signal: new AbortController().signal };

describe('toolsFromModule', () => {
	const module = { addAll: (values: number[]) => values.reduce((a, b) => a + b, 0), powerOf: (a: number, b: number) => a ** b, version: '1' };
	const given = { type: 'number' };
	const definition: ModuleTools = {
		module: 'sums', load: async () => module, tags: ['sums'],
		exports: [
			{ export: 'addAll', intent: 'Adds.', input: { values: { type: 'array', items: given } }, counted: 'values', result: 'sum' },
			{ export: 'powerOf', name: 'power', intent: 'Raises.', says: 'Fast.', input: { base: given, exponent: given } },
			{ export: 'version', intent: 'No function.', input: {} },
		],
	};

	it('makes tools with names, schema, tags and a description of what is returned', async () => {
		const tools = toolsFromModule(definition);
		expect(tools.map(({ name }) => name)).toEqual(['add_all', 'power', 'version']);
		expect(tools[1]).toMatchObject({ description: 'Raises. Fast. Returns {result}; null when there is none.', tags: ['sums'] });
		expect(tools[1]?.inputSchema).toMatchObject({ required: ['base', 'exponent'], additionalProperties: false });
		expect(await callTool(tools, 'add_all', { values: [0.1, 0.2] })).toMatchObject({ text: '{"count":2,"sum":0.3}' });
		expect(await callTool(tools, 'power', { base: -1, exponent: 0.5 })).toMatchObject({ data: { result: null } });
		expect(await callTool(tools, 'version', {})).toEqual({ text: 'sums has no function "version"', isError: true });
	});

	it('takes lists of names and patterns to include and to leave out', () => {
		const names = (more: Partial<ModuleTools>) => toolsFromModule({ ...definition, ...more }).map(({ name }) => name);
		expect(names({ include: ['add*', 'power'] })).toEqual(['add_all', 'power']);
		expect(names({ include: ['*'], exclude: ['*er*'] })).toEqual(['add_all']);
	});
});

describe('decorators', () => {
	const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
	const bare = tool('give', ({ count }) => ({ text: JSON.stringify(count) }), { inputSchema: schema });

	it('checks arguments before the tool runs', async () => {
		const safe = decorate(bare, withInputValidation, withTags('x'));
		expect(await safe.run({ count: '3' }, context)).toEqual({ text: '3' });
		expect(await safe.run({}, context)).toMatchObject({ isError: true, text: expect.stringContaining('count') });
		expect(safe.tags).toEqual(['x']);
	});

	it('gives named fields for bare values, nothing, text and errors', async () => {
		const gives = async (data: unknown) => (await decorate(tool('x', () => ({ text: '', data })), withNormalisedOutput('value')).run({}, context)).text;
		expect(await gives(3)).toBe('{"value":3}');
		expect(await gives([1])).toBe('{"value":[1]}');
		expect(await gives({ a: undefined, b: Number.NaN })).toBe('{"b":null}');
		expect(await gives(null)).toBe('{"value":null,"note":"There is no result."}');
		const text = decorate(tool('x', () => ({ text: 'plain' })), withNormalisedOutput());
		expect(await text.run({}, context)).toEqual({ text: '{"result":"plain"}', data: { result: 'plain' } });
		const fails = decorate(tool('x', () => { throw new Error('broken'); }), withNormalisedOutput());
		expect(await fails.run({}, context)).toEqual({ text: 'broken', isError: true });
		const aborted = { signal: AbortSignal.abort(new Error('stopped')) };
		await expect(fails.run({}, aborted)).rejects.toThrow('stopped');
	});

	it('brings the values of libraries to plain JSON', () => {
		expect(normaliseValue({ date: new Date(0), big: 10n, set: new Set([1]), map: new Map([['a', 0.1 + 0.2]]), no: undefined, list: new Float64Array([1]) })).toEqual({
			date: '1970-01-01T00:00:00.000Z', big: '10', set: [1], map: { a: 0.3 }, list: [1],
		});
	});
});
