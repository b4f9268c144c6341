import { textOf } from '../../lib/core/message';
import { runScripted } from '../support/run-scripted';
import { scriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const inputSchema = { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] };
const stock = tool('consulter_stock', ({ ref }) => ({ text: `36 joints ${String(ref)} en stock` }), { inputSchema });
const price = tool('chercher_prix', () => ({ text: 'Erreur 503 du serveur', isError: true }), { inputSchema });

it('a French run with a corrected reply, an injected thought, a way back and a forced end is spoken to in French', async () => {
	const ask = (name: string, ref: string) => ({ text: `Pensée : je demande\nAction : ${name}\nEntrée de l'action : {"ref":"${ref}"}` });
	const model = scriptedModel(
		[
			{ text: 'Pensée : je réfléchis.' },
			ask('consulter_stock', 'N-92c'),
			ask('chercher_prix', 'a'),
			ask('chercher_prix', 'b'),
			ask('chercher_prix', 'c'),
			ask('chercher_prix', 'd'),
			ask('consulter_stock', 'N-92c'),
			ask('consulter_stock', 'N-92c'),
			{ text: 'Réponse : 36 joints N-92c en stock ; prix inconnu.' },
		],
		'no',
	);
	const { end, run } = await runScripted({ model, tools: [stock, price], setup: { language: 'fr' }, input: { query: 'Stock et prix du joint N-92c ?' } });
	expect(end).toEqual({ stoppedBy: 'forced-answer', partial: true, answer: '36 joints N-92c en stock ; prix inconnu.' });
	expect(run.steps.map(({ correction, injected, abandoned }) => [correction !== undefined, injected !== undefined, abandoned !== undefined])).toEqual([
		[true, false, false],
		[false, false, false],
		[false, false, true],
		[false, false, true],
		[false, true, true],
		[false, false, true],
		[false, true, false],
		[false, false, false],
		[false, false, false],
	]);
	const told = model.requests.map(({ messages }) => textOf(messages.at(-1) as never));
	expect(told[1]).toBe("Tu n'as écrit qu'une réflexion. Appelle un outil ou écris « Answer: » suivi de ta réponse.");
	expect(told[5]).toBe("Thought: ces appels échouent. Je dois lire les messages, changer les arguments ou prendre un autre outil.");
	expect(told[6]).toBe("Une tentative a été abandonnée ici : tous les appels ont échoué plusieurs fois de suite. Prends un autre chemin.");
	expect(told[8]).toContain('Arrête-toi ici : le même appel a été fait plusieurs fois.');
	expect(told[8]).toContain('dis ce qui manque');
});

it('a French run is told in French why a call was not made', async () => {
	const model = scriptedModel([{ calls: [{ name: 'chercher_prix', args: {} }, { name: 'prix', args: {} }, { name: 'consulter_stock', args: '{"ref":"N-9' }] }, { text: 'ok' }]);
	await runScripted({ model, tools: [stock, price], setup: { language: 'fr' } });
	const [missing, unknown, cut] = (model.requests[1]?.messages.at(-1)?.parts ?? []).map((part) => (part.type === 'tool-result' ? part.text : ''));
	expect(missing).toMatch(/^L'appel n'a pas été fait\. .*\/ref: is missing.*\nCe que fait chercher_prix : /s);
	expect(unknown).toMatch(/^Il n'y a pas d'outil nommé « prix »\. Disponibles : chercher_prix/);
	expect(cut).toContain('Les arguments sont coupés avant leur fin');
});
