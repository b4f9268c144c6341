import { ReplyBuilder } from '../../lib/core/model';
import { CallJoiner, type CallPiece } from '../../lib/providers/call-joiner';

function callsOf(...pieces: CallPiece[]): { callId: string; name: string; argumentsText: string }[] {
	let made = 0;
	const joiner = new CallJoiner(() => `made${(made += 1)}`);
	const builder = new ReplyBuilder();
	for (const event of [...pieces.flatMap((piece) => joiner.add(piece)), ...joiner.end()]) builder.add(event);
	return builder.reply().toolCalls.map(({ callId, name, argumentsText }) => ({ callId, name, argumentsText }));
}

describe('pieces of tool calls', () => {
	const two = [
		{ callId: 'a', name: 'stock', argumentsText: '{"ref":1}' },
		{ callId: 'b', name: 'meter', argumentsText: '{}' },
	];

	it.each([
		['absent', undefined],
		['null', null],
		['always 0', 0],
	])('P15 makes two calls when ids differ and the index is %s', (_, index) => {
		const pieces = [
			{ index, id: 'a', name: 'stock', arguments: '{"ref"' },
			{ index, arguments: ':1}' },
			{ index, id: 'b', name: 'meter', arguments: '{}' },
		];
		expect(callsOf(...pieces)).toEqual(two);
	});

	it('P15 puts interleaved pieces to their calls by id', () => {
		const pieces = [
			{ id: 'a', name: 'stock', arguments: '{"ref"' },
			{ id: 'b', name: 'meter', arguments: '{' },
			{ id: 'a', arguments: ':1}' },
			{ id: 'b', arguments: '}' },
		];
		expect(callsOf(...pieces)).toEqual(two);
	});

	it('P15 makes two calls of whole objects without ids', () => {
		const pieces = [
			{ index: 0, name: 'stock', arguments: '{"ref":1}' },
			{ index: 0, name: 'stock', arguments: '{"ref":2}' },
		];
		expect(callsOf(...pieces).map(({ argumentsText }) => argumentsText)).toEqual(['{"ref":1}', '{"ref":2}']);
	});

	it('P16 takes a name once though it is sent with each piece', () => {
		const pieces = ['{"re', 'f":', '1}'].map((text) => ({ index: 0, id: 'a', name: 'stock', arguments: text }));
		expect(callsOf(...pieces)).toEqual([two[0]]);
	});

	it('P17 makes no phantom call when indexes begin at 1', () => {
		expect(callsOf({ index: 1, id: 'a', name: 'stock', arguments: '{"ref":1}' })).toEqual([two[0]]);
	});

	it('P17 waits for a name that comes after the id and the first arguments', () => {
		const pieces = [{ index: 1, id: 'a' }, { index: 1, arguments: '{"ref"' }, { index: 1, name: 'stock' }, { index: 1, arguments: ':1}' }];
		expect(callsOf(...pieces)).toEqual([two[0]]);
	});

	it('P12 writes arguments that came as an object as their JSON', () => {
		expect(callsOf({ id: 'a', name: 'stock', arguments: { ref: 1 } })).toEqual([two[0]]);
	});

	it('P14 hands arguments that are a list on as they are', () => {
		expect(callsOf({ id: 'a', name: 'stock', arguments: [{ t: 1 }] })[0]?.argumentsText).toBe('[{"t":1}]');
	});

	it('treats the id "null" of the Mistral SDK as absent and makes one', () => {
		expect(callsOf({ index: 0, id: 'null', name: 'stock', arguments: '{}' })[0]?.callId).toBe('made1');
	});

	it('gives a second call its own id when a server uses one id for two indexes', () => {
		const pieces = [
			{ index: 0, id: 'x', name: 'stock', arguments: '{}' },
			{ index: 1, id: 'x', name: 'meter', arguments: '{}' },
		];
		expect(callsOf(...pieces).map(({ callId }) => callId)).toEqual(['x', 'made1']);
	});

	it('keeps arguments whose name never came, for the loop to answer', () => {
		expect(callsOf({ index: 0, id: 'a', arguments: '{"ref":1}' })).toEqual([{ callId: 'a', name: '', argumentsText: '{"ref":1}' }]);
		expect(callsOf({ index: 0, id: 'a' })).toEqual([]);
	});
});
