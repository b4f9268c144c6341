import { adaptSchema } from '../../lib/shape/adapt-schema';
import { declaredKeys } from '../../lib/shape/declared-keys';
import { inlineRefs } from '../../lib/shape/inline-refs';

const DIALECTS = ['plain', 'openai', 'ollama'] as const;

describe('adaptSchema', () => {
	it('S13 shows a schema that an API takes as the very same object', () => {
		const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1, maximum: 9, default: 3 }, m: { enum: ['a', 'b'] } }, additionalProperties: false };
		for (const dialect of ['plain', 'openai'] as const) {
			const { schema: shown, notes } = adaptSchema(schema, dialect);
			expect(JSON.stringify(shown)).toBe(JSON.stringify(schema));
			expect(notes).toEqual([]);
		}
	});

	it('S13 says in the description what Ollama would drop in silence', () => {
		const schema = { type: 'object', required: ['n'], properties: {
			n: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How many' }, d: { type: 'string', format: 'date', pattern: '^2' }, c: { const: 'x' } } };
		const { schema: shown, notes } = adaptSchema(schema, 'ollama');
		expect(shown).toEqual({ type: 'object', required: ['n'], properties: {
			n: { type: 'integer', description: 'How many (at least 1; at most 9; default 3)' },
			d: { type: 'string', description: '(format date; matching ^2)' },
			c: { description: '(always "x")' },
		} });
		expect(notes).toEqual(['n: minimum, maximum, default said in the description', 'd: format, pattern said in the description', 'c: const said in the description']);
	});

	it('S06 and S07: an optional value or null is that value for Ollama, and stays as declared elsewhere', () => {
		const schema = { type: 'object', properties: { id: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, description: 'Id' }, x: { type: ['integer', 'null'] } } };
		expect(adaptSchema(schema, 'ollama').schema.properties).toEqual({ id: { type: 'string', description: 'Id (default null)' }, x: { type: 'integer' } });
		expect(adaptSchema(schema, 'ollama').notes).toEqual(['id: null left out', 'id: default said in the description', 'x: null left out']);
		expect(adaptSchema(schema, 'openai')).toEqual({ schema, notes: [] });
	});

	it('S09 keeps alternatives in the items of a list', () => {
		const items = { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object', properties: { b: { type: 'number' } } }] };
		const schema = { type: 'object', properties: { list: { type: 'array', items } } };
		for (const dialect of DIALECTS) expect(adaptSchema(schema, dialect).schema.properties).toEqual({ list: { type: 'array', items } });
	});

	it('S17 adds the type that tools always have, whatever the dialect of the schema', () => {
		for (const schema of [{ properties: { a: {} } }, { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: { a: {} } }]) {
			for (const dialect of DIALECTS) expect(adaptSchema(schema, dialect).schema).toMatchObject({ type: 'object', properties: { a: {} } });
		}
	});

	it('shows what alternatives at the top declare, where an API takes none there', () => {
		const schema = { type: 'object', anyOf: [{ properties: { id: { type: 'string' } }, required: ['id'] }, { properties: { name: { type: 'string' } }, required: ['name'] }] };
		const { schema: shown, notes } = adaptSchema(schema, 'openai');
		expect(Object.keys(shown.properties as object)).toEqual(['id', 'name']);
		expect(shown).not.toHaveProperty('anyOf');
		expect(shown.description).toContain('anyOf: [{"properties":{"id"');
		expect(notes).toEqual(['anyOf at the top said in the description']);
	});

	it('never changes the schema given', () => {
		const schema = { type: 'object', properties: { l: { type: 'array' }, r: { $ref: '#/$defs/r' } }, $defs: { r: { type: ['string', 'null'], minLength: 2 } }, oneOf: [{ required: ['l'] }] };
		const before = JSON.stringify(schema);
		for (const dialect of DIALECTS) adaptSchema(schema, dialect);
		expect(JSON.stringify(schema)).toBe(before);
	});
});

describe('inlineRefs', () => {
	it('puts local references in, keeps the words beside them, and drops what nobody reads any more', () => {
		const schema = { type: 'object', properties: { p: { $ref: '#/$defs/part', description: 'Which part' }, q: { $ref: '#/definitions/n' } },
			$defs: { part: { type: 'object', properties: { n: { $ref: '#/definitions/n' } }, description: 'A part' } }, definitions: { n: { type: 'integer' } } };
		expect(inlineRefs(schema)).toEqual({ notes: [], schema: { type: 'object', properties: {
			p: { type: 'object', properties: { n: { type: 'integer' } }, description: 'Which part' }, q: { type: 'integer' } } } });
	});

	it('ends a reference that contains itself and says so', () => {
		const schema = { type: 'object', properties: { tree: { $ref: '#/$defs/node' } }, $defs: { node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } } } };
		const { schema: shown, notes } = inlineRefs(schema);
		expect(JSON.stringify(shown)).not.toContain('$ref');
		expect(shown.properties).toEqual({ tree: { type: 'object', properties: { children: { type: 'array', items: { type: 'object' } } } } });
		expect(notes).toEqual(['#/$defs/node contains itself; it is shown once']);
	});

	it('takes anything where a reference leads nowhere', () => {
		const { schema, notes } = inlineRefs({ type: 'object', properties: { a: { $ref: 'https://x.example/s.json' }, b: { $ref: '#/$defs/none', title: 'B' } } });
		expect(schema.properties).toEqual({ a: {}, b: { title: 'B' } });
		expect(notes).toHaveLength(2);
	});

	it('leaves data, and properties that are called $ref, alone', () => {
		const schema = { type: 'object', properties: { $ref: { type: 'string' }, d: { default: { $ref: '#/x' } } } };
		expect(inlineRefs(schema).schema.properties).toEqual(schema.properties);
	});

	it('leaves references in where a schema would explode', () => {
		const $defs = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`d${n}`, { type: 'object', properties: { a: { $ref: `#/$defs/d${n + 1}` }, b: { $ref: `#/$defs/d${n + 1}` } } }]));
		const schema = { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs: { ...$defs, d14: { type: 'string' } } };
		expect(inlineRefs(schema)).toEqual({ schema, notes: ['its references are left in: the schema would grow too large'] });
	});
});

describe('declaredKeys', () => {
	it('finds keys behind references and alternatives; a schema that names none and takes any gives undefined', () => {
		expect(declaredKeys({ $ref: '#/$defs/a', $defs: { a: { allOf: [{ properties: { x: {} } }], anyOf: [{ properties: { y: {} } }] } } })).toEqual(['y', 'x'].reverse());
		expect(declaredKeys({ type: 'object' })).toEqual([]);
		expect(declaredKeys({ type: 'object', additionalProperties: { type: 'string' } })).toBeUndefined();
	});
});
