import type { StoppedBy } from '../core/run';

/** The fixed words of a report. */
export interface ReportWords {
	readonly title: string;
	/** What stands between a label and its value. */
	readonly colon: string;
	/** Between a whole number and its decimals. */
	readonly decimal: string;
	readonly question: string;
	readonly answer: string;
	readonly noAnswer: string;
	readonly check: string;
	readonly allSupported: (checked: number) => string;
	readonly someUnsupported: (unsupported: number, checked: number) => string;
	readonly notChecked: string;
	readonly figures: string;
	readonly figuresNote: string;
	readonly noFigures: string;
	readonly moreRows: (count: number) => string;
	readonly sources: string;
	readonly sourcesNote: string;
	readonly steps: string;
	readonly failed: string;
	readonly run: string;
	readonly replayed: string;
	readonly partial: string;
	readonly model: string;
	readonly tokens: (input: string, output: string) => string;
	readonly noTokens: string;
	readonly unknown: string;
	readonly cost: string;
	readonly started: string;
	readonly duration: string;
	readonly stoppedBy: string;
	readonly warning: string;
	readonly firstToken: string;
	readonly tokensShort: string;
	readonly reply: string;
	readonly thought: string;
	readonly injected: string;
	readonly correction: string;
	readonly givenUp: string;
	/** Of a decision about a call; '' for nobody known. */
	readonly approved: (by: string) => string;
	readonly refused: (by: string) => string;
	readonly changedArguments: string;
	readonly note: string;
	/** How a run ended, for who does not know the engine. */
	readonly ends: Readonly<Record<StoppedBy, string>>;
	readonly wentWrong: string;
	readonly whatToDo: string;
	readonly waitsFor: string;
	readonly contents: string;
	readonly totals: string;
	readonly all: string;
	readonly runColumns: readonly [run: string, end: string, steps: string, tokens: string, cost: string, duration: string];
	readonly plan: string;
	readonly planWritten: string;
	readonly planWrittenAnew: string;
	readonly planStates: Readonly<Record<'done' | 'failed' | 'open', string>>;
	readonly planStep: string;
	readonly pictures: string;
	readonly picturesLeftOut: (names: string) => string;
	/** Of the chart of steps. */
	readonly tokensPerStep: string;
	readonly secondsPerStep: string;
	readonly tokensIn: string;
	readonly tokensOut: string;
	readonly modelTime: string;
	readonly toolTime: string;
	readonly stepColumns: readonly [step: string, tool: string, input: string, result: string, duration: string];
}

const english: ReportWords = {
	title: 'Run report',
	colon: ': ',
	decimal: '.',
	question: 'Question',
	answer: 'Answer',
	noAnswer: 'The run ended without an answer.',
	check: 'Figures check',
	allSupported: (checked) =>
		checked === 0 ? 'The answer states no figure.' : `${checked === 1 ? 'The one figure' : `Each of the ${checked} figures`} of the answer is in a tool result, a passage or the question, or follows from them by a sum or a difference.`,
	someUnsupported: (unsupported, checked) =>
		`${unsupported} of ${checked} figures of the answer are in no tool result, passage or question. They are marked ⚠ in the answer: check them before you use them.`,
	notChecked: 'Not checked: the run holds only the beginning of some results. Turn on Check Figures in the options of the ReAct Agent.',
	figures: 'Figures',
	figuresNote: 'These tables are filled from the results of the tools, not from what the model wrote.',
	noFigures: 'No tool of this run gave figures.',
	moreRows: (count) => `… and ${count} more rows.`,
	sources: 'Sources',
	sourcesNote: 'The passages that the agent was given, as far as they serve the question.',
	steps: 'Steps',
	failed: 'failed',
	run: 'The run',
	replayed: 'No model was called: this run replays a script; tools, retrieval and figures are real.',
	partial: 'The answer is partial: the run was ended before the agent had finished.',
	model: 'Model',
	tokens: (input, output) => `Tokens: ${input} in, ${output} out`,
	noTokens: 'Tokens: none, no model was called',
	unknown: 'unknown',
	cost: 'Cost',
	started: 'Started',
	duration: 'Duration',
	stoppedBy: 'State',
	warning: 'Warning',
	firstToken: 'First token after',
	tokensShort: 'tokens',
	reply: 'reply',
	thought: 'Thought',
	injected: 'Thought added by the engine',
	correction: 'Sent back to the model',
	givenUp: 'Branch given up',
	approved: (by) => `Approved by ${by || 'a person'}`,
	refused: (by) => (by === '' ? 'Refused' : `Refused by ${by}`),
	changedArguments: 'with changed arguments',
	note: 'Note',
	ends: {
		answer: 'answered',
		question: 'waits for an answer of a person',
		approval: 'waits for the approval of a person',
		'step-limit': 'stopped at the limit of steps',
		time: 'stopped at the time limit',
		budget: 'stopped at the limit of tokens or cost',
		'no-progress': 'stopped, without progress',
		'forced-answer': 'made to answer, since it went in circles',
		aborted: 'cancelled',
		error: 'failed',
	},
	wentWrong: 'What went wrong',
	whatToDo: 'What to do',
	waitsFor: 'It waits for a person',
	contents: 'Contents',
	totals: 'Totals',
	all: 'All runs',
	runColumns: ['Run', 'State', 'Steps', 'Tokens', 'Cost', 'Time'],
	plan: 'Plan',
	planWritten: 'plan',
	planWrittenAnew: 'plan written anew',
	planStates: { done: 'done', failed: 'failed', open: 'not done' },
	planStep: 'Step of the plan',
	pictures: 'Pictures',
	picturesLeftOut: (names) => `Left out, too large: ${names}`,
	tokensPerStep: 'Tokens per step',
	secondsPerStep: 'Seconds per step',
	tokensIn: 'in',
	tokensOut: 'out',
	modelTime: 'model',
	toolTime: 'tools',
	stepColumns: ['Step', 'Tool', 'Input', 'Result', 'Time'],
};

