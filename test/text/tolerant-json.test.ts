import fc from 'fast-check';

import { findJson, isCutOff, parseTolerant } from '../../lib/text/tolerant-json';

describe('parseTolerant', () => {
	it.each([
		['a fence and prose around', 'Voici :\n```json\n{"ok":1}\n```\nDites-moi.', { ok: 1 }],
		['single quotes, apostrophes and Python literals (R11)', `{'ref': 'N-92c', 'note': "joint d'étanchéité", 'ok': True, 'x': None}`, { ref: 'N-92c', note: "joint d'étanchéité", ok: true, x: null }],
		['an apostrophe inside single quotes', `{'note': 'l'arrêt d'urgence', 'n': 2}`, { note: "l'arrêt d'urgence", n: 2 }],
		['comments and trailing commas', '{"a": 1, /* one */ "b": [1,2,],}', { a: 1, b: [1, 2] }],
		['back-ticks in a string (R26)', '{"msg":"lancer: ```bash ls ```"}', { msg: 'lancer: ```bash ls ```' }],
		['a list', 'calls: [{"t":1}] done', [{ t: 1 }]],
	])('reads %s', (_name, text, value) => {
		expect(parseTolerant(text)).toEqual(value);
	});

	it.each(['', 'no json here', '{"a": "cut off', '{"a": {"b": 1}', 'just a } bracket'])('reads nothing from %j', (text) => {
		expect(parseTolerant(text)).toBeUndefined();
	});

	it('gives back any JSON object, with prose around it that holds no brackets', () => {
		const prose = fc.string().map((text) => text.replace(/[[\]{}"'\\]/g, ''));
		fc.assert(
			fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, value, after) => {
				const text = JSON.stringify(value);
				const found = findJson(`${before}${text}${after}`);
				expect(found?.value).toEqual(JSON.parse(text));
				expect(`${before}${text}${after}`.slice(found?.start, found?.end)).toBe(text);
			}),
		);
	});

	it('stays fast on a megabyte of opening brackets', () => {
		const began = Date.now();
		expect(parseTolerant('['.repeat(1_000_000))).toBeUndefined();
		expect(parseTolerant('{"a":'.repeat(200_000))).toBeUndefined();
		parseTolerant('['.repeat(500_000) + ']'.repeat(500_000));
		expect(parseTolerant('{x y z} '.repeat(125_000).replaceAll('{x', '{:::'))).toBeUndefined();
		expect(Date.now() - began).toBeLessThan(1_000);
	});
});

describe('isCutOff', () => {
	it('tells a value that never closes from one that does', () => {
		expect(isCutOff('{"a": [1, 2')).toBe(true);
		expect(isCutOff('{"a": [1, 2]} and more')).toBe(false);
		expect(isCutOff('no value')).toBe(false);
	});
});
