import type { Language } from '../text/language';

/** What the page of Ask User, and the question of an approval, say in each language. Where a call is named its name comes first, as HTML. */
const ENGLISH = {
	mayCall: (tool: string) => `May the agent call ${tool}?`,
	mayCallWith: (tool: string, json: string) => `May the agent call ${tool} with ${json}?`,
	yourAnswer: 'Your answer',
	send: 'Send',
	withArguments: 'With these arguments',
	mayChange: 'you may change them before you approve',
	note: 'Note for the agent',
	noteHint: 'optional, for example why you refuse',
	name: 'Your name',
	nameHint: 'optional, kept in the report of the run',
	approve: 'Approve',
	refuse: 'Refuse',
	thanks: 'Thank you',
	passedOn: 'The answer was passed on. You can close this page.',
	already: 'The question before was already answered. This is the next one.',
	missing: 'Something is missing: fill in the form.',
	notAnObject: 'The arguments must be one JSON object.',
	title: 'Question',
};

const FRENCH: typeof ENGLISH = {
	mayCall: (tool) => `L'agent peut-il appeler ${tool} ?`,
	mayCallWith: (tool, json) => `L'agent peut-il appeler ${tool} avec ${json} ?`,
	yourAnswer: 'Votre réponse',
	send: 'Envoyer',
	withArguments: 'Avec ces arguments',
	mayChange: 'vous pouvez les modifier avant d’approuver',
	note: 'Note pour l’agent',
	noteHint: 'facultatif, par exemple la raison d’un refus',
	name: 'Votre nom',
	nameHint: 'facultatif, gardé dans le rapport',
	approve: 'Approuver',
	refuse: 'Refuser',
	thanks: 'Merci',
	passedOn: 'La réponse est transmise. Vous pouvez fermer cette page.',
	already: 'La question précédente a déjà reçu une réponse. Voici la suivante.',
	missing: 'Il manque quelque chose : remplissez le formulaire.',
	notAnObject: 'Les arguments doivent être un seul objet JSON.',
	title: 'Question',
};

/** The words of a language. */
export function askWords(language: Language): typeof ENGLISH {
	return language === 'fr' ? FRENCH : ENGLISH;
}
