import type { JsonSchema } from '../core/model';
import type { Tool, ToolOutput } from '../core/tool';
import { resourceOutput, promptOutput, expandTemplate } from './resources';
import type { McpSession } from './session';
import type { McpToolSettings } from './tool-settings';

const TEXT = { type: 'string' } as const;
const LISTED = 200;

type Run = (input: Record<string, unknown>, signal: AbortSignal) => Promise<ToolOutput>;

/**
 * Tools by which a model reads the server's resources and prompts, and the rest of a result that was cut; each only where the
 * settings ask for it and the server has any.
 */
export async function resourceTools(session: McpSession, settings: McpToolSettings, signal?: AbortSignal): Promise<Tool[]> {
	const hasResources = settings.offerResources === true && (await session.can('resources', signal));
	const hasPrompts = settings.offerPrompts === true && (await session.can('prompts', signal));
	return [
		...(hasResources ? [listResources(session), readResource(session)] : []),
		...(hasPrompts ? [listPrompts(session), getPrompt(session)] : []),
		...((settings.maxCharacters ?? 0) > 0 ? [readOn(session, settings.maxCharacters ?? 0)] : []),
	];
}

function listResources(session: McpSession): Tool {
	const intent = 'List the documents and data (resources) that this server has, and templates of addresses.';
	return made('list_resources', intent, {}, async (_input, signal) => {
		const [resources, templates] = await Promise.all([session.listOf('resources', signal), session.listOf('resourceTemplates', signal)]);
		const lines = resources.map((one) => `${String(one.uri)} ${said(one)}`);
		const patterns = templates.map((one) => `${String(one.uriTemplate)} (template) ${said(one)}`);
		return { text: listed([...lines, ...patterns], 'resources'), data: { resources, templates } };
	});
}

function readResource(session: McpSession): Tool {
	const parameters = {
		uri: { ...TEXT, description: 'Address of a resource, or a template of addresses with its {names} left in.' },
		values: { type: 'object', additionalProperties: TEXT, description: 'Values for the names of a template.' },
	};
	return made('read_resource', 'Read one resource of this server by its address.', parameters, async ({ uri, values }, signal) => {
		const address = expandTemplate(String(uri), (values ?? {}) as Record<string, unknown>);
		return resourceOutput(await session.ask('resources/read', { uri: address }, signal));
	});
}

function listPrompts(session: McpSession): Tool {
	return made('list_prompts', 'List the prepared instructions (prompts) of this server.', {}, async (_input, signal) => {
		const prompts = await session.listOf('prompts', signal);
		const lines = prompts.map((one) => {
			const names = (Array.isArray(one.arguments) ? (one.arguments as { name?: unknown; required?: unknown }[]) : []);
			return `${String(one.name)}(${names.map(({ name, required }) => `${String(name)}${required === true ? '' : '?'}`).join(', ')}) ${said(one)}`;
		});
		return { text: listed(lines, 'prompts'), data: { prompts } };
	});
}

function getPrompt(session: McpSession): Tool {
	const parameters = { name: TEXT, arguments: { type: 'object', additionalProperties: TEXT } };
	return made('get_prompt', 'Get the text of one prompt of this server, with its arguments filled in.', parameters, async (input, signal) => {
		const params = { name: String(input.name), arguments: (input.arguments ?? {}) as Record<string, unknown> };
		return promptOutput(await session.ask('prompts/get', params, signal));
	});
}

function readOn(session: McpSession, maxCharacters: number): Tool {
	const parameters = {
		handle: { ...TEXT, description: 'The handle named where the result was cut.' },
		offset: { type: 'integer', minimum: 0, description: 'The first character wanted.' },
	};
	return made('read_long_result', 'Read on in a result that was cut.', parameters, async ({ handle, offset }) => {
		const whole = session.results.read(String(handle).replace(/[{}\s]/g, ''));
		const from = typeof offset === 'number' ? offset : 0;
		const end = Math.min(whole.length, from + maxCharacters);
		if (from >= whole.length) return { text: `Nothing from character ${from}: the result has ${whole.length}.` };
		return { text: whole.slice(from, end) + (end < whole.length ? `\n… (more from offset ${end} of ${whole.length})` : '') };
	});
}

/** The first of the properties is required. */
function made(name: string, intent: string, properties: JsonSchema, run: Run): Tool {
	const required = Object.keys(properties).slice(0, 1);
	return {
		name,
		intent,
		description: intent,
		inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false },
		tags: ['mcp'],
		annotations: { readOnly: true },
		run: async (input, { signal }) => await run(input, signal),
	};
}

function listed(lines: readonly string[], what: string): string {
	if (lines.length === 0) return `The server has no ${what}.`;
	const more = lines.length > LISTED ? [`… and ${lines.length - LISTED} more`] : [];
	return [...lines.slice(0, LISTED), ...more].join('\n');
}

function said(one: { readonly [key: string]: unknown }): string {
	const words = [one.title ?? one.name, one.description, one.mimeType].filter((word) => typeof word === 'string' && word !== '');
	return words.length === 0 ? '' : `– ${words.join(' – ')}`;
}
