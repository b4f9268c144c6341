import type { JsonSchema } from '../core/model';
import { compileSchema } from '../shape/compile-schema';
import { coerceValue, type JsonType } from '../shape/coerce-value';
import type { ElicitationReply, Elicitor } from './server';

/** What the builder lets a server know when it asks. */
export interface ElicitationAnswers {
	/** By name of the field, as written on the node; text is read as the type that the form wants. */
	readonly answers: { readonly [field: string]: unknown };
	/** True fills what has no answer with the default that the server itself proposes. */
	readonly useDefaults: boolean;
}

/**
 * Answers a server's questions from fixed answers. A form is accepted only when every field that it requires is known and at
 * least one is: a bare confirmation is never given by itself. Otherwise it is declined, with a note for the model that says
 * what to ask the user.
 */
export function elicitorFor({ answers, useDefaults }: ElicitationAnswers): Elicitor {
	return (params) => {
		const question = String(params.message ?? '').trim();
		if (params.mode === 'url') return declined(`${question} (the user has to open ${String(params.url ?? '')})`, []);
		const schema = asRecord(params.requestedSchema);
		const fields = Object.entries(asRecord(schema.properties)).map(([name, field]) => ({ name, field: asRecord(field) }));
		const known = fields.flatMap(({ name, field }) => {
			const value = Object.hasOwn(answers, name) ? fitting(answers[name], field) : useDefaults ? field.default : undefined;
			return value === undefined ? [] : [[name, value] as const];
		});
		const content = Object.fromEntries(known);
		const fits = known.length > 0 && compileSchema(schema)(content).length === 0;
		if (fits) return { result: { action: 'accept', content } };
		const required = Array.isArray(schema.required) ? schema.required : [];
		const missing = fields.filter(({ name }) => !(name in content) && (required.length === 0 || required.includes(name)));
		return declined(question, (missing.length > 0 ? missing : fields).map(asked));
	};
}

function declined(question: string, fields: readonly string[]): ElicitationReply {
	const wanted = fields.length > 0 ? ` It wants to know: ${fields.join('; ')}.` : '';
	const note =
		`The server asked the user: "${question}"${wanted} Nobody could answer during the call, so it was declined. ` +
		'Ask the user; when you know, call the tool again with that information if it takes it.';
	return { result: { action: 'decline' }, note };
}

function asked({ name, field }: { name: string; field: Record<string, unknown> }): string {
	const words = [field.title, field.description].filter((word) => typeof word === 'string' && word !== '').join(', ');
	const choices = Array.isArray(field.enum) ? ` (one of ${field.enum.join(', ')})` : '';
	return `${name}${words === '' ? '' : `: ${words}`}${choices}`;
}

/** Answers on a node are text: "3" is 3 for a number field, "true" is true for a yes-or-no field. */
function fitting(value: unknown, field: JsonSchema): unknown {
	const types = [field.type].flat().filter((type): type is JsonType => typeof type === 'string');
	return types.includes('string') && typeof value === 'string' ? value : (coerceValue(value, types)?.value ?? value);
}

function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
