import { bothEnds } from '../text/both-ends';
import { splitSentences } from '../text/sentences';

/** What a query asks for, when it asks for more than one thing. */
export interface QueryParts {
	/** Sentences, when there are several; a sentence may only give the scene. */
	readonly sentences: readonly string[];
	/** Separate things to do: `take a screenshot`, `post it on the issue`. [] when there is only one. */
	readonly demands: readonly string[];
}

/** A query longer than this is read from its beginning; nobody asks for more in one breath. */
const LONGEST_READ = 2_000;
const MOST_PARTS = 6;

const STRONG_BORDER = /\s*;\s*|\s*\n+\s*|,?\s+(?:and then|then|after that|afterwards|puis|ensuite|et puis|et ensuite)[,:]?\s+/iu;
const WEAK_BORDER = /,\s+(?:and|et)\s+|,\s+|\s+(?:and|et)\s+/giu;

/** Verbs that begin an order, in the forms people write to an agent. A word after `and` that is not one of these goes on with the same demand. */
const ORDERS = new Set(
	(
		'activate add allow analyse analyze answer append approve archive arrange assign attach book build buy calculate call cancel change check choose ' +
		'clean close collect compare compile compute convert copy count create define delete deploy describe detect display download draft ' +
		'discover draw edit email enter estimate evaluate execute explain export extract fetch fill filter find finish forward gather generate get ' +
		'give go group handle identify import insert inspect install invite issue list load locate log look mail make mark measure merge message ' +
		'move notify open order pay pick place plan play plot post predict prepare print produce publish pull push put raise rank read ' +
		'recommend record register remind remove rename replace reply report request reserve reset resolve retrieve return review run save ' +
		'scan schedule search select send set share show sort start stop store submit subscribe suggest sum summarise summarize take tell ' +
		'test track transfer translate turn update upload validate verify use wait warn write ' +
		'affecte affiche affichez ajoute ajoutez analyse analysez annule annulez appelle archive attache avertis calcule calculez change ' +
		'charge cherche cherchez choisis classe clôture commande commandez compare comparez compte comptez convertis corrige crée créez copie ' +
		'décris demande déplace dessine donne donnez dresse écris efface enregistre envoie envoyez estime établis exporte exportez extrais ' +
		'facture fais faites ferme fusionne génère générez importe imprime indique informe insère lance liste listez lis lisez mets mettez ' +
		'modifie modifiez montre note organise ouvre partage passe passez planifie planifiez pose préviens prends prépare préparez publie ' +
		'range recherche recherchez récupère rédige rédigez relance remplace renomme réponds réserve résume résumez signale soumets ' +
		'supprime supprimez sélectionne télécharge téléverse traduis transfère trie trouve trouvez valide vérifie vérifiez'
	).split(' '),
);

/** Splits a query, English or French. Blank text gives no parts. */
export function queryParts(query: string): QueryParts {
	const sentences = splitSentences(bothEnds(query, LONGEST_READ)).map(({ text }) => text);
	const demands = sentences.flatMap((sentence) => sentence.split(STRONG_BORDER)).flatMap(splitOrders).filter(saysSomething);
	const orders = demands.filter(startsWithOrder);
	return {
		sentences: sentences.length > 1 ? sentences.slice(0, MOST_PARTS) : [],
		demands: orders.length > 1 ? orders.slice(0, MOST_PARTS) : [],
	};
}

/** Cuts at commas and `and` only where an order follows: `salt and pepper` is one thing. */
function splitOrders(text: string): string[] {
	const parts: string[] = [];
	let from = 0;
	for (const border of text.matchAll(WEAK_BORDER)) {
		const next = border.index + border[0].length;
		if (!startsWithOrder(text.slice(next))) continue;
		parts.push(text.slice(from, border.index));
		from = next;
	}
	return [...parts, text.slice(from)].map((part) => part.trim());
}

const POLITE = /^(?:(?:please|also|first|finally|d'abord|enfin|aussi|(?:can|could|would|will) you|peux-tu|pouvez-vous|i (?:want|need|would like)(?: you)? to|help me(?: to)?|then|puis|ensuite)[,:]?\s+)+/iu;

function startsWithOrder(text: string): boolean {
	const word = /^[\p{L}\p{M}]+/u.exec(text.trim().replace(POLITE, ''))?.[0] ?? '';
	return ORDERS.has(word.normalize('NFC').toLowerCase());
}

/** True for a verb of an order, also as descriptions write it: `lists`, `searching`, `retrieved`. */
export function isAction(word: string): boolean {
	const plain = word.normalize('NFC').toLowerCase();
	const forms = [plain, plain.replace(/s$/, ''), plain.replace(/es$/, ''), plain.replace(/ies$/, 'y'), plain.replace(/ing$/, ''), plain.replace(/ing$/, 'e')];
	return forms.some((form) => ORDERS.has(form) || ORDERS.has(`${form}e`));
}

function saysSomething(text: string): boolean {
	return (text.match(/[\p{L}\p{N}]{2,}/gu) ?? []).length >= 2;
}
