import { condense, type Condensed } from '../../lib/chat/condense';
import { textMessage, textOf, type Message } from '../../lib/core/message';
import { CodedError } from '../../lib/core/errors';
import { fakePorts } from '../support/fake-ports';
import { scriptedModel, type ScriptedModel, type ScriptedTurn } from '../support/scripted-model';

const talk: readonly Message[] = [
	textMessage('user', 'Quelle est la pression de la pompe N-92c ?'),
	textMessage('assistant', 'La pompe N-92c travaille à 35 bar.'),
];

async function ask(question: string, reply: ScriptedTurn | string, history: readonly Message[] = talk): Promise<Condensed & { sent: ScriptedModel }> {
	const model = scriptedModel([typeof reply === 'string' ? { text: reply } : reply]);
	const result = await condense({ question, history }, { model: async () => model, ports: fakePorts(), signal: new AbortController().signal });
	return { ...result, sent: model };
}

/** No model may be asked for. */
async function unchanged(question: string, history: readonly Message[] = talk, skip = false): Promise<Condensed> {
	const model = async (): Promise<never> => {
		throw new Error('a model was asked for');
	};
	return await condense({ question, history, skip }, { model, ports: fakePorts(), signal: new AbortController().signal });
}

describe('what passes without a model', () => {
	it('H11 a first question', async () => {
		for (const history of [[], [textMessage('system', 'You are a bot.')], [textMessage('assistant', '')]]) {
			expect(await unchanged('Et pour la N-92c ?', history)).toEqual({
				query: 'Et pour la N-92c ?', original: 'Et pour la N-92c ?', how: 'unchanged', reason: 'first-question', durationMs: 0,
			});
		}
	});

	it.each([
		['Bonjour !', 'greeting'],
		['Merci beaucoup, c’est parfait', 'greeting'],
		['Hello, how are you?', 'greeting'],
		['OK thanks', 'greeting'],
		['Crée un ordre de travail pour la pompe N-92c', 'order'],
		['Créez-le pour demain', 'order'],
		['Réponds en anglais, s’il te plaît', 'order'],
		['Peux-tu résumer ta réponse ?', 'order'],
		['Please translate that into French', 'order'],
		['Send it to the workshop', 'order'],
		['Liste les pompes du site de Lyon', 'order'],
		['Show the work orders of March 2026', 'order'],
	])('H11 %s', async (message, reason) => {
		expect(await unchanged(message)).toMatchObject({ query: message, how: 'unchanged', reason });
	});

	it('everything, when skipped', async () => {
		expect(await unchanged('Et sa température ?', talk, true)).toMatchObject({ how: 'unchanged', reason: 'skipped' });
	});
});

describe('a follow-up', () => {
	it('becomes a question that stands alone, with what it was and what the model was sent', async () => {
		const result = await ask('Et sa température ?', 'Quelle est la température de la pompe N-92c ?');
		expect(result).toMatchObject({
			query: 'Quelle est la température de la pompe N-92c ?', original: 'Et sa température ?', how: 'condensed', model: 'scripted/model', usage: { in: 100, out: 10 },
		});
		expect(result.prompt?.[0]?.text).toContain('Tu réécris le dernier message');
		expect(result.prompt?.[1]?.text).toMatch(/<data (\w+)>\nUtilisateur: Quelle est la pression[^]*Assistant: La pompe[^]*<\/data \1>[^]*<data \1>Et sa température \?<\/data \1>$/);
	});

	it.each(['Montre-moi la même chose pour Lyon', 'Give its pressure', 'Montre-les-moi', 'Explique-moi cette panne', 'Pourquoi ?', 'Merci, et la température ?', 'Bonjour, elle fuit ?'])('is also %s', async (question) => {
		expect((await ask(question, question)).sent.requests).toHaveLength(1);
	});

	it('is a yes to a question of the assistant, but not to a statement', async () => {
		const asked = [...talk, textMessage('user', 'Et le filtre ?'), textMessage('assistant', 'Voulez-vous la procédure du filtre HF-12 ?')];
		expect((await ask('Oui, merci', 'Quelle est la procédure du filtre HF-12 ?', asked)).query).toBe('Quelle est la procédure du filtre HF-12 ?');
		expect(await unchanged('Merci', asked)).toMatchObject({ reason: 'greeting' });
		expect(await unchanged('Ok')).toMatchObject({ reason: 'greeting' });
	});

	it('is asked for in English when it is English, and in the language of the talk when it is too short to tell', async () => {
		const english = [textMessage('user', 'What is the pressure of the pump?'), textMessage('assistant', 'It is 35 bar.')];
		expect((await ask('And what about its temperature?', 'What is the temperature of the pump?', english)).prompt?.[0]?.text).toContain('You rewrite the last message');
		expect((await ask('Température ?', 'Quelle est la température de la pompe N-92c ?')).prompt?.[0]?.text).toContain('Tu réécris');
	});

	it('uses recent turns only, without tool results', async () => {
		const long = Array.from({ length: 40 }, (_, n) => [
			textMessage('user', `question ${n} ${'mot '.repeat(100)}`),
			{ role: 'assistant', parts: [{ type: 'tool-call', callId: `c${n}`, name: 'find', argumentsText: '{}' }] } as Message,
			{ role: 'tool', parts: [{ type: 'tool-result', callId: `c${n}`, name: 'find', text: 'secret rows', isError: false }] } as Message,
			textMessage('assistant', `réponse ${n}`),
		]).flat();
		const sent = textOf((await ask('Et après ?', 'Et après la question 39 ?', long)).sent.requests[0]!.messages[1]!);
		expect(sent).toContain('réponse 39');
		expect(sent).not.toMatch(/question 10 |secret rows/);
		expect(sent.length).toBeLessThan(9_000);
	});
});

