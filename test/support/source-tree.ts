import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export const root = path.resolve(__dirname, '../..');

export interface Import {
	/** As written. */
	readonly specifier: string;
	/** The file it leads to, relative to the root; undefined for a package. */
	readonly target?: string;
	/** Erased by the compiler. */
	readonly typeOnly: boolean;
	/** Loaded inside a function, when it is called. */
	readonly lazy: boolean;
}

export interface FunctionSize {
	readonly name: string;
	readonly lines: number;
	readonly parameters: number;
}

export interface SourceFile {
	/** Relative to the root, with forward slashes. */
	readonly path: string;
	readonly text: string;
	readonly lines: number;
	readonly imports: readonly Import[];
	readonly functions: readonly FunctionSize[];
	/** Exported functions that have no docstring. */
	readonly undocumented: readonly string[];
}

/** The files that match, as paths relative to the root, sorted. */
export function filesOf(...patterns: string[]): string[] {
	return globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' }).sort();
}

/** Reads and analyses every TypeScript file that matches. */
export function readSources(...patterns: string[]): SourceFile[] {
	return filesOf(...patterns).map(readSource);
}

function readSource(file: string): SourceFile {
	const text = readFileSync(path.join(root, file), 'utf8');
	const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
	const imports: Import[] = [];
	const functions: FunctionSize[] = [];
	const visit = (node: ts.Node, depth: number): void => {
		const found = importOf(node, file, depth > 0);
		if (found) imports.push(found);
		const isFunction = ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
		if (isFunction) functions.push(sizeOf(node as ts.FunctionLikeDeclaration, tree));
		ts.forEachChild(node, (child) => visit(child, isFunction ? depth + 1 : depth));
	};
	visit(tree, 0);
	const undocumented = tree.statements.filter(isUndocumented).map((node) => node.name?.text ?? 'default');
	return { path: file, text, lines: text.trimEnd().split('\n').length, imports, functions, undocumented };
}

function importOf(node: ts.Node, file: string, insideFunction: boolean): Import | undefined {
	if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
		const typeOnly = ts.isImportDeclaration(node) ? isTypeImport(node) : node.isTypeOnly;
		return makeImport((node.moduleSpecifier as ts.StringLiteral).text, file, { typeOnly, lazy: false });
	}
	if (!ts.isCallExpression(node)) return undefined;
	const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
	const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
	const argument = node.arguments[0];
	if (!(isImport || isRequire) || !argument || !ts.isStringLiteral(argument)) return undefined;
	return makeImport(argument.text, file, { typeOnly: false, lazy: insideFunction });
}

function isTypeImport(node: ts.ImportDeclaration): boolean {
	const clause = node.importClause;
	if (!clause) return false;
	if (clause.isTypeOnly) return true;
	const named = clause.namedBindings;
	return !clause.name && !!named && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly);
}

function makeImport(specifier: string, file: string, kind: Pick<Import, 'typeOnly' | 'lazy'>): Import {
	if (!specifier.startsWith('.')) return { specifier, ...kind };
	const base = path.posix.join(path.posix.dirname(file), specifier);
	const target = [base, `${base}.ts`, `${base}/index.ts`].find((candidate) => ts.sys.fileExists(path.join(root, candidate)));
	return { specifier, target: target ?? base, ...kind };
}

function sizeOf(node: ts.FunctionLikeDeclaration, tree: ts.SourceFile): FunctionSize {
	const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
	const last = tree.getLineAndCharacterOfPosition(node.getEnd()).line;
	const parameters = node.parameters.filter((parameter) => parameter.name.getText(tree) !== 'this').length;
	return { name: `${node.name?.getText(tree) ?? 'function'} (line ${first + 1})`, lines: last - first + 1, parameters };
}

function isUndocumented(node: ts.Statement): node is ts.FunctionDeclaration {
	return (
		ts.isFunctionDeclaration(node) &&
		!!node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) &&
		ts.getJSDocCommentsAndTags(node).length === 0
	);
}
