import { textMessage, textOf, type Message } from '../../lib/core/message';
import { isMistralFamily, mistralHistory, mistralIds } from '../../lib/providers/mistral-history';
import { toRequest as toMistral } from '../../lib/providers/mistral/to-request';
import { presetOf } from '../../lib/providers/openai-compatible/presets';
import { toRequest as toOpenAi } from '../../lib/providers/openai-compatible/to-request';

const call = (callId: string, ...text: string[]): Message => ({
	role: 'assistant',
	parts: [
		...text.map((said) => ({ type: 'text' as const, text: said })),
		{ type: 'tool-call', callId, name: 'stock', argumentsText: '{"ref": "A1"}' },
	],
});
const result = (callId: string): Message => ({
	role: 'tool',
	parts: [{ type: 'tool-result', callId, name: 'stock', text: '3', isError: false }],
});
const roles = (messages: readonly Message[]): string[] => messages.map(({ role }) => role);

describe('history for Mistral', () => {
	const ids = ['call_abc', 'toolu_01XYZ', 'D681PevKs', 'call_1'];
	const history = [textMessage('user', 'q'), ...ids.flatMap((id) => [call(id), result(id)])];

	it('P01 maps call ids to nine letters or digits, the same for call and result, none twice', () => {
		const before = structuredClone(history);
		const shaped = mistralHistory(history).flatMap(({ parts }) => parts.flatMap((part) => ('callId' in part ? [part.callId] : [])));
		expect(shaped.every((id) => /^[a-zA-Z0-9]{9}$/.test(id))).toBe(true);
		for (let i = 0; i < shaped.length; i += 2) expect(shaped[i]).toBe(shaped[i + 1]);
		expect(new Set(shaped).size).toBe(ids.length);
		expect(shaped[4]).toBe('D681PevKs');
		expect(history).toEqual(before);
	});

	it('P01 gives the same id each time, also when the history has grown', () => {
		const first = mistralIds(history.slice(0, 3)).get('call_abc');
		expect(mistralIds(history).get('call_abc')).toBe(first);
	});

	it('P01 avoids an id that the history already has', () => {
		const taken = mistralIds([call('call_abc')]).get('call_abc')!;
		const map = mistralIds([call('call_abc'), call(taken)]);
		expect(map.get(taken)).toBe(taken);
		expect(map.get('call_abc')).not.toBe(taken);
	});

	it('P02 puts an assistant turn between a tool result and a user', () => {
		const shaped = mistralHistory([textMessage('user', 'q'), call('a'), result('a'), textMessage('user', 'go on')]);
		expect(roles(shaped)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
	});

	it('P03 ends on a user turn when the assistant spoke last', () => {
		const shaped = mistralHistory([textMessage('user', 'q'), textMessage('assistant', 'half an')]);
		expect(roles(shaped)).toEqual(['user', 'assistant', 'user']);
		expect(textOf(shaped[2]!)).toBe('Continue.');
	});

	it('P04 H04 leaves out assistant turns with neither text nor calls', () => {
		const shaped = mistralHistory([textMessage('user', 'q'), textMessage('assistant', ''), textMessage('user', 'r')]);
		expect(roles(shaped)).toEqual(['user', 'user']);
	});

	it.each([
		['mistralai/Mistral-Small-3.2', true],
		['devstral:24b', true],
		['magistral-small-latest', true],
		['qwen3:8b', false],
		['llama3.1', false],
	])('knows whether %s is of the family', (model, is) => expect(isMistralFamily(model)).toBe(is));

	it('P01 P02 hold behind OpenAI-compatible servers too, and only for the family', () => {
		const messages = [textMessage('user', 'q'), call('call_abc', 'I look.'), result('call_abc'), textMessage('user', 'r')];
		const send = (model: string) => toOpenAi({ messages }, { model }, presetOf('vllm')).messages as { role: string; tool_call_id?: string }[];
		expect(send('mistral-small').map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
		expect(send('mistral-small')[2]?.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/);
		expect(send('qwen3').map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
		expect(send('qwen3')[2]?.tool_call_id).toBe('call_abc');
	});

	it('P12 sends arguments as the text the model wrote, on both routes', () => {
		const messages = [textMessage('user', 'q'), call('call_abc'), result('call_abc')];
		const wire = toOpenAi({ messages }, { model: 'qwen3' }, presetOf('ollama')).messages as { tool_calls?: unknown }[];
		expect(wire[1]?.tool_calls).toEqual([{ id: 'call_abc', type: 'function', function: { name: 'stock', arguments: '{"ref": "A1"}' } }]);
		expect(toMistral({ messages }, { model: 'm' }).messages[1]).toMatchObject({ toolCalls: [{ function: { arguments: '{"ref": "A1"}' } }] });
	});

	it('P06 sends reasoning back to the models that take it', () => {
		const messages: Message[] = [textMessage('user', 'q'), { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, ...call('D681PevKs').parts] }, result('D681PevKs')];
		expect(toMistral({ messages }, { model: 'magistral-small' }).messages[1]?.content).toEqual([{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }]);
		expect(toMistral({ messages }, { model: 'mistral-small' }).messages[1]?.content).toBe('');
		expect(toOpenAi({ messages }, { model: 'x' }, presetOf('openrouter')).messages).toContainEqual(expect.objectContaining({ reasoning: 'hm' }));
	});
});
