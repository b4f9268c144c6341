import { collectReply, type ModelRequest } from '../../lib/core/model';
import { fixtureChunks, type FakeAnswer } from '../support/fake-model-server';
import { ANSWER, live, QUESTION, type ChatModelSetup, type ContractCase, type Reply } from './chat-model.contract';

const BUSY: FakeAnswer = { status: 429, headers: { 'retry-after': '2' }, body: { message: 'slow down' } };
const SCHEMA = { type: 'object', properties: { failure_class: { type: 'string' } }, required: ['failure_class'], additionalProperties: false };
const PICTURE = { type: 'file', mediaType: 'image/png', data: 'aGVsbG8gcGljdHVyZQ==' } as const;

const CASES: readonly (ContractCase & { readonly whyNot?: string })[] = [
	{
		name: 'gives the same replies wherever the stream is cut',
		check: async (setup) => {
			const model = await setup.make();
			for (const cutBytes of [1, 3, 7]) {
				const fixtures: Reply[] = ['text', 'tools', 'reasoning'];
				for (const fixture of fixtures) setup.wire!().server.answer('chat', { fixture, cutBytes });
				expect((await collectReply(model, QUESTION, live())).text).toBe(ANSWER);
				expect((await collectReply(model, QUESTION, live())).toolCalls.map(({ name }) => name)).toEqual(['stock_lookup', 'meter_reading']);
				expect((await collectReply(model, QUESTION, live())).text).toBe('Trois.');
			}
		},
	},
	{
		name: 'sends the schema that a reply is held to',
		whyNot: 'it says that it holds replies to no schema',
		check: async (setup) => await expectSent(setup, { responseSchema: SCHEMA }, '"failure_class"'),
	},
	{
		name: 'sends pictures',
		whyNot: 'it says that it takes no pictures',
		check: async (setup) => {
			const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'What is broken?' }, PICTURE] }];
			await expectSent(setup, { messages }, PICTURE.data);
		},
	},
	{
		name: 'says that the key is wrong, and does not ask again',
		check: async (setup) => {
			const error = await failureOf(setup, { status: 401, body: { message: 'Unauthorized' } });
			expect(error).toMatchObject({ code: 'BAD_INPUT', reason: 'wrong-key', retryable: false });
		},
	},
	{
		name: 'says that the server does not know the model',
		check: async (setup) => {
			const error = await failureOf(setup, { status: 404, body: { error: { message: 'model "test-model" not found' } } });
			expect(error).toMatchObject({ code: 'BAD_INPUT', reason: 'unknown-model' });
		},
	},
	{
		name: 'P07 quotes what came instead of an answer',
		check: async (setup) => {
			const error = await failureOf(setup, { body: '<html><title>Welcome to nginx!</title></html>' });
			expect(error).toMatchObject({ code: 'UPSTREAM', message: expect.stringContaining('Welcome to nginx!') });
		},
	},
	{
		name: 'P09 waits as a busy server asks, then answers',
		check: async (setup) => {
			const model = await setup.make();
			const { server, ports } = setup.wire!();
			server.answer('chat', BUSY, BUSY, { fixture: 'text' });
			expect((await collectReply(model, QUESTION, live())).text).toBe(ANSWER);
			expect(ports.sleeps).toEqual([2000, 2000]);
		},
	},
	{
		name: 'P09 gives up in the end, and says 429',
		check: async (setup) => expect(await failureOf(setup, BUSY, BUSY, BUSY, BUSY)).toMatchObject({ code: 'UPSTREAM', status: 429, retryable: true }),
	},
	{
		name: 'says that the connection was lost in the middle of an answer',
		check: async (setup) => {
			const error = await failureOf(setup, { chunks: fixtureChunks(setup.name.split('/')[0]!, 'text'), dropAfter: 1 });
			expect(error).toMatchObject({ code: 'UPSTREAM', retryable: true });
		},
	},
	{
		name: 'closes the connection when the reader leaves',
		check: async (setup) => {
			const model = await setup.make();
			const { server } = setup.wire!();
			server.answer('chat', { fixture: 'text', cutBytes: 1 });
			for await (const event of model.stream(QUESTION, live())) if (event.type === 'text-delta') break;
			for (let turn = 0; turn < 5000 && server.abandoned() === 0; turn += 1) await new Promise((resolve) => setImmediate(resolve));
			expect(server.abandoned()).toBe(1);
		},
	},
];

const NO_SERVER = 'no server is asked';

/** What is asked of models behind a server: what they send, and what they make of its faults. */
export const SERVER_CASES: readonly ContractCase[] = CASES.map(({ whyNot = NO_SERVER, ...one }) => ({ ...one, notFor: ({ wire }) => (wire ? undefined : whyNot) }));

async function expectSent(setup: ChatModelSetup, more: Partial<ModelRequest>, text: string): Promise<void> {
	const model = await setup.make('text');
	await collectReply(model, { messages: QUESTION.messages, ...more }, live());
	expect(JSON.stringify(setup.wire!().server.requests[0]?.body)).toContain(text);
}

async function failureOf(setup: ChatModelSetup, ...answers: FakeAnswer[]): Promise<unknown> {
	const model = await setup.make();
	setup.wire!().server.answer('chat', ...answers);
	return await collectReply(model, QUESTION, live()).then(
		() => 'it did not fail',
		(error: Error) => ({ ...error, message: error.message }),
	);
}
