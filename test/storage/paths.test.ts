import path from 'node:path';
import fc from 'fast-check';
import { reactengineFolder, safeFileName, themeFile, themesFolder } from '../../lib/storage/paths';

describe('paths', () => {
	const before = process.env.N8N_USER_FOLDER;
	beforeEach(() => {
		process.env.N8N_USER_FOLDER = '/somewhere';
	});
	afterEach(() => {
		if (before === undefined) delete process.env.N8N_USER_FOLDER;
		else process.env.N8N_USER_FOLDER = before;
	});

	it('lies inside the user folder of n8n', () => {
		expect(reactengineFolder()).toBe(path.join('/somewhere', '.n8n', 'reactengine'));
		expect(themesFolder()).toBe(path.join(reactengineFolder(), 'themes'));
		expect(themesFolder('team-a')).toBe(path.join(reactengineFolder(), 'storages', 'team-a', 'themes'));
	});

	it('keeps plain names and makes others safe and distinct', () => {
		expect(safeFileName('procedures_2', 'knowledge base')).toBe('procedures_2');
		expect(safeFileName('Procédures maintenance', 'knowledge base')).toMatch(/^procedures-maintenance-[0-9a-f]{12}$/);
		expect(safeFileName('A', 'x')).not.toBe(safeFileName('a', 'x'));
		expect(safeFileName('nul', 'x')).not.toBe('nul');
		expect(safeFileName('é', 'x')).toBe(safeFileName('e\u0301', 'x'));
	});

	it('names what a blank name was for', () => {
		expect(() => themeFile('/f', '  ')).toThrow('The knowledge base has no name');
	});

	it('never leaves the folder, whatever the name', () => {
		const nasty = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('../../etc/passwd', '..', '/abs', 'a\0b', 'C:\\x', '.'));
		fc.assert(
			fc.property(nasty, (name) => {
				fc.pre(name.trim() !== '');
				const file = themeFile('/folder', name);
				expect(path.dirname(path.resolve(file))).toBe('/folder');
				expect(path.basename(file)).toMatch(/^[a-z0-9][a-z0-9_-]{0,63}\.sqlite$/);
			}),
		);
	});
});
