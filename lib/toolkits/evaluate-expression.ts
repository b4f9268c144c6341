import { createRequire } from 'node:module';
import type { BigNumber, ConstantNode, FunctionNode, MathJsInstance, MathNode, OperatorNode, SymbolNode } from 'mathjs';
import { CodedError } from '../core/errors';
import { attempt } from './attempt';

const MAX_LENGTH = 2000;
const MAX_NODES = 500;
const MAX_DEPTH = 60;
const MAX_FACTORIAL = 1000;
/** Digits of an answer; the work is done with 64. */
const ANSWER_DIGITS = 30;

const OPERATORS = new Set(['add', 'subtract', 'multiply', 'divide', 'pow', 'unaryMinus', 'unaryPlus', 'mod', 'factorial',
	'smaller', 'smallerEq', 'larger', 'largerEq', 'equal', 'unequal']);
const FUNCTIONS = new Set(['sqrt', 'cbrt', 'abs', 'round', 'floor', 'ceil', 'fix', 'sign', 'exp', 'log', 'log10', 'log2', 'pow',
	'mod', 'min', 'max', 'mean', 'median', 'sum', 'prod', 'std', 'variance', 'gcd', 'lcm', 'sin', 'cos', 'tan', 'asin', 'acos',
	'atan', 'atan2', 'hypot', 'factorial', 'combinations', 'permutations']);
const ALIASES: { readonly [name: string]: string } = { ln: 'log', racine: 'sqrt', arrondi: 'round', somme: 'sum',
	moyenne: 'mean', mediane: 'median', médiane: 'median', 'ecart_type': 'std' };
const CONSTANTS = new Set(['pi', 'e', 'tau', 'phi']);
const COUNTING = new Set(['factorial', 'combinations', 'permutations']);

interface MathBundle {
	create(config: { number: 'BigNumber'; precision: number }): MathJsInstance;
}

let instance: MathJsInstance | undefined;

/** The package as one file: its 1,500 modules take ten times as long and three times the memory. */
function loadMath(): MathJsInstance {
	if (instance !== undefined) return instance;
	const bundle = createRequire(__filename)('mathjs/lib/browser/math.js') as MathBundle;
	instance = bundle.create({ number: 'BigNumber', precision: 64 });
	return instance;
}

/** A value of an expression: a number, true/false, or a list of numbers, exact to 30 digits. */
export type ExpressionValue = number | string | boolean | readonly ExpressionValue[];

/**
 * Evaluates arithmetic exactly (decimal, 64 digits inside): + - * / ^ % ! mod, comparisons, a fixed list of functions, lists.
 *
 * The expression is parsed and its tree walked before anything runs: names, assignments, functions definitions, text and
 * property access are refused, as are more than 2,000 characters. Numbers of more than 15 digits come back as text.
 *
 * @throws CodedError BAD_INPUT that says what is not understood or has no real result
 */
export function evaluateExpression(expression: string): ExpressionValue {
	if (expression.length > MAX_LENGTH) {
		throw new CodedError('BAD_INPUT', `The expression has ${expression.length} characters; at most ${MAX_LENGTH} are read.`);
	}
	const math = loadMath();
	const tree = rename(math, parse(math, expression));
	checkTree(tree);
	return attempt(
		() => readable(tree.compile().evaluate({}), expression),
		(why) => new CodedError('BAD_INPUT', `"${expression}" fails: ${why}`),
	);
}

function parse(math: MathJsInstance, expression: string): MathNode {
	return attempt(
		() => math.parse(expression),
		(why) => new CodedError('BAD_INPUT', `"${expression}" is not an expression: ${why}`),
	);
}

function rename(math: MathJsInstance, tree: MathNode): MathNode {
	return tree.transform((node) => {
		const name = node.type === 'SymbolNode' ? ALIASES[(node as SymbolNode).name] : undefined;
		return name === undefined ? node : new math.SymbolNode(name);
	});
}

/** Children first, so that a factorial is only evaluated (to see how large it is) after what stands inside it was judged. */
function checkTree(tree: MathNode): void {
	let nodes = 0;
	const walk = (node: MathNode, depth: number): void => {
		nodes += 1;
		if (nodes > MAX_NODES || depth > MAX_DEPTH) {
			throw new CodedError('BAD_INPUT', `The expression is too long or too deep (${MAX_NODES} parts, ${MAX_DEPTH} levels).`);
		}
		const children: MathNode[] = [];
		node.forEach((child) => void children.push(child));
		if (node.type === 'FunctionNode') children.shift();
		for (const child of children) walk(child, depth + 1);
		checkNode(node);
	};
	walk(tree, 0);
}

function checkNode(node: MathNode): void {
	switch (node.type) {
		case 'ParenthesisNode':
		case 'ArrayNode':
			return;
		case 'ConstantNode':
			if (typeof (node as ConstantNode).value !== 'string') return;
			break;
		case 'SymbolNode':
			if (CONSTANTS.has((node as SymbolNode).name)) return;
			break;
		case 'OperatorNode':
			if (OPERATORS.has((node as OperatorNode).fn)) return checkCounting((node as OperatorNode).fn, (node as OperatorNode).args);
			break;
		case 'FunctionNode': {
			const { fn, args } = node as FunctionNode;
			if (fn.type === 'SymbolNode' && FUNCTIONS.has(fn.name)) return checkCounting(fn.name, args);
		}
	}
	const known = [...FUNCTIONS].join(', ');
	throw new CodedError('BAD_INPUT', `"${node.toString()}" is not allowed here. Numbers, + - * / ^ % ! and these are: ${known}.`);
}

function checkCounting(name: string, args: readonly MathNode[]): void {
	if (!COUNTING.has(name)) return;
	for (const argument of args) {
		if (Math.abs(Number(argument.compile().evaluate({}))) <= MAX_FACTORIAL) continue;
		throw new CodedError('BAD_INPUT', `${name} of "${argument.toString()}" is too large: at most ${MAX_FACTORIAL} is computed.`);
	}
}

function readable(value: unknown, expression: string): ExpressionValue {
	if (typeof value === 'boolean') return value;
	if (isBigNumber(value) && value.isFinite()) return plainNumber(value);
	if (hasArray(value)) return value.toArray().map((entry) => readable(entry, expression));
	if (Array.isArray(value)) return value.map((entry) => readable(entry, expression));
	throw new CodedError('BAD_INPUT', `"${expression}" has no real, finite result (division by zero, root of a negative number?).`);
}

function isBigNumber(value: unknown): value is BigNumber {
	return typeof value === 'object' && value !== null && 'isBigNumber' in value;
}

function hasArray(value: unknown): value is { toArray(): unknown[] } {
	return typeof value === 'object' && value !== null && 'isMatrix' in value && 'toArray' in value;
}

function plainNumber(value: BigNumber): number | string {
	const rounded = value.toSignificantDigits(ANSWER_DIGITS);
	if (rounded.precision() <= 15) return rounded.toNumber();
	return Math.abs(rounded.e) < ANSWER_DIGITS ? rounded.toFixed() : rounded.toString();
}
