import { ChatEngine } from '../../lib/chat/engine';
import { textOf } from '../../lib/core/message';
import { fakePorts } from '../support/fake-ports';
import { scriptedModel, type ScriptedModel, type ScriptedTurn } from '../support/scripted-model';

const documents = [{ id: 'a', documentId: 'a', text: 'La pompe travaille à 35 bar.', meta: {}, score: 1 }];

function engine(turns: readonly ScriptedTurn[]): { chat: ChatEngine; model: ScriptedModel } {
	const model = scriptedModel(turns);
	return { model, chat: new ChatEngine({ model, ports: fakePorts(), signal: new AbortController().signal }, { documents, condenses: false }) };
}

const said = (model: ScriptedModel, at: number): string[] => model.requests[at]!.messages.slice(1, -1).map(textOf);

it('follows its conversation, and forgets it on reset', async () => {
	const { chat, model } = engine([{ text: 'un [1]' }, { text: 'deux [1]' }, { text: 'trois [1]' }]);
	await chat.chat('A ?');
	await chat.chat('B ?');
	expect(said(model, 1)).toEqual(['A ?', 'un']);
	chat.reset();
	await chat.chat('C ?');
	expect(said(model, 2)).toEqual([]);
});

it('H08 takes an explicit empty history after three turns for a fresh question', async () => {
	const { chat, model } = engine(['a', 'b', 'c', 'd', 'e'].map((text) => ({ text: `${text} [1]` })));
	for (const question of ['A ?', 'B ?', 'C ?']) await chat.chat(question);
	await chat.chat('D ?', []);
	expect(said(model, 3)).toEqual([]);
	await chat.chat('E ?');
	expect(said(model, 4)).toEqual(['D ?', 'd']);
});

it('keeps no turn of a chat that was left', async () => {
	const { chat, model } = engine([{ text: 'une longue réponse' }, { text: 'b [1]' }]);
	for await (const event of chat.stream('A ?')) if (event.type === 'text-delta') break;
	await chat.chat('B ?');
	expect(said(model, 1)).toEqual([]);
});
