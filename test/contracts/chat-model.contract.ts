import type { ChatModel, ModelEvent, ModelReply, ModelRequest } from '../../lib/core/model';
import { collectReply, ReplyBuilder } from '../../lib/core/model';
import { textMessage } from '../../lib/core/message';
import type { FakeModelServer } from '../support/fake-model-server';
import type { FakePorts } from '../support/fake-ports';

/** What a provider must bring to be held to the contract. */
export interface ChatModelSetup {
	/** A model that will give, in order, one reply for each name. */
	make(...replies: Reply[]): Promise<ChatModel>;
	/** Called after each test; fails when the server saw something unexpected. */
	close(): Promise<void>;
	/** Does the provider say how many tokens it used? `counted`: it does, but the numbers are its own. */
	readonly usage: boolean | 'counted';
	readonly name: string;
	/** The server that the model asks, once it is made; absent where none is asked. */
	readonly wire?: () => { readonly server: FakeModelServer; readonly ports: FakePorts };
}

export type Reply = 'text' | 'tools' | 'reasoning';

/** One thing that every chat model does, whatever API is behind it. */
export interface ContractCase {
	readonly name: string;
	/** Why it says nothing about a provider; absent when it always does. */
	readonly notFor?: (setup: ChatModelSetup) => string | undefined;
	readonly check: (setup: ChatModelSetup) => Promise<void>;
}

export const TOOLS: ModelRequest['tools'] = [
	{ name: 'stock_lookup', description: 'Parts in stock', inputSchema: { type: 'object', properties: { ref: { type: 'string' } } } },
	{ name: 'meter_reading', description: 'Hours of a machine', inputSchema: { type: 'object' } },
];
export const QUESTION: ModelRequest = { messages: [textMessage('user', 'Combien de pannes ?')], tools: TOOLS };
export const ANSWER = 'Trois pannes hydrauliques à l’été : 12 450,00 €.';

export const live = (): AbortSignal => new AbortController().signal;

export const CASES: readonly ContractCase[] = [
	{
		name: 'streams text and finishes once, last',
		check: async (setup) => {
			const events = await all(await setup.make('text'), QUESTION);
			expect(events.filter((event) => event.type === 'finish')).toHaveLength(1);
			expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
			expect(fold(events).text).toBe(ANSWER);
		},
	},
	{
		name: 'P22 gives the calls of a turn without text, in order, with arguments as written',
		check: async (setup) => {
			const reply = await collectReply(await setup.make('tools'), QUESTION, live());
			expect(reply.reason).toBe('tool-calls');
			expect(reply.toolCalls.map(({ name }) => name)).toEqual(['stock_lookup', 'meter_reading']);
			expect(JSON.parse(reply.toolCalls[0]!.argumentsText)).toEqual({ ref: 'N-92c', note: "joint d'étanchéité" });
			expect(reply.toolCalls[1]!.argumentsText).toBe('{}');
			expect(new Set(reply.toolCalls.map(({ callId }) => callId)).size).toBe(2);
		},
	},
	{
		name: 'keeps reasoning apart from text',
		check: async (setup) => {
			const reply = await collectReply(await setup.make('reasoning'), QUESTION, live());
			expect(reply.text).toBe('Trois.');
			expect(reply.message.parts[0]).toEqual({ type: 'reasoning', text: 'Je compte les pannes.' });
		},
	},
	{
		name: 'counts tokens where the API says them, and says null elsewhere',
		check: async (setup) => {
			const { usage } = await collectReply(await setup.make('text'), QUESTION, live());
			const counts = [usage.inputTokens, usage.outputTokens];
			if (setup.usage === 'counted') expect(counts).toEqual([expect.any(Number), expect.any(Number)]);
			else expect(counts).toEqual(setup.usage ? [42, 11] : [null, null]);
		},
	},
	{
		name: 'takes its own calls and their results back, and changes nothing that was given',
		check: async (setup) => {
			const model = await setup.make('tools', 'text');
			const first = await collectReply(model, QUESTION, live());
			const results = first.toolCalls.map((call) => ({
				role: 'tool' as const,
				parts: [{ type: 'tool-result' as const, callId: call.callId, name: call.name, text: '{"found":3}', isError: false }],
			}));
			const messages = [...QUESTION.messages, first.message, ...results];
			const before = JSON.stringify(messages);
			expect((await collectReply(model, { ...QUESTION, messages }, live())).text).toBe(ANSWER);
			expect(JSON.stringify(messages)).toBe(before);
		},
	},
	{
		name: 'stops at once with the reason of the signal',
		check: async (setup) => {
			const model = await setup.make('text');
			const stop = new AbortController();
			const reason = new Error('the user left');
			const run = async (): Promise<void> => {
				for await (const event of model.stream(QUESTION, stop.signal)) if (event) stop.abort(reason);
			};
			await expect(run()).rejects.toBe(reason);
		},
	},
	{
		name: 'is named after provider and model',
		check: async (setup) => {
			const model = await setup.make('text');
			expect(model.id).toBe(setup.name);
			await all(model, QUESTION);
		},
	},
];

/** All events of one call. */
export async function all(model: ChatModel, request: ModelRequest): Promise<ModelEvent[]> {
	const events: ModelEvent[] = [];
	for await (const event of model.stream(request, live())) events.push(event);
	return events;
}

/** The reply that events make. */
export function fold(events: readonly ModelEvent[]): ModelReply {
	const builder = new ReplyBuilder();
	for (const event of events) builder.add(event);
	return builder.reply();
}
