import { CodedError } from '../core/errors';
import type { ToolOutput } from '../core/tool';
import { toToolOutput } from './content';

/** The answer to `resources/read`: texts as text, everything else as files. */
export function resourceOutput(answer: Record<string, unknown>): ToolOutput {
	const contents = Array.isArray(answer.contents) ? (answer.contents as unknown[]) : [];
	const output = toToolOutput({ content: contents.map((resource) => ({ type: 'resource', resource })) });
	return contents.length === 0 ? { text: 'The resource is empty.' } : output;
}

/** The answer to `prompts/get`: each message with who says it; pictures and the like as files. */
export function promptOutput(answer: Record<string, unknown>): ToolOutput {
	const messages = (Array.isArray(answer.messages) ? (answer.messages as { role?: unknown; content?: unknown }[]) : []);
	const outputs = messages.map(({ role, content }) => ({ role, output: toToolOutput({ content: [content].flat() }) }));
	const text = outputs.map(({ role, output }) => (outputs.length > 1 ? `${String(role)}: ${output.text}` : output.text)).join('\n\n');
	const files = outputs.flatMap(({ output }) => output.files ?? []);
	return { text: text || 'The prompt is empty.', data: { messages }, ...(files.length > 0 && { files }) };
}

/**
 * Fills the names of an address template: `{name}` is encoded, `{+name}` is put in as it is, `{?a,b}` and `{&a,b}` become a
 * query of those that are known. Text without braces stays as it is.
 *
 * @throws CodedError BAD_INPUT that lists the names without a value
 */
export function expandTemplate(template: string, values: { readonly [name: string]: unknown }): string {
	const missing: string[] = [];
	const valueOf = (name: string): string | undefined => {
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		return value === undefined || value === null || value === '' ? undefined : String(value);
	};
	const filled = template.replace(/\{([+#./;?&]?)([^{}]+)\}/g, (_whole, sign: string, list: string) => {
		const names = list.split(',').map((name) => name.replace(/[*:].*$/, '').trim());
		const pairs = names.map((name) => ({ name, value: valueOf(name) }));
		if (sign === '?' || sign === '&') {
			const known = pairs.flatMap(({ name, value }) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
			return known.length === 0 ? '' : sign + known.join('&');
		}
		missing.push(...pairs.flatMap(({ name, value }) => (value === undefined ? [name] : [])));
		const encode = sign === '+' || sign === '#' ? encodeURI : encodeURIComponent;
		return (sign === '/' || sign === '.' || sign === '#' ? sign : '') + pairs.map(({ value }) => encode(value ?? '')).join(sign === '/' ? '/' : ',');
	});
	if (missing.length === 0) return filled;
	throw new CodedError('BAD_INPUT', `The address ${template} needs a value for: ${missing.join(', ')}.`);
}
