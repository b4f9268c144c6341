import type { Language } from '../text/language';
import type { AskedCall } from './ask-user';
import { askWords } from './ask-words';

/** The page behind the answer address. It loads nothing from elsewhere, and all that it shows is escaped. */
export interface AskPage {
	readonly question: string;
	readonly language: Language;
	/** Sent back with the form, so that a late or second click cannot answer the next question. */
	readonly reference: string;
	/** The call to approve; absent for a plain question. */
	readonly call?: AskedCall;
	/** What was wrong with what was sent. */
	readonly problem?: string;
	/** What was sent, to be shown again. */
	readonly sent?: Readonly<Record<string, unknown>>;
}

/** The form: an answer, or a decision with arguments that may be edited. */
export function askPage({ question, language, reference, call, problem, sent = {} }: AskPage): string {
	const typed = (name: string, otherwise = ''): string => escaped(typeof sent[name] === 'string' ? sent[name] : otherwise);
	const heading = call ? askWords(language).mayCall(`<code>${escaped(call.tool)}</code>`) : escaped(question);
	const wrong = problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`;
	const fields = call ? decisionFields(call, language, typed) : answerFields(language, typed);
	const hidden = `<input type="hidden" name="reference" value="${escaped(reference)}">`;
	return page(language, `<h1>${heading}</h1>${wrong}<form method="post">${hidden}${fields}</form>`);
}

/** What is shown when the answer was taken. */
export function thanksPage(language: Language): string {
	const { thanks, passedOn } = askWords(language);
	return page(language, `<h1>${thanks}</h1><p>${passedOn}</p>`);
}

type Typed = (name: string, otherwise?: string) => string;

function answerFields(language: Language, typed: Typed): string {
	const { yourAnswer, send } = askWords(language);
	return `<label>${yourAnswer}<textarea name="answer" rows="5" required autofocus>${typed('answer')}</textarea></label>
<div class="buttons"><button class="main">${send}</button></div>`;
}

function decisionFields({ arguments: given }: AskedCall, language: Language, typed: Typed): string {
	const words = askWords(language);
	const json = JSON.stringify(given, null, 2);
	const rows = Math.min(18, Math.max(3, json.split('\n').length));
	return `<label>${words.withArguments} <small>${words.mayChange}</small>
<textarea name="arguments" rows="${rows}" class="code" spellcheck="false">${typed('arguments', json)}</textarea></label>
<label>${words.note} <small>${words.noteHint}</small><input name="note" value="${typed('note')}"></label>
<label>${words.name} <small>${words.nameHint}</small><input name="by" autocomplete="name" value="${typed('by')}"></label>
<div class="buttons"><button name="decision" value="approve" class="main">${words.approve}</button><button name="decision" value="refuse" class="no">${words.refuse}</button></div>`;
}

const STYLE = `:root{color-scheme:light dark;--page:#f3f5f8;--card:#fff;--text:#1d2738;--soft:#5b6777;--line:#c9d1dc;--main:#1f6f54;--no:#a3232b}
@media(prefers-color-scheme:dark){:root{--page:#12161d;--card:#1b212b;--text:#e3e9f2;--soft:#98a5b6;--line:#3a4554;--main:#2e8f6e;--no:#ff9096}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1rem;background:var(--page);color:var(--text)}
main{max-width:42rem;margin:6vh auto;padding:1.5rem 2rem 2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{font-size:1.3rem;margin:.25rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}code,.code{font-family:ui-monospace,monospace}h1 code{font-size:.95em}
label{display:block;margin-top:1.25rem;font-weight:600}small{font-weight:400;color:var(--soft);margin-left:.4rem}
textarea,input{display:block;width:100%;margin-top:.35rem;padding:.55rem .7rem;font:inherit;font-weight:400;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:.4rem}
textarea{resize:vertical}.code{font-size:.9rem;font-family:ui-monospace,monospace}.buttons{display:flex;gap:.75rem;margin-top:1.75rem}
button{padding:.55rem 1.75rem;font:inherit;font-weight:600;border-radius:.4rem;border:1px solid var(--line);background:none;color:inherit;cursor:pointer}
.main{background:var(--main);border-color:var(--main);color:#fff}.no{color:var(--no);border-color:var(--no)}
.problem{margin:1rem 0 0;padding:.6rem .8rem;border-left:4px solid var(--no);background:var(--page);color:var(--no)}
:focus-visible{outline:2px solid var(--main);outline-offset:2px}`;

function page(language: Language, body: string): string {
	return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${askWords(language).title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
