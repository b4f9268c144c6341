import { schemaReader } from '../../lib/react/structured-output';

const schema = { type: 'object', properties: { total: { type: 'integer' }, note: { type: 'string' } }, required: ['total'] };
const read = async (answer: string) => await schemaReader(schema).read(answer);

describe('a structured answer', () => {
	it('R25 is found in prose and a fence', async () => {
		expect(await read('Voici :\n```json\n{"total":1}\n```\nDites-moi.')).toEqual({ ok: true, value: { total: 1 } });
	});

	it('R26 keeps back-ticks inside its strings', async () => {
		expect(await read('{"total":1,"note":"lancer: ```bash ls```"}')).toEqual({ ok: true, value: { total: 1, note: 'lancer: ```bash ls```' } });
	});

	it('R27 is unwrapped, also twice, when what is inside fits', async () => {
		expect(await read('{"output":{"output":{"total":3}}}')).toEqual({ ok: true, value: { total: 3 } });
	});

	it('is coerced without loss, and refused with the path that failed', async () => {
		expect(await read('{"total":"4"}')).toEqual({ ok: true, value: { total: 4 } });
		expect(await read('{"total":"many"}')).toMatchObject({ ok: false, problem: expect.stringContaining('total') });
		expect(await read('no object')).toMatchObject({ ok: false, problem: expect.stringContaining('no JSON') });
	});
});