describe('identifiers and dates', () => {
	it.each([
		['Et la N-92d ?', 'Quelle est la pression de la pompe N92D ?', 'Quelle est la pression de la pompe N-92d ?', ['N-92d']],
		['Et le 12/03/2026 ?', 'Quelle était la pression de la pompe N-92c ?', 'Quelle était la pression de la pompe N-92c ? (12/03/2026)', ['12/03/2026']],
		['Et depuis le 3 mars 2026 ?', 'Quelle est la pression de la N-92c depuis le 3 Mars 2026 ?', 'Quelle est la pression de la N-92c depuis le 3 mars 2026 ?', ['3 mars 2026']],
		['Et selon « le plan B » ?', 'Quelle est la pression de la pompe selon un autre plan ?', 'Quelle est la pression de la pompe selon un autre plan ? (le plan B)', ['le plan B']],
		['Et la VGP ?', 'Quand est la vérification générale périodique de la N-92c ?', 'Quand est la vérification générale périodique de la N-92c ? (VGP)', ['VGP']],
	])('are put back: %s', async (question, reply, query, restored) => {
		expect(await ask(question, reply)).toMatchObject({ query, how: 'repaired', restored, rewritten: reply });
	});

	it('of the conversation keep their spelling', async () => {
		expect(await ask('Et sa température ?', 'Quelle est la température de la pompe N 92 C ?')).toMatchObject({
			query: 'Quelle est la température de la pompe N-92c ?', how: 'repaired', restored: ['N-92c'],
		});
	});

	it('that nobody wrote make the question unusable, and the item says so', async () => {
		expect(await ask('Et sa température ?', 'Quelle est la température de la pompe N-93c ?')).toMatchObject({
			query: 'Et sa température ?', how: 'original', reason: 'invented-identifier', rewritten: 'Quelle est la température de la pompe N-93c ?',
		});
	});
});

describe('a reply that cannot be used', () => {
	it.each([
		['', 'empty'],
		['What is the temperature of the pump and what should we do with it?', 'other-language'],
		[`La température ${'est très élevée '.repeat(60)}`, 'too-long'],
	])('leaves the question as it is: %s', async (reply, reason) => {
		expect(await ask('Et sa température ?', reply)).toMatchObject({ query: 'Et sa température ?', how: 'original', reason });
	});

	it('is tidied where it can be', async () => {
		const wanted = 'Quelle est la température de la pompe N-92c ?';
		for (const reply of [`Question autonome : ${wanted}`, `« ${wanted} »`, `<think>hm</think>\n"${wanted}"`, `${wanted}\n\nVoilà la question.`]) {
			expect((await ask('Et sa température ?', reply)).query).toBe(wanted);
		}
	});

	it('of a model that fails leaves the question too, and says why', async () => {
		const error = new CodedError('UPSTREAM', 'The server is down');
		expect(await ask('Et sa température ?', { error })).toMatchObject({ query: 'Et sa température ?', how: 'original', reason: 'model-failed', rewritten: 'The server is down' });
	});

	it('of an aborted run is thrown', async () => {
		const signal = AbortSignal.abort(new Error('cancelled'));
		const given = { model: async () => scriptedModel([{ text: 'x' }]), ports: fakePorts(), signal };
		await expect(condense({ question: 'Et sa température ?', history: talk }, given)).rejects.toThrow('cancelled');
	});
});
