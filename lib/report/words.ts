/** The fixed words of a report. */
export interface ReportWords {
	readonly title: string;
	readonly question: string;
	readonly answer: string;
	readonly noAnswer: string;
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
	readonly stepColumns: readonly [step: string, tool: string, input: string, result: string, duration: string];
}

const english: ReportWords = {
	title: 'Run report',
	question: 'Question',
	answer: 'Answer',
	noAnswer: 'The run ended without an answer.',
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
	stepColumns: ['Step', 'Tool', 'Input', 'Result', 'Time'],
};

const french: ReportWords = {
	title: 'Compte rendu',
	question: 'Question',
	answer: 'Réponse',
	noAnswer: 'L’exécution s’est terminée sans réponse.',
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
	stepColumns: ['Étape', 'Outil', 'Entrée', 'Résultat', 'Durée'],
};

/** The words of a language; every other language gets English. */
export function wordsOf(language: string): ReportWords {
	return language === 'fr' ? french : english;
}
