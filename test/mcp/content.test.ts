import { toToolOutput } from '../../lib/mcp/content';

const text = (value: string): object => ({ type: 'text', text: value });

describe('toToolOutput', () => {
	it('M20 gives the model structured content when no text came', () => {
		expect(toToolOutput({ content: [], structuredContent: { total: 3 } })).toEqual({ text: '{"total":3}', data: { total: 3 } });
		expect(toToolOutput({ structuredContent: { total: 3 } }).text).toBe('{"total":3}');
	});

	it('M20 keeps both when they differ, one when they say the same', () => {
		expect(toToolOutput({ content: [text('Three found')], structuredContent: { total: 3 } })).toEqual({
			text: 'Three found\n{"total":3}', data: { total: 3 },
		});
		expect(toToolOutput({ content: [text('{ "total": 3 }')], structuredContent: { total: 3 } }).text).toBe('{"total":3}');
	});

	it('takes JSON text as data and leaves other text alone', () => {
		expect(toToolOutput({ content: [text('[1,2]')] })).toEqual({ text: '[1,2]', data: [1, 2] });
		expect(toToolOutput({ content: [text('[note] fine')] })).toEqual({ text: '[note] fine' });
	});

	it('turns pictures and embedded files into files with a note', () => {
		const output = toToolOutput({ content: [
			text('Here:'), { type: 'image', data: 'AAAA', mimeType: 'image/png' },
			{ type: 'resource', resource: { uri: 'file:///r/plan.pdf', blob: 'BBBB', mimeType: 'application/pdf' } },
			{ type: 'resource', resource: { uri: 'file:///r/a.txt', text: 'inside' } },
			{ type: 'resource_link', uri: 'http://x/y', name: 'manual' },
		] });
		expect(output.files).toEqual([
			{ name: 'image_1.png', mediaType: 'image/png', data: 'AAAA' }, { name: 'plan.pdf', mediaType: 'application/pdf', data: 'BBBB' },
		]);
		expect(output.text).toBe('Here:\n[file image_1.png (image/png) is attached; its content is not shown here]\n' +
			'[file plan.pdf (application/pdf) is attached; its content is not shown here]\ninside\n[link manual: http://x/y]');
	});

	it('keeps isError, shows unknown content, never gives an empty observation', () => {
		expect(toToolOutput({ content: [text('no such part')], isError: true })).toEqual({ text: 'no such part', isError: true });
		expect(toToolOutput({ content: [{ type: 'video', uri: 'v' }] }).text).toBe('{"type":"video","uri":"v"}');
		expect(toToolOutput({}).text).toBe('Done. The tool returned no data.');
		expect(toToolOutput({ content: [text('')] }).text).toBe('Done. The tool returned no data.');
	});
});
