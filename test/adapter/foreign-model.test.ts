import { collectReply, type ModelRequest } from '../../lib/core/model';
import { foreignModel } from '../../lib/n8n/foreign-model';

interface Seen {
	tools?: unknown;
	messages?: unknown;
	options?: { stop?: unknown };
}

/** A chat model as LangChain makes them: bindTools gives another model, stream gives message chunks. */
function langChainModel(chunks: object[], seen: Seen) {
	const model = {
		model: 'gpt-test',
		invoke: () => undefined,
		bindTools: (tools: unknown) => ((seen.tools = tools), model),
		stream: async (messages: unknown, options: { stop?: unknown }) => {
			Object.assign(seen, { messages, options });
			return (async function* () {
				yield* chunks;
			})();
		},
	};
	return model;
}

const request: ModelRequest = {
	messages: [
		{ role: 'system', parts: [{ type: 'text', text: 'sys' }] },
		{
			role: 'assistant',
			parts: [
				{ type: 'text', text: 'calling' },
				{ type: 'tool-call', callId: 'c1', name: 'look', argumentsText: '{"a":1}' },
				{ type: 'tool-call', callId: 'c2', name: 'look', argumentsText: 'not json' },
			],
		},
		{
			role: 'tool',
			parts: [
				{ type: 'tool-result', callId: 'c1', name: 'look', text: 'one', isError: false },
				{ type: 'tool-result', callId: 'c2', name: 'look', text: 'two', isError: true },
			],
		},
		{ role: 'user', parts: [{ type: 'text', text: 'see' }, { type: 'file', mediaType: 'image/png', data: 'AA==' }] },
	],
	tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
	stop: ['STOP'],
};
const never = new AbortController().signal;

describe('a chat model of n8n', () => {
	it('gets plain dicts, calls and results paired, tools in the shape all of them accept', async () => {
		const seen: Seen = {};
		await collectReply(foreignModel(langChainModel([{ content: 'hi' }], seen)), request, never);
		expect(seen.tools).toEqual([{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }]);
		expect(seen.options?.stop).toEqual(['STOP']);
		expect(seen.messages).toEqual([
			{ role: 'system', content: 'sys' },
			{
				role: 'assistant',
				content: 'calling',
				tool_calls: [
					{ id: 'c1', name: 'look', args: { a: 1 }, type: 'tool_call' },
					{ id: 'c2', name: 'look', args: { input: 'not json' }, type: 'tool_call' },
				],
			},
			{ role: 'tool', content: 'one', tool_call_id: 'c1', name: 'look' },
			{ role: 'tool', content: 'two', tool_call_id: 'c2', name: 'look' },
			{ role: 'user', content: [{ type: 'text', text: 'see' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
		]);
	});

	it('P15 has its calls told apart by id, also when all say index 0, and P16 a repeated name kept once', async () => {
		const chunks = [
			{ content: [{ type: 'text', text: 'a' }] },
			{ content: '', tool_call_chunks: [{ index: 0, id: 'x', name: 'look', args: '{"q":' }] },
			{ content: '', tool_call_chunks: [{ index: 0, name: 'look', args: '1}' }] },
			{ content: '', tool_call_chunks: [{ index: 0, id: 'y', name: 'look', args: '{}' }] },
			{ usage_metadata: { input_tokens: 7, output_tokens: 3 } },
		];
		const reply = await collectReply(foreignModel(langChainModel(chunks, {})), request, never);
		expect(reply).toMatchObject({
			text: 'a',
			reason: 'tool-calls',
			usage: { inputTokens: 7, outputTokens: 3 },
			toolCalls: [
				{ callId: 'x', name: 'look', argumentsText: '{"q":1}' },
				{ callId: 'y', name: 'look', argumentsText: '{}' },
			],
		});
	});

	it('is refused with a clear message when it is something else', () => {
		expect(() => foreignModel({ nothing: true })).toThrow('What is connected to the Model input is not a chat model');
	});
});
