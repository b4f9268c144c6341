import { NodeConnectionTypes } from 'n8n-workflow';

import type { Hit, Meta, Retriever } from '../core/document';
import { CodedError, raise } from '../core/errors';
import { portValueOf } from '../core/ports';
import { asRecord } from './as-record';
import { asList, type ConnectedContext } from './connected';

/** A retriever of n8n's by shape. */
interface ForeignRetriever {
	invoke?(query: string, config?: object): Promise<unknown>;
	getRelevantDocuments?(query: string): Promise<unknown>;
}

/**
 * The connected retriever, or undefined when none is: ours (also behind a compressor) by its mark, n8n's by its shape. n8n's knows no
 * number of passages: what it gives beyond the number asked for is cut.
 *
 * @throws CodedError BAD_INPUT when something else is connected
 */
export async function connectedRetriever(ctx: ConnectedContext, itemIndex: number): Promise<Retriever | undefined> {
	const [supplied] = asList(await ctx.getInputConnectionData(NodeConnectionTypes.AiRetriever, itemIndex));
	if (supplied === undefined) return undefined;
	const marked = portValueOf(supplied);
	if (marked?.kind === 'retriever') return marked.value;
	const { invoke, getRelevantDocuments } = asRecord(supplied);
	if (typeof invoke === 'function' || typeof getRelevantDocuments === 'function') return fromForeign(supplied as ForeignRetriever);
	throw new CodedError('BAD_INPUT', 'What is connected to the Retriever input is not a retriever', {
		remedy: 'Connect RAG Retriever (used as a retriever), Contextual Compressor, or one of n8n\'s retrievers.',
	});
}

function fromForeign(foreign: ForeignRetriever): Retriever {
	return async ({ query, topK, signal }) => {
		const found = foreign.invoke ? await foreign.invoke(query, { signal }) : await foreign.getRelevantDocuments?.(query);
		return readDocuments(found).slice(0, topK);
	};
}

/**
 * Passages as flows and retrievers give them: ours, LangChain's `{pageContent, metadata}`, n8n's `{document, score}`, or texts.
 *
 * All metadata is kept. What has no text is left out; text is read as JSON, or is one passage; anything else gives []. Without a
 * score the place counts: 1 for the first, falling.
 */
export function readDocuments(given: unknown): Hit[] {
	const list = typeof given === 'string' ? readText(given) : given;
	return Array.isArray(list) ? list.flatMap((one, at) => readOne(one, at)) : [];
}

function readText(text: string): unknown {
	if (!/^\s*\[\s*[{"\]]/u.test(text)) return [text];
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		return error instanceof SyntaxError ? [text] : raise(error);
	}
}

function readOne(given: unknown, at: number): Hit[] {
	if (typeof given === 'string') return readOne({ text: given }, at);
	const value = asRecord(given);
	if (value.document !== undefined) return readOne({ score: value.score, ...asRecord(value.document) }, at);
	const text = [value.text, value.pageContent, value.content].find((one) => typeof one === 'string');
	if (typeof text !== 'string' || text.trim() === '') return [];
	const meta = asRecord(value.meta ?? value.metadata);
	const name = (key: string): string | undefined => {
		const found = value[key] ?? meta[key];
		return typeof found === 'string' && found !== '' ? found : undefined;
	};
	const page = [value.page, meta.page, meta.pageNumber, asRecord(meta.loc).pageNumber].find((one) => typeof one === 'number');
	const score = [value.score, meta.score, meta.relevanceScore].find((one) => typeof one === 'number');
	const id = name('id') ?? `${at + 1}`;
	const optional = { title: name('title'), source: name('source'), section: name('section'), context: name('context'), page };
	return [
		{
			id,
			documentId: name('documentId') ?? id,
			text,
			...Object.fromEntries(Object.entries(optional).filter(([, one]) => one !== undefined)),
			meta: meta as Meta,
			score: typeof score === 'number' ? score : 1 / (at + 1),
		},
	];
}
