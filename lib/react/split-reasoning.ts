/**
 * Takes the reasoning that a model writes between `<think>` and `</think>` out of its reply.
 *
 * Reasoning opens at the very beginning of a reply only: tags further on are text, an answer may speak of them. A closing tag that
 * was never opened counts where a line begins or ends with it; an opening tag without an end leaves no text at all.
 */
export function splitReasoning(reply: string): { reasoning: string; text: string } {
	if (!/<\/?think/iu.test(reply)) return { reasoning: '', text: reply };
	const reasoning: string[] = [];
	let text = reply.replace(/^\s*<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/iu, (_whole, inner: string) => {
		reasoning.push(inner.trim());
		return '';
	});
	const unopened = reasoning.length > 0 ? null : /(?<=\n[^\S\n]{0,20}|^)<\/think(?:ing)?>|<\/think(?:ing)?>(?=[^\S\n]{0,20}(?:\n|$))/iu.exec(text);
	if (unopened) {
		reasoning.push(text.slice(0, unopened.index).trim());
		text = text.slice(unopened.index + unopened[0].length);
	}
	return { reasoning: reasoning.filter(Boolean).join('\n'), text };
}
