import { detectLanguage, type Language } from '../text/language';
import { holds, identifiersOf, otherSpelling, plainForm } from './identifiers';
import { withoutThoughts } from './thoughts';

/** Why a model's question cannot be used. */
export type RewriteFault = 'empty' | 'too-long' | 'other-language' | 'invented-identifier';

export interface CheckedRewrite {
	/** The question to use. */
	readonly query: string;
	/** What the model wrote, tidied. */
	readonly rewritten: string;
	/** Identifiers that were put back; [] when none was lost. */
	readonly restored: readonly string[];
	readonly fault?: RewriteFault;
}

export interface RewriteContext {
	readonly question: string;
	/** Text of the conversation before. */
	readonly known: string;
	readonly language: Language;
}

const LABEL = /^(?:[*_#>\s]*(?:(?:stand-?alone|rewritten|condensed) question|question (?:autonome|reformulée|condensée)|question|réponse|answer|output)[*_\s]*:[*_\s]*)/iu;
const MOST_CHARACTERS = 600;
const MOST_TIMES_LONGER = 4;

/**
 * Reads what a model made of a follow-up.
 *
 * An identifier of the follow-up that it wrote in another way is written as the user did; one that it left out is put behind in
 * brackets. Codes of the conversation are brought back to their spelling too. A code that nobody wrote, another language, nothing, or
 * a whole text in the place of a question: the original is used.
 */
export function checkRewrite(reply: string, { question, known, language }: RewriteContext): CheckedRewrite {
	const rewritten = tidy(reply);
	const original = (fault: RewriteFault): CheckedRewrite => ({ query: question, rewritten, restored: [], fault });
	if (rewritten === '') return original('empty');
	if (rewritten.length > Math.max(MOST_CHARACTERS, MOST_TIMES_LONGER * question.length)) return original('too-long');
	const spoken = detectLanguage(rewritten);
	if (spoken && spoken !== language && rewritten !== question) return original('other-language');
	const { query, restored } = withIdentifiers(rewritten, { question, known });
	if (identifiersOf(query).some((identifier) => isInvented(identifier, `${question}\n${known}`))) return original('invented-identifier');
	return { query, rewritten, restored };
}

/** The first paragraph without label and quotes around it. */
function tidy(reply: string): string {
	const [paragraph = ''] = withoutThoughts(reply).trim().split(/\n\s*\n/u);
	const line = paragraph.replace(/\s*\n\s*/gu, ' ').replace(LABEL, '').trim();
	const quoted = /^(?:"([^"]+)"|«\s*([^«»]+?)\s*»|“([^“”]+)”|`([^`]+)`)$/u.exec(line);
	return (quoted?.slice(1).find((inner) => inner !== undefined) ?? line).trim();
}

function withIdentifiers(rewritten: string, { question, known }: { question: string; known: string }): { query: string; restored: string[] } {
	let query = rewritten;
	const restored: string[] = [];
	const left: string[] = [];
	for (const identifier of identifiersOf(question)) {
		if (holds(query, identifier)) continue;
		const other = otherSpelling(query, identifier);
		if (other !== undefined) query = query.replace(other, () => identifier);
		else left.push(identifier);
		restored.push(identifier);
	}
	for (const identifier of identifiersOf(known)) {
		const other = holds(query, identifier) || !/\p{N}/u.test(identifier) ? undefined : otherSpelling(query, identifier);
		if (other === undefined || holds(`${question}\n${known}`, other)) continue;
		query = query.replace(other, () => identifier);
		restored.push(identifier);
	}
	return { query: left.length === 0 ? query : `${query} (${left.join(', ')})`, restored };
}

/** Only codes and numbers count: a quote or an acronym may be a way of saying it. */
function isInvented(identifier: string, said: string): boolean {
	if (!/\p{N}/u.test(identifier)) return false;
	return !holds(said, identifier) && !plainForm(said).includes(plainForm(identifier));
}
