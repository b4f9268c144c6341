/** Words that carry no topic, in lower case with their accents. Order has no meaning. */
const FRENCH =
	'à a ai ainsi alors après as au aucun aucune aura aussi autre autres aux avait avant avec avez avoir avons ayant c ça car ce ceci ' +
	'cela celle celles celui cependant ces cet cette ceux chaque ci comme comment concernant contre d dans de des depuis dès ' +
	'dois doit doivent donc dont du elle elles en encore entre es est et été être eu eux fait faire faut hors ici il ils j je ' +
	'jusque l la là le les lequel laquelle lesquels leur leurs lors lorsque lui m ma mais me même mêmes mes moi moins mon n ne ' +
	'ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent peux plus plusieurs pour pourquoi pouvez ' +
	'puis puisque qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera seront ses si sinon soit son sont ' +
	'sous suis sur t ta te tes toi ton toujours tous tout toute toutes très tu un une vers voici voilà vos votre vous y est-ce';

const ENGLISH =
	'a about above after again against all am an and any are as at be because been before being below between both but by can ' +
	'could did do does doing down during each few for from further had has have having he her here hers him his how i if in into ' +
	'is it its itself just let me more most my no nor not of off on once only or other our ours out over own s same shall she ' +
	'should so some such t than that the their theirs them then there these they this those through to too under until up us ' +
	'very was we were what when where which while who whom whose why will with would you your yours';

/** French words that are English content words or names, and the reverse: kept while the language is not known. */
const AMBIGUOUS = 'car but son ton sort main pour plus on or as an if me no est sans tout vers ou en as fait sera off own us do';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const FRENCH_STOP_WORDS = setOf(FRENCH);
export const ENGLISH_STOP_WORDS = setOf(ENGLISH);

const ambiguous = setOf(AMBIGUOUS);

/** Stop words of both languages without those that mean something in the other one. */
export const SHARED_STOP_WORDS: ReadonlySet<string> = new Set(
	[...FRENCH_STOP_WORDS, ...ENGLISH_STOP_WORDS].filter((word) => !ambiguous.has(word)),
);
