/** The items of a data file as hits, with the places of what must stay. */
export function readItems(data) {
	return data.items.map((item) => (item.passages ? withSupport(item) : withAnswers(item)));
}

function withSupport({ q, passages }) {
	const support = [];
	const hits = passages.map(({ title, sentences, support: wanted = [] }, at) => {
		const spans = spansOf(sentences);
		for (const place of wanted) if (spans[place]) support.push({ hit: at, ...spans[place] });
		return hitOf(at, sentences.join(''), title, spans);
	});
	return itemOf(q, hits, { support });
}

function withAnswers({ q, title, context, sentences, answers }) {
	const spans = sentences.map(([start, end]) => ({ start, end }));
	return itemOf(q, [hitOf(0, context, title, spans)], { answers });
}

const itemOf = (q, hits, more) => ({ q, hits, characters: hits.reduce((sum, hit) => sum + hit.text.length, 0), ...more });
const hitOf = (at, text, title, spans) => ({ id: String(at), documentId: String(at), text, ...(title && { title }), meta: {}, score: 1, spans });

/** Places of sentences that stand one after another, without the blanks around them. */
function spansOf(sentences) {
	let at = 0;
	return sentences.map((sentence) => {
		const start = at + sentence.length - sentence.trimStart().length;
		at += sentence.length;
		return { start, end: start + sentence.trim().length };
	});
}
