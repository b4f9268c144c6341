import { exactNumberTools } from '../../lib/toolkits/exact-numbers';
import { listTools } from '../../lib/toolkits/lists';
import { unitTools } from '../../lib/toolkits/units';
import { callTool, dataOf } from './call-tool';

describe('exact numbers', () => {
	const tools = exactNumberTools('auto');
	const resultOf = async (name: string, input: unknown) => (await dataOf(tools, name, input)).result;

	it('adds, multiplies and divides decimals without losing a digit', async () => {
		expect(await resultOf('sum_decimals', { numbers: ['0.1', 0.2, '1 234,56'] })).toBe('1234.86');
		expect(await resultOf('subtract_decimal', { from: '1', number: '0.9' })).toBe('0.1');
		expect(await resultOf('multiply_decimals', { first: '12345678901234567890', second: '10' })).toBe('123456789012345678900');
		expect(await resultOf('divide_decimal', { number: '1', by: '3' })).toBe('0.3333333333333333333333333333333333333333');
		expect(await resultOf('sum_decimals', { numbers: ['-1,5', '−2'] })).toBe('-3.5');
	});

	it('Q01 asks back for a number that can be read in two ways', async () => {
		expect((await callTool(tools, 'sum_decimals', { numbers: ['1.500', '1'] })).text).toContain('Is "1.500" 1500 or 1.5');
		expect(await dataOf(exactNumberTools('fr'), 'sum_decimals', { numbers: ['1,500', '3 000'] })).toEqual({ result: '3001.5' });
	});

	it('rounds by the rule asked for and keeps zeros', async () => {
		expect(await resultOf('round_decimal', { number: '2.5', decimals: 0 })).toBe('3');
		expect(await resultOf('round_decimal', { number: '2.5', decimals: 0, rounding: 'half_even' })).toBe('2');
		expect(await resultOf('round_decimal', { number: '-2.1', decimals: 0, rounding: 'ceil' })).toBe('-2');
		expect(await resultOf('round_decimal', { number: 2, decimals: 2 })).toBe('2.00');
	});

	it('calculates with fractions and complex numbers', async () => {
		expect(await dataOf(tools, 'calculate_fraction', { operation: 'add', first: '1/3', second: '1 1/6' })).toEqual({ fraction: '3/2', mixed: '1 1/2', decimal: '1.5' });
		expect(await dataOf(tools, 'calculate_fraction', { operation: 'simplify', first: '6/9' })).toMatchObject({ fraction: '2/3', decimal: '0.(6)' });
		expect((await callTool(tools, 'calculate_fraction', { operation: 'divide', first: '1', second: '0' })).isError).toBe(true);
		expect((await callTool(tools, 'calculate_fraction', { operation: 'add', first: 'half', second: '1' })).text).toContain('"half" is not a fraction');
		expect(await dataOf(tools, 'calculate_complex', { operation: 'multiply', first: '1+2i', second: '3-i' })).toMatchObject({ result: '5 + 5i', real: 5, imaginary: 5 });
		expect(await dataOf(tools, 'calculate_complex', { operation: 'polar', first: '3+4i' })).toMatchObject({ magnitude: 5, angle_degrees: 53.1301023542 });
		expect(await dataOf(tools, 'calculate_complex', { operation: 'square_root', first: '-4' })).toMatchObject({ real: 0, imaginary: 2 });
		expect((await callTool(tools, 'calculate_complex', { operation: 'add', first: '1' })).text).toContain('"second" is missing');
	});
});

describe('convert_units', () => {
	const tools = unitTools();
	it.each([
		[36, 'km/h', 'm/s', 10], [100, '°C', 'fahrenheit', 212], [1, 'mile', 'km', 1.609344], [2, 'heures', 'minutes', 120],
		[1.5, 'm3', 'litres', 1500], [1, 'bar', 'psi', 14.5037737732], [1, 'ch', 'W', 735.49875], [10, 'nœuds', 'km/h', 18.52], [3, 'tonnes', 'kg', 3000],
		[1, 'kWh', 'MJ', 3.6], [5, 'pieds', 'mètres', 1.524],
	])('%d %s in %s is %d', async (value, from, to, expected) => {
		const { value: result } = await dataOf(tools, 'convert_units', { value, from, to });
		expect(result).toBeCloseTo(expected, 6);
	});

	it('refuses unknown units and different quantities', async () => {
		expect((await callTool(tools, 'convert_units', { value: 1, from: 'kg', to: 'm' })).text).toContain('they measure different things');
		expect((await callTool(tools, 'convert_units', { value: 1, from: 'euro', to: 'm' })).text).toContain('"euro" is not a unit');
		expect((await callTool(tools, 'convert_units', { value: 1, from: 'import("x")', to: 'm' })).isError).toBe(true);
	});
});

describe('lists', () => {
	const tools = listTools();
	const list = [{ city: 'Lyon', cost: 12, of: { team: 'A' } }, { city: 'Épinal', cost: 3 }, { city: 'lyon', cost: '7', of: { team: 'B' } }];

	it('extracts values by key, also along a path, and counts what is missing', async () => {
		expect(await dataOf(tools, 'extract_values_by_key', { list, key: 'of.team' })).toEqual({ values: ['A', 'B'], count: 2, missing: 1 });
		expect(await dataOf(tools, 'extract_values_by_key', { list: [{ 'a.b': 1 }, { 'a.b': 1 }], key: 'a.b', unique: true })).toEqual({ values: [1], count: 1, missing: 0 });
		expect(await dataOf(tools, 'extract_values_by_key', { list: [{}], key: 'constructor' })).toMatchObject({ count: 0 });
	});

	it('filters and sorts: numbers as numbers, text without case and accents', async () => {
		expect(await dataOf(tools, 'filter_list', { list, key: 'city', operator: 'equals', value: 'LYON' })).toMatchObject({ count: 2, of: 3 });
		expect(await dataOf(tools, 'filter_list', { list, key: 'cost', operator: 'at_least', value: 7 })).toMatchObject({ count: 2 });
		expect(await dataOf(tools, 'filter_list', { list, key: 'of', operator: 'missing' })).toMatchObject({ items: [list[1]] });
		expect((await dataOf(tools, 'sort_list', { list, key: 'cost', descending: true, limit: 2 })).items).toEqual([list[0], list[2]]);
		expect((await dataOf(tools, 'sort_list', { list: ['é', 'f', 10, 9, 'd'] })).items).toEqual([9, 10, 'd', 'é', 'f']);
		expect((await dataOf(tools, 'sort_list', { list, key: 'of.team' })).items).toEqual([list[0], list[2], list[1]]);
	});

	it('groups with counts and sums, and refuses to add text', async () => {
		const { groups } = await dataOf(tools, 'group_list', { list: [{ t: 'A', n: 0.1 }, { t: 'B', n: 5 }, { t: 'A', n: 0.2 }], key: 't', sum_key: 'n' });
		expect(groups).toMatchObject([{ value: 'A', count: 2, sum: 0.3 }, { value: 'B', count: 1, sum: 5 }]);
		expect((await callTool(tools, 'group_list', { list, key: 'city', sum_key: 'cost' })).text).toContain('not a number');
	});
});
