import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonSchema } from '../core/model';
import type { JsonType } from './coerce-value';

/** One way in which a value does not fit. */
export interface Fault {
	/** JSON pointer of the value; '' is the whole. */
	readonly path: string;
	readonly keyword: string;
	/** What stands behind the keyword in the schema: a type, a list of values, a bound. */
	readonly wanted: unknown;
	/** The validator's own words. */
	readonly message: string;
	/** The key that is missing (`required`) or not allowed (`additionalProperties`). */
	readonly key?: string;
}

/** Gives the faults of a value; [] when it fits. Never throws. */
export type SchemaCheck = (value: unknown) => Fault[];

/** Loads when first called: n8n requires every node file at start. */
const load = createRequire(__filename);
const checks = new WeakMap<JsonSchema, SchemaCheck>();
/** By the text of the schema, the last used last: a node supplies its tools anew at each step of an agent, and compiling takes milliseconds. */
const checksByText = new Map<string, SchemaCheck>();
const CHECKS_KEPT = 500;

/**
 * Compiles a schema, once for all schemas of the same text; the object itself is never changed.
 *
 * Ajv (2020-12, then draft 7) does the work; a schema that it cannot compile goes to a validator that never fails at
 * build. What neither can judge (a reference that leads nowhere) is let through: the tool's own check decides.
 */
export function compileSchema(schema: JsonSchema): SchemaCheck {
	const known = checks.get(schema);
	if (known !== undefined) return known;
	const text = textOf(schema);
	const check = checksByText.get(text) ?? compiled(asObjectSchema(schema));
	checks.set(schema, check);
	if (text !== '') keep(text, check);
	return check;
}

function keep(text: string, check: SchemaCheck): void {
	checksByText.delete(text);
	checksByText.set(text, check);
	const [oldest] = checksByText.keys();
	if (checksByText.size > CHECKS_KEPT && oldest !== undefined) checksByText.delete(oldest);
}

function textOf(schema: JsonSchema): string {
	try {
		return JSON.stringify(schema);
	} catch {
		// A schema that contains itself has no text; it is known by its object alone.
		return '';
	}
}

function compiled(plain: JsonSchema): SchemaCheck {
	return ajvCheck(plain, 'ajv/dist/2020') ?? ajvCheck(plain, 'ajv') ?? tolerantCheck(plain);
}

/** A copy without `$schema` and `$id`, which must not steer the compiler, and with the type that tools always have. */
function asObjectSchema(schema: JsonSchema): JsonSchema {
	const copy = structuredClone(schema) as Record<string, unknown>;
	for (const steering of ['$schema', '$id', 'id']) delete copy[steering];
	return 'type' in copy ? copy : { type: 'object', ...copy };
}

interface AjvLike {
	compile(schema: JsonSchema): ValidateFunction;
	removeSchema(schema: JsonSchema): unknown;
}
type AjvClass = new (options: Record<string, unknown>) => AjvLike;

const compilers = new Map<string, AjvLike>();

function compilerOf(path: string): AjvLike {
	const known = compilers.get(path);
	if (known !== undefined) return known;
	const Ajv = (load(path) as { default: AjvClass }).default;
	// Formats are notes in 2020-12, and a server may read them more widely than we do: they stay unchecked.
	const compiler = new Ajv({ strict: false, allErrors: true, verbose: true, logger: false, validateFormats: false,
		validateSchema: false, unicodeRegExp: false, addUsedSchema: false, ownProperties: true });
	compilers.set(path, compiler);
	return compiler;
}

function ajvCheck(schema: JsonSchema, path: string): SchemaCheck | undefined {
	const compiler = compilerOf(path);
	try {
		const validate = compiler.compile(schema);
		return (value) => {
			validate(value);
			return (validate.errors ?? []).map(faultOfAjv);
		};
	} catch {
		// The next validator takes it: a schema that one compiler refuses is no reason to lose the tool.
		return undefined;
	} finally {
		// Ajv would keep every schema alive; our own map is weak.
		compiler.removeSchema(schema);
	}
}

function faultOfAjv(error: ErrorObject): Fault {
	const params = error.params as Record<string, unknown>;
	const key = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
	const fault = { path: error.instancePath, keyword: error.keyword, wanted: error.schema, message: error.message ?? '' };
	return typeof key === 'string' ? { ...fault, key } : fault;
}

type Draft = '4' | '7' | '2020-12';
interface TolerantUnit {
	readonly instanceLocation: string;
	readonly keyword: string;
	readonly error: string;
}
interface TolerantModule {
	Validator: new (schema: JsonSchema, draft: Draft, shortCircuit: boolean) => {
		validate(value: unknown): { valid: boolean; errors: TolerantUnit[] };
	};
}

function tolerantCheck(schema: JsonSchema): SchemaCheck {
	const { Validator } = load('@cfworker/json-schema') as TolerantModule;
	return (value) => {
		try {
			const { valid, errors } = new Validator(schema, '2020-12', false).validate(value);
			return valid ? [] : errors.map(faultOfUnit);
		} catch {
			// A schema that cannot even be walked judges nothing.
			return [];
		}
	};
}

function faultOfUnit(unit: TolerantUnit): Fault {
	const quoted = [...unit.error.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
	const wanted: unknown = unit.keyword === 'type' ? (quoted.slice(1) as JsonType[]) : undefined;
	const fault = { path: unit.instanceLocation.replace(/^#/, ''), keyword: unit.keyword, wanted, message: unit.error };
	const last = quoted.at(-1);
	return unit.keyword === 'required' && last !== undefined ? { ...fault, key: last } : fault;
}
