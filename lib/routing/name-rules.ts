import type { Tool } from '../core/tool';
import { toolTokens } from './tool-router';
import { isAction } from './demands';
import { nameWords } from './tool-text';

/** A rule that a tool breaks, as one sentence that says what to change. */
export interface Finding {
	readonly rule: 'name' | 'direction' | 'unit' | 'plural' | 'description' | 'intent' | 'tokens';
	readonly message: string;
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const MOST_TOKENS = 600;
const LONGEST_DESCRIPTION = 1_200;
/** Quantities that mean nothing without their unit. */
const QUANTITY = /(?:^|_)(?:timestamps?|durations?|timeout|delay|distance|length|width|height|weight|speed|temperature|size|age|interval)(?:_|$)/;
const UNIT =
	/(?:^|_)(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|mm|cm|m|km|miles?|inch|kg|g|lb|c|celsius|fahrenheit|kmh|px|bytes?|kb|mb|gb|percent|iso|unit)(?:_|$)/;

/** What breaks the rules of a good tool, in the order of the rules; [] for a tool that keeps them. */
export function checkTool(tool: Tool): Finding[] {
	return [...checkName(tool), ...checkParameters(tool), ...checkWords(tool), ...checkCost(tool)];
}

function checkName(tool: Tool): Finding[] {
	const findings: Finding[] = [];
	const snake = snakeOf(tool.name);
	if (!SNAKE_CASE.test(tool.name)) findings.push({ rule: 'name', message: `The name is not snake_case; for example ${snake}.` });
	if (tool.name.length > 64) findings.push({ rule: 'name', message: `The name has ${tool.name.length} characters; models take 64.` });
	if (/(?:^|_)(?:convert|transform|translate)(?:_|$)/.test(snake) && !/_(?:to|en|vers)_/.test(snake)) {
		findings.push({ rule: 'direction', message: 'The name does not say from what to what: <input>_to_<output>.' });
	}
	if (QUANTITY.test(snake) && !UNIT.test(snake)) findings.push({ rule: 'unit', message: 'The name holds a quantity without its unit, such as _ms or _km.' });
	return [...findings, ...checkPlural(tool, snake)];
}

/** A tool over a list is named in the plural, so that a model does not call the one-value tool in a loop. */
function checkPlural({ inputSchema }: Tool, snake: string): Finding[] {
	const { properties, required } = inputSchema as { properties?: Record<string, { type?: unknown }>; required?: unknown };
	const needed = Array.isArray(required) ? required.map(String) : [];
	const only = needed.length === 1 ? properties?.[needed[0] ?? ''] : undefined;
	if (only?.type !== 'array' || snake.split('_').some((word) => /..[^s]s$/.test(word) || /^(?:list|all|many|batch|multiple|data)$/.test(word))) return [];
	return [{ rule: 'plural', message: `It takes a list (${needed[0]}) but its name is in the singular.` }];
}

function checkParameters({ inputSchema }: Tool): Finding[] {
	const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, { type?: unknown; description?: unknown; format?: unknown }>);
	const vague = properties.filter(([name, schema]) => {
		const says = typeof schema?.description === 'string' ? snakeOf(schema.description.slice(0, 300)) : '';
		const isNumber = schema?.type === 'number' || schema?.type === 'integer';
		return isNumber && QUANTITY.test(snakeOf(name)) && !UNIT.test(snakeOf(name)) && !UNIT.test(says);
	});
	return vague.map(([name]) => ({ rule: 'unit', message: `The number "${name}" says no unit, neither in its name nor in its description.` }));
}

function checkWords({ intent, description }: Tool): Finding[] {
	if (description.trim() === '' && intent.trim() === '') return [{ rule: 'intent', message: 'Nothing says what it is for: no intent and no description.' }];
	const findings: Finding[] = [];
	const opening = nameWords(intent || description).match(/[\p{L}\p{M}]+/gu)?.slice(0, 8) ?? [];
	if (!opening.some(isAction)) findings.push({ rule: 'description', message: 'Its first words hold no verb that says what it does.' });
	if (description.length > LONGEST_DESCRIPTION) {
		findings.push({ rule: 'description', message: `The description has ${description.length.toLocaleString('en')} characters; give it an intent of one line.` });
	}
	return findings;
}

function checkCost(tool: Tool): Finding[] {
	const tokens = toolTokens(tool);
	if (tokens <= MOST_TOKENS) return [];
	return [{ rule: 'tokens', message: `It costs about ${tokens.toLocaleString('en')} tokens at every turn.` }];
}

function snakeOf(text: string): string {
	return nameWords(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '');
}