const french: ReportWords = {
	title: 'Compte rendu',
	colon: ' : ',
	decimal: ',',
	question: 'Question',
	answer: 'Réponse',
	noAnswer: 'L’exécution s’est terminée sans réponse.',
	check: 'Contrôle des chiffres',
	allSupported: (checked) =>
		checked === 0 ? 'La réponse ne cite aucun chiffre.' : `${checked === 1 ? 'Le seul chiffre' : `Chacun des ${checked} chiffres`} de la réponse se trouve dans un résultat d’outil, un passage ou la question, ou s’en déduit par une somme ou une différence.`,
	someUnsupported: (unsupported, checked) =>
		`${unsupported} des ${checked} chiffres de la réponse ne se trouvent dans aucun résultat d’outil, passage ou question. Ils sont marqués ⚠ dans la réponse : vérifiez-les avant de vous en servir.`,
	notChecked: 'Non contrôlé : l’exécution ne contient que le début de certains résultats. Activez Check Figures dans les options du ReAct Agent.',
	figures: 'Chiffres',
	figuresNote: 'Ces tableaux viennent des résultats des outils, non du texte du modèle.',
	noFigures: 'Aucun outil de cette exécution n’a donné de chiffres.',
	moreRows: (count) => `… et ${count} lignes de plus.`,
	sources: 'Sources',
	sourcesNote: 'Les passages donnés à l’agent, dans la mesure où ils servent la question.',
	steps: 'Étapes',
	failed: 'échec',
	run: 'L’exécution',
	replayed: 'Aucun modèle n’a été appelé : cette exécution rejoue un script ; les outils, la recherche et les chiffres sont réels.',
	partial: 'La réponse est partielle : l’exécution a été arrêtée avant que l’agent ait fini.',
	model: 'Modèle',
	tokens: (input, output) => `Jetons : ${input} en entrée, ${output} en sortie`,
	noTokens: 'Jetons : aucun, aucun modèle n’a été appelé',
	unknown: 'inconnu',
	cost: 'Coût',
	started: 'Début',
	duration: 'Durée',
	stoppedBy: 'État',
	warning: 'Avertissement',
	firstToken: 'Premier jeton après',
	tokensShort: 'jetons',
	reply: 'réponse',
	thought: 'Réflexion',
	injected: 'Réflexion ajoutée par le moteur',
	correction: 'Renvoyé au modèle',
	givenUp: 'Branche abandonnée',
	approved: (by) => `Approuvé par ${by || 'une personne'}`,
	refused: (by) => (by === '' ? 'Refusé' : `Refusé par ${by}`),
	changedArguments: 'avec des arguments modifiés',
	note: 'Remarque',
	ends: {
		answer: 'réponse donnée',
		question: 'attend la réponse d’une personne',
		approval: 'attend l’accord d’une personne',
		'step-limit': 'arrêtée à la limite d’étapes',
		time: 'arrêtée à la limite de temps',
		budget: 'arrêtée à la limite de jetons ou de coût',
		'no-progress': 'arrêtée, sans progrès',
		'forced-answer': 'réponse forcée, car elle tournait en rond',
		aborted: 'annulée',
		error: 'échec',
	},
	wentWrong: 'Ce qui a échoué',
	whatToDo: 'Que faire',
	waitsFor: 'Attend une personne',
	contents: 'Sommaire',
	totals: 'Totaux',
	all: 'Toutes les exécutions',
	runColumns: ['Exécution', 'État', 'Étapes', 'Jetons', 'Coût', 'Durée'],
	plan: 'Plan',
	planWritten: 'plan',
	planWrittenAnew: 'plan récrit',
	planStates: { done: 'fait', failed: 'échec', open: 'non fait' },
	planStep: 'Étape du plan',
	pictures: 'Images',
	picturesLeftOut: (names) => `Omises, trop grandes : ${names}`,
	tokensPerStep: 'Jetons par étape',
	secondsPerStep: 'Secondes par étape',
	tokensIn: 'entrée',
	tokensOut: 'sortie',
	modelTime: 'modèle',
	toolTime: 'outils',
	stepColumns: ['Étape', 'Outil', 'Entrée', 'Résultat', 'Durée'],
};

/** The words of a language; every other language gets English. */
export function wordsOf(language: string): ReportWords {
	return language === 'fr' ? french : english;
}
