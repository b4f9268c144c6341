import type { Hit } from '../../lib/core/document';
import type { ModelRequest } from '../../lib/core/model';
import { textOf } from '../../lib/core/message';
import { compress, type CompressRequest } from '../../lib/compression/compress';
import { scriptedModel, type ScriptedTurn } from '../support/scripted-model';

const hit = (id: string, text: string, more: Partial<Hit> = {}): Hit => ({ id, documentId: id, text, meta: { page: 1 }, score: 1, ...more });

const PUMP = hit('manual#3', 'La pompe P-7 travaille à 3,5 bar. Le joint est noir. Il est changé tous les deux ans.', { title: 'Manuel', source: 'manuel.pdf' });
const MENU = hit('menu#0', 'Le déjeuner est servi à midi. Le café est offert aux visiteurs.');

const request = (more: Partial<CompressRequest> = {}): CompressRequest => ({
	query: 'Quelle pression pour la pompe ?',
	history: [],
	documents: [PUMP, MENU],
	method: 'quotes',
	keepShare: 1,
	maxTokens: 1000,
	minRelevance: 0,
	...more,
});

/** Answers by what the passage says, whatever the order of the calls. */
const modelFor = (answers: Record<string, ScriptedTurn>, calls = 2) =>
	scriptedModel(
		Array.from({ length: calls }, () => (sent: ModelRequest): ScriptedTurn => {
			const asked = textOf(sent.messages[1]!);
			return Object.entries(answers).find(([sign]) => asked.includes(sign))?.[1] ?? { text: 'NONE' };
		}),
	);

const quotes = (...list: string[]): ScriptedTurn => ({ text: JSON.stringify({ quotes: list }) });

describe('quotes of a model', () => {
	it('keeps what stands in the passage with its places, drops and reports what does not', async () => {
		const model = modelFor({ 'P-7': quotes('La pompe P-7 travaille à 3,5 bar.', 'La pompe P-7 supporte 9 bar.'), déjeuner: quotes() });
		const { documents, compression } = await compress(request(), { model });
		expect(documents).toEqual([{ ...PUMP, text: 'La pompe P-7 travaille à 3,5 bar.', excerpts: [{ start: 0, end: 33 }] }]);
		expect(compression).toMatchObject({
			method: 'quotes',
			rejected: ['La pompe P-7 supporte 9 bar.'],
			warnings: ['1 quoted sentences do not stand in their passages and were dropped.'],
			model: { calls: 2, inputTokens: 200, outputTokens: 20 },
			steps: [{ step: 'quotes', documents: 1, characters: 33 }],
		});
	});

	it('joins quotes that touch and shows what lies between the others', async () => {
		const model = modelFor({ 'P-7': quotes('Il est changé tous les deux ans.', 'La pompe P-7 travaille à 3,5 bar.') });
		const { documents } = await compress(request({ documents: [PUMP] }), { model });
		expect(documents[0]!.text).toBe('La pompe P-7 travaille à 3,5 bar. […] Il est changé tous les deux ans.');
	});

	it('chooses without the model where a reply cannot be read', async () => {
		const model = modelFor({ 'P-7': { text: 'Here you go!' }, déjeuner: quotes() });
		const { documents, compression } = await compress(request(), { model });
		expect(documents.map(({ id }) => id)).toEqual(['manual#3']);
		expect(documents[0]!.text).toContain('3,5 bar');
		expect(compression.warnings[0]).toBe('The model\'s quotes from "Manuel" could not be read, so its sentences were chosen without it.');
	});
});

