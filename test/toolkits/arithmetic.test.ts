import fc from 'fast-check';
import { arithmeticTools } from '../../lib/toolkits/arithmetic';
import { callTool, dataOf } from './call-tool';

const tools = arithmeticTools('auto');
const resultOf = async (expression: string, locale?: string): Promise<unknown> =>
	(await dataOf(tools, 'calculate', { expression, locale })).result;
const refusalOf = async (expression: string, locale?: string): Promise<string> => {
	const output = await callTool(tools, 'calculate', { expression, locale });
	expect([expression, output.isError]).toEqual([expression, true]);
	return output.text;
};

describe('calculate', () => {
	it('computes decimals exactly', async () => {
		expect(await resultOf('0.1 + 0.2')).toBe(0.3);
		expect(await resultOf('12345678901234567890 * 3')).toBe('37037036703703703670');
		expect(await resultOf('1 / 3')).toBe('0.333333333333333333333333333333');
		expect(await resultOf('2^10 + 5! - 7 mod 4')).toBe(1141);
		expect(await resultOf('100 + 10%')).toBe(110);
		expect(await resultOf('-2^2')).toBe(-4);
	});

	it('knows functions in English and French', async () => {
		expect(await resultOf('max(1; 5) + racine(16) + arrondi(2.3450; 2)')).toBe(11.35);
		expect(await resultOf('moyenne(1, 2, 6)')).toBe(3);
		expect(await resultOf('[1; 2; 3] * 2')).toEqual([2, 4, 6]);
		expect(await resultOf('max((1,5); 2)', 'fr')).toBe(2);
	});

	it('Q01 reads a decimal comma where it is clear and asks where it is not', async () => {
		expect(await resultOf('1.500,23 * 17')).toBe(25503.91);
		expect(await resultOf('1,5 * 2')).toBe(3);
		expect(await resultOf('1,500 * 2', 'fr')).toBe(3);
		expect(await refusalOf('1.500 * 17', 'fr')).toMatch(/Is "1\.500" 1500 or 1\.5\?.*Write 1500 or 1\.5/);
		expect(await refusalOf('1.500 * 17')).toContain('1500 or 1.5');
		expect(await refusalOf('1,500 * 17')).toContain('1500 or 1.5');
		expect(await refusalOf('2.345 * 2')).toContain('Write 2345 or 2.3450');
		expect(await resultOf('2.3450 * 2')).toBe(4.69);
		expect(await refusalOf('max(1,5)')).toContain('Write 1; 5');
		expect(await refusalOf('max(1,5)', 'fr')).toContain('one number or several values');
		expect(await resultOf('max(1,5)', 'en')).toBe(5);
		expect(await refusalOf('max(1,500)', 'en')).toContain('one number or several values');
	});

	it('Q02 reads thousands separators', async () => {
		expect(await resultOf('3,000*4', 'en')).toBe(12000);
		expect(await resultOf('3\u202f000*4', 'fr')).toBe(12000);
		expect(await resultOf('3\u00a0000*4')).toBe(12000);
		expect(await resultOf('3 000,5 * 2', 'fr')).toBe(6001);
		expect(await resultOf('1,234,567.5 * 2')).toBe(2469135);
		expect(await resultOf('mean(10,20,30)')).toBe(20);
	});

	it('refuses numbers of the other locale and malformed ones', async () => {
		expect(await refusalOf('1,5 * 2', 'en')).toContain('"1,5" is not a number written the English way');
		expect(await refusalOf('1,500.25 * 2', 'fr')).toContain('written the French way');
		expect(await refusalOf('1.2.3 + 1')).toContain('"1.2.3" is not a number');
	});

	it.each(['import("fs")', 'a = 3', 'f(x) = x', '"text"', 'x.y', 'createUnit("a")', 'evaluate("1")', 'cos.constructor("1")()',
		'foo(1)', 'a', '1:5', '[1; 2][1]', '3 kg', '1; 2', 'e99999 to'])('refuses %s', async (expression) => {
		expect(await refusalOf(expression)).toMatch(/not allowed|not an expression|outside a function/);
	});

	it('refuses what has no real result or would take too long, quickly', async () => {
		expect(await refusalOf('12 / 0')).toContain('no real, finite result');
		expect(await refusalOf('sqrt(-1)')).toContain('no real, finite result');
		expect(await refusalOf('1000000!')).toContain('too large');
		expect(await refusalOf('combinations(10^9; 5)')).toContain('too large');
		expect(await refusalOf('9^9^9^9')).toContain('no real, finite result');
		expect(await refusalOf('('.repeat(100) + '1' + ')'.repeat(100))).toContain('too long or too deep');
		expect(await refusalOf('1+'.repeat(1500) + '1')).toContain('at most 2000');
	});

	it('adds two integers like integers, for any pair', async () => {
		await fc.assert(fc.asyncProperty(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 }), async (a, b) => {
			expect(await resultOf(`${a} + (${b})`)).toBe(a + b);
		}), { numRuns: 50 });
	});
});
