import fc from 'fast-check';
import { isSafeToolName, toolAliases } from '../../lib/shape/tool-names';

const aliasOf = (name: string): string => toolAliases([{ name }])[0] ?? '';

describe('toolAliases', () => {
	it('T01 gives a name with a dot a safe alias', () => {
		expect(aliasOf('stock.lire')).toMatch(/^stock_lire_[0-9a-f]{8}$/);
		expect(aliasOf('stock_lire')).toBe('stock_lire');
	});

	it('T03 shortens a 90-character name with slashes to 64 with a stable hash', () => {
		const name = `${'a/b'.repeat(30)}`;
		expect(aliasOf(name)).toHaveLength(64);
		expect(isSafeToolName(aliasOf(name))).toBe(true);
		expect(aliasOf(name)).toBe(aliasOf(name));
	});

	it('T05 gives the same aliases whatever the order, for names equal after cutting', () => {
		const names = [`${'x'.repeat(64)}1`, `${'x'.repeat(64)}2`, 'stock.lire', 'stock/lire', 'stock_lire'];
		const forward = toolAliases(names.map((name) => ({ name })));
		const backward = toolAliases([...names].reverse().map((name) => ({ name }))).reverse();
		expect(forward).toEqual(backward);
		expect(new Set(forward).size).toBe(names.length);
	});

	it('tells equal names of two servers apart by their source, in both orders', () => {
		const a = { name: 'search', source: 'erp' };
		const b = { name: 'search', source: 'crm' };
		const [first, second] = toolAliases([a, b]);
		expect(toolAliases([b, a])).toEqual([second, first]);
		expect(first).not.toBe(second);
		expect(new Set(toolAliases([a, a, a])).size).toBe(3);
	});

	it('names tools whose name has no usable character', () => {
		expect(aliasOf('查找')).toMatch(/^tool_[0-9a-f]{8}$/);
		expect(aliasOf('pièces détachées')).toMatch(/^pieces_detachees_[0-9a-f]{8}$/);
	});

	it('gives safe, different names for any list of names', () => {
		fc.assert(fc.property(fc.array(fc.string({ maxLength: 80 })), (names) => {
			const aliases = toolAliases(names.map((name) => ({ name })));
			expect(aliases.every(isSafeToolName)).toBe(true);
			expect(new Set(aliases).size).toBe(names.length);
		}));
	});
});
