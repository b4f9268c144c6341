import type { AskedCall } from './ask-user';

/** The page behind the answer address. It loads nothing from elsewhere, and all that it shows is escaped. */
export interface AskPage {
	readonly question: string;
	/** The call to approve; absent for a plain question. */
	readonly call?: AskedCall;
	/** What was wrong with what was sent. */
	readonly problem?: string;
}

/** The form: an answer, or a decision with arguments that may be edited. */
export function askPage({ question, call, problem }: AskPage): string {
	const wrong = problem === undefined ? '' : `<p class="problem">${escaped(problem)}</p>`;
	return page(`<h1>${escaped(question)}</h1>${wrong}<form method="post">${call ? decisionFields(call) : ANSWER_FIELDS}</form>`);
}

/** What is shown when the answer was taken. */
export function thanksPage(): string {
	return page('<h1>Thank you</h1><p>The answer was passed on. You can close this page.</p>');
}

const ANSWER_FIELDS =
	'<label>Your answer<textarea name="answer" rows="6" required autofocus></textarea></label><button>Send</button>';

function decisionFields({ tool, arguments: given }: AskedCall): string {
	return `<p>Tool: <b>${escaped(tool)}</b></p>
<label>Arguments (may be changed)<textarea name="arguments" rows="8" class="code">${escaped(JSON.stringify(given, null, 2))}</textarea></label>
<label>Your name<input name="by" autocomplete="name"></label>
<label>Note for the agent<input name="note"></label>
<button name="decision" value="approve">Approve</button> <button name="decision" value="refuse" class="no">Refuse</button>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#1d2738}
h1{font-size:1.3rem;white-space:pre-wrap;overflow-wrap:anywhere}label{display:block;margin-top:1rem}
textarea,input{display:block;width:100%;font:inherit;box-sizing:border-box;padding:.4rem}.code{font-family:ui-monospace,monospace;font-size:.9rem}
button{margin-top:1rem;padding:.5rem 1.5rem;font:inherit}.no{color:#a11}.problem{color:#a11}
@media(prefers-color-scheme:dark){body{background:#161b24;color:#e3e9f2}.no,.problem{color:#f88}}`;

function page(body: string): string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Question</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
