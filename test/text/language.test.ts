import { detectLanguage } from '../../lib/text/language';

describe('detectLanguage', () => {
	it.each([
		['Vérifier la vanne avant le démarrage', 'fr'],
		['Check the valve before you start', 'en'],
		['Quelle est la procédure ?', 'fr'],
		['Who likes Joshua Trees?', 'en'],
	])('reads %s as %s', (text, language) => {
		expect(detectLanguage(text)).toBe(language);
	});

	it.each(['', 'pompe N-92c', '12 345', 'le pump and the vanne de la'])('does not guess for "%s"', (text) => {
		expect(detectLanguage(text)).toBeUndefined();
	});
});
