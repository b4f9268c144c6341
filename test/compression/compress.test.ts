import fc from 'fast-check';
import type { Hit } from '../../lib/core/document';
import { compress, type CompressRequest } from '../../lib/compression/compress';
import { fakeEmbedder } from '../support/fake-embedder';

const hit = (text: string, more: Partial<Hit> = {}): Hit => ({ id: text.slice(0, 5), documentId: 'd', text, meta: {}, score: 1, ...more });

const request = (documents: Hit[], more: Partial<CompressRequest> = {}): CompressRequest => ({
	query: 'Quelle pression pour la pompe ?',
	history: [],
	documents,
	method: 'extract',
	keepShare: 0.5,
	maxTokens: 1000,
	minRelevance: 0,
	...more,
});

const MANUAL = [
	hit('La chaudière est au sous-sol. La pompe travaille à une pression de 3,5 bar. Le joint est noir.', {
		title: 'Manuel',
		source: 'manuel.pdf',
		meta: { page: 4, theme: 'eau' },
	}),
	hit('Le déjeuner est servi à midi. Le café est offert aux visiteurs du matin.'),
];

describe('compress', () => {
	it('keeps the sentence that answers, word for word, and its metadata (G21)', async () => {
		const { documents, context, compression } = await compress(request(MANUAL, { keepShare: 0.3 }), {});
		expect(documents).toEqual([
			{
				...MANUAL[0],
				text: 'La pompe travaille à une pression de 3,5 bar.',
				excerpts: [{ start: 30, end: 75 }],
			},
		]);
		expect(MANUAL[0]!.text.slice(30, 75)).toBe(documents[0]!.text);
		expect(context).toBe('[1] Manuel (manuel.pdf)\nLa pompe travaille à une pression de 3,5 bar.');
		expect(compression).toEqual({
			documentsIn: 2,
			documentsOut: 1,
			charactersIn: MANUAL[0]!.text.length + MANUAL[1]!.text.length,
			charactersOut: 45,
			tokensIn: 48,
			tokensOut: 13,
			method: 'extract',
			steps: [{ step: 'extract', documents: 1, characters: 45 }],
			warnings: ['Only words were compared: no embeddings are connected.'],
		});
	});

	it('gives two texts of one document for two questions, and for two conversations', async () => {
		const text = async (more: Partial<CompressRequest>) =>
			(await compress(request([MANUAL[0]!], { keepShare: 0.5, ...more }), {})).documents.map((kept) => kept.text).join();
		expect(await text({ query: 'Où est la chaudière ?' })).toContain('sous-sol');
		expect(await text({ query: 'Quelle pression ?' })).not.toContain('sous-sol');
		expect(await text({ query: 'Et où est-elle ?', history: ['Parlons de la chaudière.'] })).toContain('sous-sol');
		expect(await text({ query: 'Et où est-elle ?', history: ['Parlons de la pression.'] })).toContain('3,5 bar');
	});

	it('drops whole passages with the semantic filter', async () => {
		const { documents, compression } = await compress(request(MANUAL, { method: 'filter', keepShare: 0.6 }), {});
		expect(documents).toEqual([MANUAL[0]]);
		expect(compression.method).toBe('filter');
	});

	it('cuts the best passage to its best sentences when it alone is longer than the limit', async () => {
		const { documents, compression } = await compress(request(MANUAL, { method: 'filter', keepShare: 0.3 }), {});
		expect(documents).toMatchObject([{ id: MANUAL[0]!.id, text: 'La pompe travaille à une pression de 3,5 bar.' }]);
		expect(compression.warnings).toContain('The best passage is longer than the limit, so its best sentences were kept.');
	});

	it('drops passages far below the best one, and repeated or blank ones', async () => {
		const all = [...MANUAL, hit(' \n'), hit(MANUAL[0]!.text)];
		const { documents, compression } = await compress(request(all, { method: 'filter', keepShare: 1, minRelevance: 0.5 }), {});
		expect(documents).toEqual([MANUAL[0]]);
		expect(compression.documentsIn).toBe(4);
	});

	it('chooses sentences of all passages by the recommended method, or of the best ones when their number is given', async () => {
		const documents = Array.from({ length: 12 }, (_, n) => hit(`Cas ${n}. La pression de la pompe ${n} est de ${n} bar. Rien d'autre.`, { id: `d${n}` }));
		const kept = async (more: Partial<CompressRequest>) => (await compress(request(documents, { method: 'recommended', keepShare: 0.95, ...more }), {})).compression;
		expect(await kept({})).toMatchObject({ documentsOut: 12, steps: [{ step: 'extract' }] });
		expect(await kept({ keepPassages: 3 })).toMatchObject({ documentsOut: 3, steps: [{ step: 'best passages', documents: 3 }, { step: 'extract' }] });
	});

	it('keeps the order of the passages, whatever their relevance', async () => {
		const documents = [hit('Le joint de la pompe. Rien ici.'), hit('La pression de la pompe est de 3 bar. Rien là.')];
		const kept = await compress(request(documents, { keepShare: 0.8 }), {});
		expect(kept.documents.map((one) => one.id)).toEqual(documents.map((one) => one.id));
	});

	it('brings the heading of a sentence, the head of its list and what its pronoun stands for', async () => {
		const text = [
			'Le bâtiment a deux étages et une grande cour pavée.',
			'## Pompe P-7\n',
			'Réglages :',
			'- pression 3 bar',
			'- couleur bleue',
		].join('\n');
		const { documents } = await compress(request([hit(text)], { query: 'pression', keepShare: 0.5 }), {});
		expect(documents[0]!.text).toContain('## Pompe P-7');
		expect(documents[0]!.text).toContain('Réglages :\n- pression 3 bar');
		const pronoun = 'Le moteur M4 est neuf. Il consomme 3 kW. Le toit est rouge. Le mur est blanc et haut.';
		const kept = await compress(request([hit(pronoun)], { query: 'combien consomme', keepShare: 0.6 }), {});
		expect(kept.documents[0]!.text).toContain('Le moteur M4 est neuf. Il consomme 3 kW.');
	});

	it('judges by meaning too when an embedder is connected', async () => {
		const embedder = fakeEmbedder();
		const { compression } = await compress(request(MANUAL, { history: ['Bonjour'] }), { embedder });
		expect(compression.warnings).toEqual([]);
		expect(embedder.requests.map((sent) => sent.options.kind)).toEqual(['query', 'passage']);
	});

	it('asks the embedder nothing without passages, and leaves what fits as it is', async () => {
		const embedder = fakeEmbedder();
		expect(await compress(request([]), { embedder })).toMatchObject({ documents: [], context: '', compression: { method: 'none' } });
		expect((await compress(request(MANUAL, { keepShare: 1 }), { embedder })).documents).toEqual(MANUAL);
		expect(embedder.requests).toEqual([]);
	});

	it('never becomes empty without a word', async () => {
		const tiny = await compress(request(MANUAL, { maxTokens: 1 }), {});
		expect(tiny.documents).toEqual([MANUAL[0]]);
		expect(tiny.compression.warnings).toContain('Nothing that serves the question fits, so the first passages were kept as they are.');
		const mute = await compress(request(MANUAL, { query: ' ' }), {});
		expect(mute.documents).toEqual([MANUAL[0]]);
		expect(mute.compression.warnings[0]).toContain('no question');
		const foreign = await compress(request(MANUAL, { query: 'xyzzy' }), {});
		expect(foreign.documents.length).toBeGreaterThan(0);
	});

	it('keeps within its limits and invents nothing, whatever the passages', async () => {
		const text = fc.array(fc.constantFrom('La pompe fuit. ', 'It stops. ', '\n- joint', '\n## Titre\n', '| a | b |\n', 'M. X. ', ' ')).map((parts) =>
			parts.join(''),
		);
		const method = fc.constantFrom('extract' as const, 'filter' as const, 'both' as const);
		await fc.assert(
			fc.asyncProperty(fc.array(text, { maxLength: 4 }), fc.double({ min: 0.05, max: 1, noNaN: true }), method, async (texts, keepShare, how) => {
				const documents = texts.map((one) => hit(one));
				const result = await compress(request(documents, { query: 'joint de pompe', keepShare, method: how }), {});
				const { charactersIn, charactersOut, warnings, documentsOut } = result.compression;
				if (texts.some((one) => one.trim() !== '')) expect(documentsOut).toBeGreaterThan(0);
				if (!warnings.some((warning) => warning.includes('kept as they are'))) expect(charactersOut).toBeLessThanOrEqual(keepShare * charactersIn);
				for (const one of result.documents) {
					const parts = one.text.split('[…]').map((part) => part.trim());
					for (const part of parts) expect(texts.some((source) => source.includes(part))).toBe(true);
				}
			}),
			{ numRuns: 100 },
		);
	});
});
