import { textOf, type Message } from '../../lib/core/message';
import type { ConversationMemory } from '../../lib/core/memory';
import type { StreamMessage } from '../../lib/core/stream-message';
import { ReActEngine, type EngineParts } from '../../lib/engine/react-engine';
import { fakePorts } from '../support/fake-ports';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const stock = tool('stock', () => ({ text: '36' }));
const hit = { id: 'c1', documentId: 'd1', text: 'The pump P101 has 36 spare seals.', title: 'Pumps', meta: {}, score: 1 };

function engine(model: ScriptedModel, more: Partial<EngineParts> = {}): ReActEngine {
	const opened: unknown[] = [];
	const themes = { pumps: { tools: [stock], open: async (...given: unknown[]) => (opened.push(given), async () => [hit]) } };
	return new ReActEngine({ model, themes, ports: fakePorts(), ...more });
}

async function all(stream: AsyncIterable<StreamMessage>): Promise<StreamMessage[]> {
	const messages: StreamMessage[] = [];
	for await (const message of stream) messages.push(message);
	return messages;
}

describe('ReActEngine', () => {
	it('answers from a theme: documents found and fenced, its tools at hand, the language and detail asked for', async () => {
		const model = scriptedModel([{ calls: [{ name: 'stock', args: {} }] }, { text: '36 joints.' }]);
		const one = engine(model);
		one.start({ theme: 'pumps', language: 'fr', detail: 'brief' });
		const run = await one.getEngineResponse('Combien de joints pour la pompe P101 ?');
		expect(run).toMatchObject({ stoppedBy: 'answer', answer: '36 joints.', steps: [{ calls: [{ name: 'stock', result: { text: '36' } }] }, {}] });
		const [system, user] = model.requests[0]?.messages ?? [];
		expect(textOf(system as never)).toContain('Réponds en une à trois phrases.');
		expect(textOf(user as never)).toMatch(/données[\s\S]*36 spare seals[\s\S]*Combien de joints/);
	});

	it('streams numbered messages that end with the whole answer', async () => {
		const messages = await all(engine(scriptedModel([{ text: 'Thirty-six seals.' }])).stream('How many?'));
		expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_message, at) => at));
		expect(messages[0]).toMatchObject({ event: 'start', channel: 'control' });
		expect(messages.slice(1, -1).map(({ text }) => text).join('')).toBe('Thirty-six seals.');
		expect(messages.at(-1)).toMatchObject({ event: 'complete', channel: 'answer', text: 'Thirty-six seals.', meta: { stoppedBy: 'answer', partial: false } });
	});

	it('plans first when asked to', async () => {
		const plan = JSON.stringify({ steps: [{ id: 'a', task: 'look' }, { id: 'b', task: 'count', depends_on: ['a'] }] });
		const one = engine(scriptedModel([{ text: plan }, { text: 'seen' }, { text: '36' }, { text: 'Thirty-six.' }]));
		one.start({ theme: 'pumps', language: 'en', detail: 'standard', plansFirst: true });
		const run = await one.getEngineResponse('How many?');
		expect(run).toMatchObject({ answer: 'Thirty-six.', plan: { steps: [{ result: { output: 'seen' } }, { result: { output: '36' } }] } });
	});

	it('says in the stream that a run failed', async () => {
		const messages = await all(engine(scriptedModel([{ error: new Error('down') }])).stream('x'));
		expect(messages.at(-1)).toMatchObject({ event: 'error', channel: 'control', text: 'down', meta: { stoppedBy: 'error' } });
	});

	it('H08 takes an explicit empty history for a fresh question, and keeps nothing of a run', async () => {
		const model = scriptedModel([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
		const one = engine(model);
		await one.getEngineResponse('first');
		await one.getEngineResponse('second');
		one.setHistory([{ role: 'user', parts: [{ type: 'text', text: 'old' }] }]);
		one.setHistory([]);
		await one.getEngineResponse('third');
		expect(model.requests.map(({ messages }) => messages.length)).toEqual([2, 2, 2]);
	});

	it('works without a theme, and names the themes there are for one that is not', async () => {
		const one = engine(scriptedModel([{ text: 'ok' }]));
		expect(await one.getEngineResponse('x')).toMatchObject({ answer: 'ok', tools: [] });
		expect(() => one.start({ theme: 'valves', language: 'en', detail: 'standard' })).toThrow('There is no theme "valves"; known: pumps');
	});

	it('H10 takes braces in instructions, prompt and documents as they are', async () => {
		const model = scriptedModel([{ text: 'ok' }]);
		await engine(model).getEngineResponse('Réponds {"a": "…"} } ${x} {{y}}');
		expect(textOf(model.requests[0]?.messages.at(-1) as never)).toBe('Réponds {"a": "…"} } ${x} {{y}}');
	});

	it('ends the run, and with it the stream of the model, when a reader leaves', async () => {
		let isLeft = false;
		const endless = scriptedModel([]);
		const model: ScriptedModel = {
			...endless,
			async *stream() {
				try {
					for (;;) yield { type: 'text-delta', text: 'on and on ' };
				} finally {
					isLeft = true;
				}
			},
		};
		for await (const { event } of engine(model).stream('x')) if (event === 'delta') break;
		expect(isLeft).toBe(true);
	});

	it('follows and keeps a conversation in a memory, calls included; a failed run is not kept', async () => {
		const { memory, saved } = keptConversation();
		const model = scriptedModel([{ calls: [{ name: 'stock', args: {} }] }, { text: '36.' }, { text: 'Of P101.' }, { error: new Error('down') }]);
		const one = engine(model);
		one.start({ theme: 'pumps', language: 'en', detail: 'standard', memory });
		await one.getEngineResponse('How many seals?');
		await one.getEngineResponse('Of which pump?');
		await one.getEngineResponse('And now?');
		expect(saved.map(({ turn }) => turn.map(({ role }) => role).join(' '))).toEqual(['user assistant tool assistant', 'user assistant']);
		expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
	});

	it('begins the kept conversation anew for an explicit empty history', async () => {
		const { memory, saved } = keptConversation();
		const one = engine(scriptedModel([{ text: 'a' }, { text: 'b' }]));
		one.start({ language: 'en', detail: 'standard', memory });
		await one.getEngineResponse('first');
		one.setHistory([]);
		await one.getEngineResponse('second');
		expect(saved.map(({ startsFresh }) => startsFresh)).toEqual([false, true]);
	});

	it('chats over the documents of a theme: a follow-up is condensed, the answer cites its sources and is kept', async () => {
		const { memory, saved } = keptConversation();
		const model = scriptedModel([{ text: 'There are 36 [1].' }, { text: 'Which pump has the 36 spare seals?' }, { text: 'P101 [1].' }]);
		const one = engine(model);
		one.start({ theme: 'pumps', language: 'en', detail: 'brief', memory });
		const first = await one.getChatResponse('How many spare seals are there?');
		expect(first).toMatchObject({ answer: 'There are 36 [1].', known: true, sources: [{ title: 'Pumps', cited: true }] });
		const second = await one.getChatResponse('And which pump has them?');
		expect(second).toMatchObject({ query: 'Which pump has the 36 spare seals?', answer: 'P101 [1].' });
		expect(saved).toHaveLength(2);
		expect(model.requests).toHaveLength(3);
	});

	it('has nothing to chat about without documents', async () => {
		await expect(engine(scriptedModel([])).getChatResponse('How many?')).rejects.toThrow('There are no documents to answer from');
	});
});

interface Saved {
	readonly turn: readonly Message[];
	readonly startsFresh: boolean;
}

function keptConversation(): { memory: ConversationMemory; saved: Saved[] } {
	const saved: Saved[] = [];
	const memory: ConversationMemory = {
		load: async () => saved.flatMap(({ turn }) => turn),
		save: async (turn, startsFresh = false) => void saved.push({ turn, startsFresh }),
		clear: async () => void saved.splice(0),
	};
	return { memory, saved };
}