describe('summaries of a model', () => {
	it('cites the id of its passage, once, and leaves out what serves nothing', async () => {
		const model = modelFor({ 'P-7': { text: 'La pompe travaille à 3,5 bar [manual#3] [menu#0].' }, déjeuner: { text: 'NONE' } });
		const { documents, context } = await compress(request({ method: 'summary' }), { model });
		expect(documents).toEqual([{ ...PUMP, text: 'La pompe travaille à 3,5 bar. [manual#3]', isSummary: true }]);
		expect(context).toBe('[1] Manuel (manuel.pdf)\nLa pompe travaille à 3,5 bar. [manual#3]');
	});

	it('is told the question, the conversation and the room, and is held to the room', async () => {
		const model = modelFor({ 'P-7': { text: 'La pression est de 3,5 bar. Le reste de la phrase ne sert à rien du tout ici.' } }, 1);
		const { documents, compression } = await compress(
			request({ method: 'summary', documents: [PUMP], keepShare: 0.5, history: ['Parlons de P-7.'] }),
			{ model },
		);
		const asked = textOf(model.requests[0]!.messages[1]!);
		expect(asked).toContain('Parlons de P-7.');
		expect(asked).toContain('Question: Quelle pression');
		expect(documents[0]!.text).toBe('La pression est de 3,5 bar. [manual#3]');
		expect(compression.charactersOut).toBeLessThanOrEqual(0.5 * PUMP.text.length);
	});
});

describe('model steps', () => {
	it('lose one failing passage to the choice without a model, not the others', async () => {
		const model = modelFor({ 'P-7': quotes('La pompe P-7 travaille à 3,5 bar.'), déjeuner: { error: new Error('socket hang up') } });
		const { documents, compression } = await compress(request({ keepShare: 0.9 }), { model });
		expect(documents.map(({ id }) => id)).toEqual(['manual#3', 'menu#0']);
		expect(compression.warnings).toEqual([
			'The model failed on passage "menu#0", so its sentences were chosen without it: socket hang up.',
		]);
	});

	it('fail when every call fails, with the error of the first', async () => {
		const model = scriptedModel([{ error: new Error('wrong key') }, { error: new Error('wrong key') }]);
		await expect(compress(request(), { model })).rejects.toThrow('wrong key');
	});

	it('make no call without passages, and say what to connect when there is no model', async () => {
		const model = scriptedModel([]);
		const { compression } = await compress(request({ documents: [hit('e', ' \n')] }), { model });
		expect([compression.documentsOut, model.requests.length]).toEqual([0, 0]);
		await expect(compress(request(), {})).rejects.toMatchObject({ code: 'BAD_INPUT', remedy: expect.stringContaining('Connect a chat model') });
	});

	it('keep calls within their number at a time', async () => {
		let running = 0;
		let most = 0;
		const model = {
			...scriptedModel([]),
			async *stream() {
				running += 1;
				most = Math.max(most, running);
				await new Promise((resolve) => setImmediate(resolve));
				running -= 1;
				yield { type: 'text-delta' as const, text: 'NONE' };
			},
		};
		const documents = Array.from({ length: 9 }, (_, n) => hit(`h${n}`, `Le point ${n} parle de la vanne ${n}.`));
		await compress(request({ method: 'summary', documents, maxParallel: 3 }), { model });
		expect(most).toBe(3);
	});

	it('never leave nothing without a word: the first passages, or none when that was chosen', async () => {
		const kept = await compress(request({ method: 'summary' }), { model: modelFor({}) });
		expect(kept.documents).toEqual([PUMP, MENU]);
		expect(kept.compression.warnings).toEqual(['Nothing that serves the question fits, so the first passages were kept as they are.']);
		const none = await compress(request({ method: 'summary', ifNothing: 'none' }), { model: modelFor({}) });
		expect(none).toMatchObject({ documents: [], context: '', compression: { method: 'none' } });
		expect(none.compression.warnings).toEqual(['Nothing in the passages serves the question, so none was kept.']);
	});

	it('run in the order of a chain and count what each left', async () => {
		const model = modelFor({ 'P-7': { text: 'La pression est de 3,5 bar.' } }, 1);
		const { documents, compression } = await compress(
			request({ method: 'chain', chain: ['filter', 'extract', 'summary'], minRelevance: 0.5, keepShare: 0.5 }),
			{ model },
		);
		expect(compression.steps.map(({ step, documents: left }) => [step, left])).toEqual([['filter', 1], ['extract', 1], ['summary', 1]]);
		expect(documents[0]!.text).toBe('La pression est de 3,5 bar. [manual#3]');
	});

	it('stop at once when the run is cancelled', async () => {
		const model = modelFor({ 'P-7': quotes('x') });
		await expect(compress(request(), { model, signal: AbortSignal.abort(new Error('stopped by the user')) })).rejects.toThrow('stopped by the user');
	});
});
