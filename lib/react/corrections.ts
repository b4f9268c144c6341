import { RetryException, type Bilingual } from '../core/errors';
import type { Tool } from '../core/tool';
import type { Language } from '../text/language';

/**
 * What the model is told when its reply, or a call in it, cannot be used, in both languages. Labels and names stand as the model must
 * write them. Frozen with the other prompts: see PROMPT_VERSION.
 */
const TEXTS = {
	emptyReply: () => ({
		en: 'Your reply was empty. Call a tool or give your answer.',
		fr: 'Ta réponse était vide. Appelle un outil ou donne ta réponse.',
	}),
	emptyText: () => ({
		en: 'Your reply was empty. Call a tool or write "Answer:" with your answer.',
		fr: 'Ta réponse était vide. Appelle un outil ou écris « Answer: » suivi de ta réponse.',
	}),
	emptyAnswer: () => ({
		en: 'Your answer was empty. Write the answer after "Answer:".',
		fr: 'Ta réponse finale était vide. Écris-la après « Answer: ».',
	}),
	toolsOver: () => ({
		en: 'Tools are no longer available. Give your answer.',
		fr: 'Les outils ne sont plus disponibles. Donne ta réponse.',
	}),
	thoughtOnly: () => ({
		en: 'You wrote only a thought. Call a tool or write "Answer:" with your answer.',
		fr: "Tu n'as écrit qu'une réflexion. Appelle un outil ou écris « Answer: » suivi de ta réponse.",
	}),
	tooManyActions: (most: string) => ({
		en: `There were over ${most} actions in one reply. Write fewer.`,
		fr: `Il y avait plus de ${most} actions dans une seule réponse. Écris-en moins.`,
	}),
	twoActions: () => ({
		en: 'There were two actions in one reply. Write one action at a time.',
		fr: 'Il y avait deux actions dans une seule réponse. Écris une action à la fois.',
	}),
	noAction: () => ({ en: 'There was no action.', fr: "Il n'y avait pas d'action." }),
	noActionName: () => ({
		en: 'The Action had no tool name. Write "Action: <tool name>".',
		fr: "L'Action n'avait pas de nom d'outil. Écris « Action: <nom de l'outil> ».",
	}),
	oneLabelALine: (name: string) => ({
		en: `"${name}" is not a tool name. Write one label a line.`,
		fr: `« ${name} » n'est pas un nom d'outil. Écris une étiquette par ligne.`,
	}),
	notATool: (name: string) => ({
		en: `"${name}" is not a tool. If no tool is needed, leave the Action out and write "Answer:" with your answer.`,
		fr: `« ${name} » n'est pas un outil. Si aucun outil n'est nécessaire, n'écris pas d'Action et écris « Answer: » suivi de ta réponse.`,
	}),
	noInput: (name: string) => ({
		en: `The Action "${name}" had no Action Input. Write both, or "Answer:" with your answer.`,
		fr: `L'Action « ${name} » n'avait pas d'Action Input. Écris les deux, ou « Answer: » suivi de ta réponse.`,
	}),
	inputWithoutAction: () => ({
		en: 'There was an Action Input but no Action. Write "Action: <tool name>" on the line before it.',
		fr: "Il y avait un Action Input sans Action. Écris « Action: <nom de l'outil> » sur la ligne d'avant.",
	}),
	inputCut: (name: string) => ({
		en: `The Action Input for ${name} cannot be read: it is cut off before its end. Write the call again with one complete JSON object.`,
		fr: `L'Action Input de ${name} est illisible : il est coupé avant sa fin. Écris de nouveau l'appel avec un objet JSON complet.`,
	}),
	inputUnreadable: (name: string) => ({
		en: `The Action Input for ${name} cannot be read: it is not valid JSON. Write the call again with one complete JSON object.`,
		fr: `L'Action Input de ${name} est illisible : ce n'est pas du JSON valide. Écris de nouveau l'appel avec un objet JSON complet.`,
	}),
	jsonEmpty: () => ({
		en: 'Your reply was empty. Reply with one JSON object.',
		fr: 'Ta réponse était vide. Réponds par un seul objet JSON.',
	}),
	jsonCut: () => ({
		en: 'Your reply was cut off before its end. Reply with one JSON object.',
		fr: 'Ta réponse était coupée avant sa fin. Réponds par un seul objet JSON.',
	}),
	jsonUnreadable: () => ({
		en: 'Your reply was not one JSON object. Reply with one JSON object.',
		fr: "Ta réponse n'était pas un objet JSON. Réponds par un seul objet JSON.",
	}),
	neitherKey: () => ({
		en: 'The object had neither an "action" nor an "answer". Give one of them.',
		fr: "L'objet n'avait ni « action » ni « answer ». Donne l'un des deux.",
	}),
} satisfies Record<string, (value: string) => Bilingual>;

/** The exception that sends a reply back to the model. `value` is what the text names: a tool, a number. */
export function retry(reason: keyof typeof TEXTS, value = ''): RetryException {
	return new RetryException(TEXTS[reason](value));
}

interface BlockedCall {
	readonly noTools: (name: string) => string;
	readonly unknownTool: (name: string, known: readonly string[]) => string;
	/** Around what does not fit; the tool's full description follows, since the model has seen only its intent. */
	readonly notMade: (problem: string, tool: Tool) => string;
	readonly argumentsCut: (text: string) => string;
	readonly argumentsUnreadable: (text: string) => string;
	readonly oneObject: (text: string) => string;
}

const BLOCKED: Readonly<Record<Language, BlockedCall>> = {
	en: {
		noTools: (name) => `There is no tool named "${name}"; no tools are available. Give your answer.`,
		unknownTool: (name, known) => `There is no tool named "${name}". Available: ${known.join(', ')}.`,
		notMade: (problem, { name, description, inputSchema }) =>
			`The call was not made. ${problem}\nWhat ${name} does: ${description}\nIts arguments: ${JSON.stringify(inputSchema)}`,
		argumentsCut: (text) => `The arguments are cut off before their end: ${text}`,
		argumentsUnreadable: (text) => `The arguments are not valid JSON: ${text}`,
		oneObject: (text) => `The arguments must be one JSON object, not: ${text}`,
	},
	fr: {
		noTools: (name) => `Il n'y a pas d'outil nommé « ${name} » ; aucun outil n'est disponible. Donne ta réponse.`,
		unknownTool: (name, known) => `Il n'y a pas d'outil nommé « ${name} ». Disponibles : ${known.join(', ')}.`,
		notMade: (problem, { name, description, inputSchema }) =>
			`L'appel n'a pas été fait. ${problem}\nCe que fait ${name} : ${description}\nSes arguments : ${JSON.stringify(inputSchema)}`,
		argumentsCut: (text) => `Les arguments sont coupés avant leur fin : ${text}`,
		argumentsUnreadable: (text) => `Les arguments ne sont pas du JSON valide : ${text}`,
		oneObject: (text) => `Les arguments doivent être un seul objet JSON, pas : ${text}`,
	},
};

/** What a blocked call is answered with. */
export function blockedCallIn(language: Language): BlockedCall {
	return BLOCKED[language];
}
