import { generalTools, type ToolGroup } from '../../lib/toolkits/general-tools';
import { makeTool } from '../../lib/toolkits/make-tool';
import { isSafeToolName } from '../../lib/shape/tool-names';
import { callTool, dataOf } from './call-tool';

const settings = { groups: ['arithmetic', 'statistics', 'numbers', 'dates', 'text', 'lists', 'units', 'chart'] as ToolGroup[], timezone: 'UTC', locale: 'auto' as const,
	clock: { now: () => 0 } };
const tools = generalTools(settings);

describe('generalTools', () => {
	it('gives tools with safe, different names, one-line intents and closed schemas', () => {
		expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
		for (const tool of tools) {
			expect(isSafeToolName(tool.name)).toBe(true);
			expect(tool.intent).toMatch(/^[A-Z][^\n]+\.$/);
			expect(tool.description.startsWith(tool.intent)).toBe(true);
			expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
			expect(tool.annotations?.readOnly).toBe(true);
		}
	});

	it('gives the chosen groups only and names a wrong one', () => {
		expect(generalTools({ ...settings, groups: ['arithmetic'] }).map((tool) => tool.name)).toEqual(['calculate']);
		expect(() => generalTools({ ...settings, groups: [] })).toThrow('No group of tools is chosen');
		expect(() => generalTools({ ...settings, groups: ['magic' as ToolGroup] })).toThrow('"magic" is not a group');
	});

	it('summarises numbers', async () => {
		expect(await dataOf(tools, 'describe_numbers', { numbers: [0.1, 0.2, 0.3, 4] })).toEqual({
			count: 4, sum: 4.6, mean: 1.15, median: 0.25, min: 0.1, max: 4, standardDeviation: 1.90175357675, firstQuartile: 0.175, thirdQuartile: 1.225,
		});
		expect(await dataOf(tools, 'percentile_of_numbers', { numbers: [1, 2, 3, 4, 5], percent: 50 })).toMatchObject({ result: 3 });
		expect(await dataOf(tools, 'mode_of_numbers', { numbers: [1, 2, 2] })).toEqual({ count: 3, result: 2 });
	});

	it('fits a line and correlates', async () => {
		expect(await dataOf(tools, 'linear_trend', { numbers: [2, 4, 6] })).toEqual({
			slope: 2, intercept: 0, fit: 1, predictedAt: 4, prediction: 8,
		});
		expect(await dataOf(tools, 'correlation_of_numbers', { first: [1, 2, 3], second: [3, 2, 1] })).toEqual({ count: 3, result: -1 });
		const uneven = await callTool(tools, 'correlation_of_numbers', { first: [1, 2, 3], second: [3, 2] });
		expect(uneven).toEqual({ isError: true, text: 'The two lists have 3 and 2 numbers. Give two lists of the same length.' });
	});

	it('refuses an empty list and text in a list of numbers', async () => {
		expect(await callTool(tools, 'mean_of_numbers', { numbers: [] })).toMatchObject({ isError: true });
		expect((await callTool(tools, 'mean_of_numbers', { numbers: [1, 'deux'] })).text).toContain('/numbers/1: expected number');
		expect(await dataOf(tools, 'mean_of_numbers', { numbers: [1, '2'] })).toEqual({ count: 2, result: 1.5 });
	});
});

describe('makeTool', () => {
	const failing = makeTool<object>({
		name: 'fails', intent: 'Fails.', description: '', input: {}, tags: [], run: () => Promise.reject(new Error('no stock')),
	});

	it('turns what a function throws into an error result', async () => {
		expect(await callTool([failing], 'fails', {})).toEqual({ text: 'no stock', isError: true });
	});

	it('lets an abort through', async () => {
		const signal = AbortSignal.abort(new Error('stopped'));
		await expect(failing.run({}, { signal })).rejects.toThrow('stopped');
	});
});
