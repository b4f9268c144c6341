/**
 * Takes the reasoning that a model writes between `<think>` and `</think>` out of its reply.
 *
 * A closing tag without an opening one ends a reasoning that began with the reply; an opening tag without an end leaves no
 * text at all. Without tags the reply is the text.
 */
export function splitReasoning(reply: string): { reasoning: string; text: string } {
	const reasoning: string[] = [];
	let text = reply.replace(/<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/giu, (_whole, inner: string) => {
		reasoning.push(inner.trim());
		return '';
	});
	const unopened = /<\/think(?:ing)?>/iu.exec(text);
	if (unopened) {
		reasoning.push(text.slice(0, unopened.index).trim());
		text = text.slice(unopened.index + unopened[0].length);
	}
	return { reasoning: reasoning.filter(Boolean).join('\n'), text };
}
