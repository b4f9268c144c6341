import type { JsonSchema } from '../core/model';
import { validateInput } from '../shape/validate-input';
import { parseTolerant } from '../text/tolerant-json';

/** Makes the answer an object: what the model is told, and how its answer is read. */
export interface OutputReader {
	/** Added to the instructions. */
	readonly instructions: string;
	read(answer: string): Promise<OutputRead>;
}

export type OutputRead =
	| { readonly ok: true; readonly value: unknown }
	/** `problem` is written for the model. */
	| { readonly ok: false; readonly problem: string };

/**
 * Holds the answer to a JSON Schema. Prose and fences around the JSON are tolerated; an answer wrapped once or twice in a key
 * of its own (`{"output": {"output": …}}`) is unwrapped when what is inside fits.
 */
export function schemaReader(schema: JsonSchema): OutputReader {
	return {
		instructions: `Your final answer must be one JSON object that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`,
		read: async (answer) => readAs(schema, answer),
	};
}

const MOST_WRAPPINGS = 2;

function readAs(schema: JsonSchema, answer: string): OutputRead {
	const value = parseTolerant(answer);
	if (value === undefined) return { ok: false, problem: 'The final answer must be one JSON object; no JSON was found in it.' };
	let inner: unknown = value;
	for (let depth = 0; depth <= MOST_WRAPPINGS; depth++) {
		const checked = validateInput(schema, inner);
		if (checked.ok && fitsLosslessly(schema, inner)) return { ok: true, value: checked.value };
		const keys = typeof inner === 'object' && inner !== null ? Object.values(inner) : [];
		if (keys.length !== 1) break;
		inner = keys[0];
	}
	const checked = validateInput(schema, value);
	return { ok: false, problem: `The final answer does not fit the schema. ${checked.ok ? 'It has none of its fields.' : checked.message}` };
}

/** An object with none of the schema's fields is a wrapping, even where nothing is required. */
function fitsLosslessly(schema: JsonSchema, value: unknown): boolean {
	const fields = Object.keys((schema.properties ?? {}) as object);
	if (fields.length === 0 || typeof value !== 'object' || value === null) return true;
	return Object.keys(value).length === 0 || fields.some((field) => field in value);
}
