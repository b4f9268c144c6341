/** The fixed words of a report. */
export interface ReportWords {
	readonly title: string;
	/** What stands between a label and its value. */
	readonly colon: string;
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
	readonly decision: string;
	readonly approved: string;
	readonly refused: string;
	readonly stepColumns: readonly [step: string, tool: string, input: string, result: string, duration: string];
}

const english: ReportWords = {
	title: 'Run report',
	colon: ': ',
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
	stoppedBy: 'Stopped by',
	warning: 'Warning',
	firstToken: 'First token after',
	tokensShort: 'tokens',
	reply: 'reply',
	thought: 'Thought',
	injected: 'Thought added by the engine',
	correction: 'Sent back to the model',
	givenUp: 'Branch given up',
	decision: 'Decision of a person',
	approved: 'approved',
	refused: 'refused',
	stepColumns: ['Step', 'Tool', 'Input', 'Result', 'Time'],
};

const french: ReportWords = {
	title: 'Compte rendu',
	colon: ' : ',
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
	stoppedBy: 'Fin',
	warning: 'Avertissement',
	firstToken: 'Premier jeton après',
	tokensShort: 'jetons',
	reply: 'réponse',
	thought: 'Réflexion',
	injected: 'Réflexion ajoutée par le moteur',
	correction: 'Renvoyé au modèle',
	givenUp: 'Branche abandonnée',
	decision: 'Décision d’une personne',
	approved: 'approuvé',
	refused: 'refusé',
	stepColumns: ['Étape', 'Outil', 'Entrée', 'Résultat', 'Durée'],
};

/** The words of a language; every other language gets English. */
export function wordsOf(language: string): ReportWords {
	return language === 'fr' ? french : english;
}
