import { checkFigures } from '../../lib/report/check-figures';
import { markdownToHtml } from '../../lib/report/html';
import { tamedMarkdown } from '../../lib/report/markdown';
import { redact } from '../../lib/text/redact';

const TEXTS = ['a-', 'a.', '`', '[', '![', '*a', '> ', '(((', 'eyJ-', 'password is  ', 'password: \\"', 'secret" : ', '1 ', '1,', '1:2', '12/', '://a:', 'token=', '\\"', '<', '&#', '|a', '-----BEGIN '].map((part) => part.repeat(Math.ceil(60_000 / part.length)));

it.each(TEXTS.map((text) => [text.slice(0, 16), text] as const))('a long text of %j again and again is read in time', async (_part, text) => {
	const began = performance.now();
	redact(text);
	tamedMarkdown(text);
	checkFigures(text, { texts: [text], data: [] });
	await markdownToHtml(text.slice(0, 20_000));
	expect(performance.now() - began).toBeLessThan(5_000);
});
