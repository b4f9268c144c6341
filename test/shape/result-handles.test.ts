import { ResultHandles } from '../../lib/shape/result-handles';

const page = 'x'.repeat(90_000);

describe('ResultHandles', () => {
	it('M23 passes a 90 kB result on by its handle, at any depth of the arguments', () => {
		const handles = new ResultHandles();
		const shown = handles.cut(page, 1000);
		expect(shown.length).toBeLessThan(1300);
		const handle = /handle of the whole is (result_1)/.exec(shown)?.[1] ?? '';
		const filled = handles.fill({ title: 'Page', body: ` {{ ${handle} }} `, parts: [{ text: `{{${handle}}}` }], note: `see {{${handle}}}` });
		expect(filled).toEqual({ title: 'Page', body: page, parts: [{ text: page }], note: 'see {{result_1}}' });
	});

	it('M23 leaves what is short enough, and values without handles, as they are', () => {
		const handles = new ResultHandles();
		const value = { a: 1, b: ['{{x}}'] };
		expect(handles.cut('short', 10)).toBe('short');
		expect(handles.announce('short', 10)).toBe('short');
		expect(handles.fill(value)).toBe(value);
		expect(handles.announce('long text', 3)).toBe('[9 characters; to pass the whole on to a tool of this server, give {{result_1}} as the argument]\nlong text');
	});

	it('says which handles there are when one is not known, also before any was made', () => {
		const handles = new ResultHandles();
		expect(() => handles.fill({ body: '{{result_7}}' })).toThrow('There is no result result_7 any more; known are: none.');
		handles.keep('a');
		expect(() => handles.read('result_9')).toThrow('known are: result_1.');
	});

	it('never takes a handle of another session for its own', () => {
		const [one, other] = [new ResultHandles('xa1'), new ResultHandles('xb2')];
		const handle = one.keep('the parts list');
		other.keep('the work orders');
		expect(() => other.fill({ body: `{{${handle}}}` })).toThrow(`There is no result ${handle} any more; known are: result_1xb2.`);
		expect(one.fill({ body: `{{${handle}}}` })).toEqual({ body: 'the parts list' });
	});

	it('forgets the oldest when too much is kept, never the newest', () => {
		const handles = new ResultHandles();
		const large = 'y'.repeat(15_000_000);
		const [first, second] = [handles.keep(large), handles.keep(large)];
		expect(() => handles.read(first)).toThrow('any more');
		expect(handles.read(second)).toBe(large);
	});
});
