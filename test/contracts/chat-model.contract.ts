import type { ChatModel, ModelEvent, ModelReply, ModelRequest } from '../../lib/core/model';
import { collectReply, ReplyBuilder } from '../../lib/core/model';
import { textMessage } from '../../lib/core/message';

/** What a provider must bring to be held to the contract. */
export interface ChatModelSetup {
	/** A model that will give, in order, one reply for each name. */
	make(...replies: ('text' | 'tools' | 'reasoning')[]): Promise<ChatModel>;
	/** Called after each test; fails when the server saw something unexpected. */
	close(): Promise<void>;
	/** Does the provider say how many tokens it used? `counted`: it does, but the numbers are its own. */
	readonly usage: boolean | 'counted';
	readonly name: string;
}

export const TOOLS: ModelRequest['tools'] = [
	{ name: 'stock_lookup', description: 'Parts in stock', inputSchema: { type: 'object', properties: { ref: { type: 'string' } } } },
	{ name: 'meter_reading', description: 'Hours of a machine', inputSchema: { type: 'object' } },
];

const QUESTION: ModelRequest = { messages: [textMessage('user', 'Combien de pannes ?')], tools: TOOLS };
const ANSWER = 'Trois pannes hydrauliques à l’été : 12 450,00 €.';

/** Tests that every chat model must pass, whatever API is behind it. */
export function itIsAChatModel(setup: ChatModelSetup): void {
	const live = (): AbortSignal => new AbortController().signal;
	afterEach(async () => await setup.close());

	it('streams text and finishes once, last', async () => {
		const model = await setup.make('text');
		const events = await all(model, QUESTION);
		expect(events.filter((event) => event.type === 'finish')).toHaveLength(1);
		expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
		expect(fold(events).text).toBe(ANSWER);
	});

	it('P22 gives the calls of a turn without text, in order, with arguments as written', async () => {
		const reply = await collectReply(await setup.make('tools'), QUESTION, live());
		expect(reply.reason).toBe('tool-calls');
		expect(reply.toolCalls.map(({ name }) => name)).toEqual(['stock_lookup', 'meter_reading']);
		expect(JSON.parse(reply.toolCalls[0]!.argumentsText)).toEqual({ ref: 'N-92c', note: "joint d'étanchéité" });
		expect(reply.toolCalls[1]!.argumentsText).toBe('{}');
		expect(new Set(reply.toolCalls.map(({ callId }) => callId)).size).toBe(2);
	});

	it('keeps reasoning apart from text', async () => {
		const reply = await collectReply(await setup.make('reasoning'), QUESTION, live());
		expect(reply.text).toBe('Trois.');
		expect(reply.message.parts[0]).toEqual({ type: 'reasoning', text: 'Je compte les pannes.' });
	});

	it('counts tokens where the API says them, and says null elsewhere', async () => {
		const { usage } = await collectReply(await setup.make('text'), QUESTION, live());
		const counts = [usage.inputTokens, usage.outputTokens];
		if (setup.usage === 'counted') expect(counts).toEqual([expect.any(Number), expect.any(Number)]);
		else expect(counts).toEqual(setup.usage ? [42, 11] : [null, null]);
	});

	it('takes its own calls and their results back', async () => {
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
	});

	it('stops at once with the reason of the signal', async () => {
		const model = await setup.make('text');
		const stop = new AbortController();
		const reason = new Error('the user left');
		const run = async (): Promise<void> => {
			for await (const event of model.stream(QUESTION, stop.signal)) if (event) stop.abort(reason);
		};
		await expect(run()).rejects.toBe(reason);
	});

	it('is named after provider and model', async () => {
		const model = await setup.make('text');
		expect(model.id).toBe(setup.name);
		await all(model, QUESTION);
	});
}

/** All events of one call. */
export async function all(model: ChatModel, request: ModelRequest): Promise<ModelEvent[]> {
	const events: ModelEvent[] = [];
	for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
	return events;
}

/** The reply that events make. */
export function fold(events: readonly ModelEvent[]): ModelReply {
	const builder = new ReplyBuilder();
	for (const event of events) builder.add(event);
	return builder.reply();
}
