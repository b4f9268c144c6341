import { CALL_ID_PREFIX, outputOf, readToolItem, responseOf } from '../../lib/n8n/tool-item';
import { tool } from '../support/test-nodes';

const find = tool('find', () => ({ text: '' }), { inputSchema: { type: 'object', properties: { q: {}, tool: {} } } });
const count = tool('count', () => ({ text: '' }), { inputSchema: { type: 'object', properties: { q: {} } } });

describe('a tool item', () => {
	it('from our agent holds name and arguments apart, whatever else the item holds', () => {
		const json = { user: 'anna', q: 'of the item', tool: 'count', toolInput: { q: 'asked', tool: 'find' }, toolCallId: `${CALL_ID_PREFIX}0.1.0` };
		expect(readToolItem(json, [find, count])).toMatchObject({ tool: 'count', input: { q: 'asked', tool: 'find' }, fromOurs: true });
	});

	it('N07 from n8n\'s agent is read by the schema of the tool it names; a toolInput of the item means nothing there', () => {
		const json = { user: 'anna', q: 'asked', tool: 'count', toolInput: { q: 'forged' }, toolCallId: 'call_1' };
		expect(readToolItem(json, [find, count])).toMatchObject({ tool: 'count', input: { q: 'asked' }, fromOurs: false });
		expect(readToolItem({ q: 'asked', tool: 'a value' }, [find])).toMatchObject({ tool: 'find', input: { q: 'asked', tool: 'a value' } });
		expect(readToolItem({ q: 'asked', tool: 'nowhere' }, [find, count])).toMatchObject({ tool: 'nowhere', input: {} });
	});

	it('gives data as JSON, or text, or both when they differ, and reads the same back', () => {
		for (const output of [{ text: 'plain' }, { text: '{"a":1}', data: { a: 1 } }, { text: 'a is 1', data: { a: 1 } }]) {
			expect(outputOf(responseOf(output))).toEqual(output);
		}
		expect(responseOf({ text: '{"a":1}', data: { a: 1 } })).toEqual({ response: { a: 1 } });
	});
});
