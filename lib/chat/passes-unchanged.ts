/**
 * Which messages need no rewriting, told without a model: the first of a conversation, greetings and thanks, and orders.
 */
import { textOf, type Message } from '../core/message';
import { foldAccents } from '../text/stem';

/** Why a message passes unchanged. */
export type Unchanged = 'skipped' | 'first-question' | 'greeting' | 'order';

const GREETING_WORDS = new Set(
	(
		'bonjour bonsoir salut coucou hello hi hey good morning afternoon evening day merci thanks thank you beaucoup bien very much many so ' +
		'a demain au revoir bye goodbye bientot tout le monde all everyone ok okay d accord parfait super great perfect fine understood compris ' +
		'entendu c est note oui non yes no it s cool genial nickel tres ca va comment allez vous tu how are madame monsieur messieurs mesdames there ' +
		'bonne journee soiree nuit have nice'
	).split(' '),
);
const ASSENT_WORDS = new Set(['oui', 'yes', 'non', 'no', 'ok', 'okay', 'accord', 'parfait', 'perfect']);
/** Verbs of orders to act, or to change the way of answering: a rewriting would change what is to be done. */
const ORDER = new RegExp(
	`^(?:(?:s il (?:te|vous) plait|stp|svp|please|merci de|peux tu|pouvez vous|can you|could you) )?(?:${[
		'cre(?:e|ez|er)|ajout(?:e|ez|er)|supprim(?:e|ez|er)|effac(?:e|ez|er)|envo(?:ie|yez|yer)|modifi(?:e|ez|er)|chang(?:e|ez|er)|ferm(?:e|ez|er)|ouvr(?:e|ez|ir)|planifi(?:e|ez|er)',
		'command(?:e|ez|er)|annul(?:e|ez|er)|valid(?:e|ez|er)|enregistr(?:e|ez|er)|lanc(?:e|ez|er)|arret(?:e|ez|er)|continu(?:e|ez|er)|recommenc(?:e|ez|er)|repet(?:e|ez|er)|reformul(?:e|ez|er)',
		'resum(?:e|ez|er)|tradui(?:s|sez|re)|repond(?:s|ez|re)|ecri(?:s|vez|re)|redig(?:e|ez|er)|oubli(?:e|ez|er)|note(?:z|r)?|parle(?:z|r)? (?:en|moi en)|sois|soyez',
		'create|add|delete|remove|send|update|change|close|open|schedule|order|cancel|approve|save|start|stop|continue|repeat|rephrase|summari[sz]e|translate|answer|reply|respond|write|draft|forget|note|speak|be (?:brief|short|concise)',
	].join('|')})(?= |$)`,
	'u',
);
/** Orders to tell something: questions in all but form, unchanged unless they point back to what was said. */
const TELL = /^(?:(?:s il (?:te|vous) plait|please|peux tu|pouvez vous|can you|could you) )?(?:donne(?:z|r)?|montre(?:z|r)?|list(?:e|ez|er)|affiche(?:z|r)?|expliqu(?:e|ez|er)|cherche(?:z|r)?|trouve(?:z|r)?|indique(?:z|r)?|dis|dites|give|show|list|display|explain|search|find|tell)(?= |$)/u;
const POINTS_BACK =
	/(?:^| )(?:ce|cet|cette|ces|celui|celle|ceux|celles|ca|cela|ceci|il|elle|ils|elles|le|la|les|lui|leur|leurs|son|sa|ses|en|y|meme|memes|autre|autres|dernier|derniere|precedent|precedente|it|its|this|that|these|those|they|them|their|he|she|him|her|his|one|ones|same|other|another|previous|last|more|plus|aussi|also|too)(?= |$)/u;
/** `montre-les-moi`: a pronoun, since no noun follows. */
const PRONOUN_ENDS = /(?:^| )(?:\S+ )(?:le|la|les|lui|leur)(?: (?:moi|en|y))?$/u;
/** Words that point back only where the whole order ends with them; elsewhere they are articles or prepositions. */
const ARTICLES = new Set(['le', 'la', 'les', 'leur', 'leurs', 'plus', 'en', 'y']);
const MOST_GREETING_WORDS = 10;

/** Words in lower case without accents, one blank between. */
function plainWords(message: string): string {
	return foldAccents(message.toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Why a message passes unchanged; undefined when it is to be rewritten. */
export function passesUnchanged(message: string, history: readonly Message[]): Unchanged | undefined {
	if (history.length === 0) return 'first-question';
	if (isGreeting(message, history)) return 'greeting';
	const words = plainWords(message);
	return isOrder(message) || (TELL.test(words) && !pointsBack(words)) ? 'order' : undefined;
}

/** True for a greeting, thanks, an assent: a message that asks for nothing. A yes to a question of the assistant does ask. */
export function isGreeting(message: string, history: readonly Message[]): boolean {
	const words = plainWords(message);
	const list = words.split(' ');
	const lastAnswer = history.findLast(({ role }) => role === 'assistant');
	const wasAsked = lastAnswer !== undefined && /\?[^\p{L}]*$/u.test(textOf(lastAnswer));
	if (wasAsked && list.some((word) => ASSENT_WORDS.has(word))) return false;
	if (/^(?:(?:bonjour|hello|salut|hi) )?(?:comment allez vous|comment vas tu|ca va|how are you)$/u.test(words)) return true;
	return words !== '' && list.length <= MOST_GREETING_WORDS && list.every((word) => GREETING_WORDS.has(word)) && !message.includes('?');
}

/** True for an order to act, or to change the way of answering. */
export function isOrder(message: string): boolean {
	const words = plainWords(message);
	return ORDER.test(words) && !isPoliteQuestion(message, words);
}

/** `Can you … ?` with a verb of telling is a question; with a verb of acting it stays an order. */
function isPoliteQuestion(message: string, words: string): boolean {
	return /\?\s*$/u.test(message) && !/^(?:s il|please|peux tu|pouvez vous|can you|could you)/u.test(words);
}

function pointsBack(words: string): boolean {
	if (PRONOUN_ENDS.test(words)) return true;
	return [...words.matchAll(new RegExp(POINTS_BACK, 'gu'))].some(([found]) => !ARTICLES.has(found.trim()));
}
