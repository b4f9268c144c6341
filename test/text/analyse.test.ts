import { analyse, tokenWeight } from '../../lib/text/analyse';
import { createBm25 } from '../../lib/text/bm25';

/** Positions of the documents that share a token with the query, best first. */
function find(documents: string[], query: string): number[] {
	const scores = createBm25(documents.map((text) => analyse(text))).score(analyse(query));
	return [...scores.keys()].filter((position) => scores[position]! > 0).sort((a, b) => scores[b]! - scores[a]!);
}

describe('analyse', () => {
	it('G01 finds accented words, singular and plural, without accents', () => {
		expect(find(["l'évènement du jour", 'les événements', 'la pompe'], 'evenement').sort()).toEqual([0, 1]);
		expect(find(['machine arrêtée', 'les arrêts', 'pompe'], 'arretee').sort()).toEqual([0, 1]);
	});

	it('G03 ranks the exact form first', () => {
		expect(find(['the tea', 'le thé vert'], 'thé')[0]).toBe(1);
		expect(find(['le côté gauche', 'la cote gauche'], 'cote')[0]).toBe(1);
		expect(find(['la cote gauche', 'le côté gauche'], 'côté')[0]).toBe(1);
		expect(find(['un fruit mûr', 'un grand mur'], 'mur')[0]).toBe(1);
		expect(find(['une pompe', 'des pompes'], 'pompes')[0]).toBe(1);
	});

	it.each(['n-92c', 'N92C', '92c', 'N 92 c', 'N-92c'])('G04 finds a code by %s', (query) => {
		const found = find(['pompe N-92d', 'pompe N-92c', 'vanne'], query);
		expect(found[0]).toBe(1);
		expect(found).not.toContain(2);
	});

	it('G04 ranks the exact form of a code before its other spellings', () => {
		expect(find(['pompe N92C', 'pompe N-92c'], 'N-92c')).toEqual([1, 0]);
		expect(find(['pompe N-92c', 'pompe N92C'], 'N92C')).toEqual([1, 0]);
		expect(find(['pièce 92c du lot N', 'pompe N-92c'], 'N-92c')[0]).toBe(1);
	});

	it('keeps standards and equipment codes whole and in parts', () => {
		expect(analyse('P101/A')).toEqual(expect.arrayContaining(['#p101a', '#p101', '#101', '=p101/a']));
		for (const query of ['EN 12296-1', 'en12296-1', '12296-1', '12296', 'EN 12296']) {
			expect(find(['norme EN 12297-2', 'norme EN 12296-1'], query)[0]).toBe(1);
		}
	});

	it('does not make a code of a preposition and a number', () => {
		expect(analyse('fermeture à 5 h')).not.toEqual(expect.arrayContaining([expect.stringMatching(/^#a5/)]));
	});

	it('reads thousands with and without a blank, and both decimal marks, as one number', () => {
		expect(analyse('10 000 euros')).toContain('#10000');
		expect(analyse('14,2 bar')).toContain('#14.2');
		expect(analyse('14.2 bar')).toContain('#14.2');
	});

	it('G05 finds words across hyphen variants', () => {
		expect(find(['un arrêt-machine', 'une vanne'], 'arrêt machine')).toEqual([0]);
		expect(find(['arrêt machine', 'une vanne'], 'arrêt-machine')).toEqual([0]);
		expect(find(['the sign-off page', 'a valve'], 'signoff')).toEqual([0]);
		expect(find(['the signoff page', 'a valve'], 'sign-off')).toEqual([0]);
		expect(find(['non\u2011retour', 'vanne'], 'non-retour')).toEqual([0]);
	});

	it('G06 finds a word with punctuation glued to it', () => {
		expect(find(['Vérifier la vanne.', 'Vérifier (le joint)'], 'vanne')).toEqual([0]);
		expect(find(['Vérifier la vanne.', 'Vérifier (le joint)'], 'joint')).toEqual([1]);
		expect(find(['fin.Voici la suite', 'autre'], 'voici fin')).toEqual([0]);
	});

	it.each(["l'arrêt d'urgence", 'l’arrêt d’urgence'])('G08 strips elisions from %s', (text) => {
		expect(find([text, 'la vanne'], 'arrêt urgence')).toEqual([0]);
		expect(find(['arrêt urgence', 'la vanne'], text)).toEqual([0]);
	});

	it('splits the names of tools', () => {
		expect(find(['getWorkOrder', 'list_parts'], 'work orders')).toEqual([0]);
		expect(find(['getWorkOrder', 'list_parts'], 'part')).toEqual([1]);
	});

	it('finds a French word by its English relative when they share a stem', () => {
		expect(find(["nettoyage de l'évaporateur", 'vanne'], 'evaporators')).toEqual([0]);
	});

	it('keeps stop words when a text has nothing else, and gives nothing for blanks', () => {
		expect(analyse('to be or not to be').length).toBeGreaterThan(0);
		expect(analyse('la pompe')).toEqual(['pomp', '=pompe']);
		expect(analyse(' \n\u200b')).toEqual([]);
	});

	it('weighs an exact form less than a stem or a code', () => {
		expect(tokenWeight('=pompe')).toBeLessThan(tokenWeight('pomp'));
		expect(tokenWeight('#n92c')).toBe(1);
	});
});
