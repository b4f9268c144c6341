import { readFileSync } from 'node:fs';
import path from 'node:path';

/** One letter beyond Latin-1 makes V8 keep the whole request with two bytes a letter: writing and sending it takes half as long again. */
it.each(['prompts.ts', 'corrections.ts'])('keeps what %s says to a model within Latin-1', (file) => {
	const source = readFileSync(path.join(__dirname, '../../lib/react', file), 'utf8');
	const lines = source.split('\n').filter((line) => [...line].some((letter) => letter.charCodeAt(0) > 0xff) && !/^\s*(?:\/\/|\/?\*)/u.test(line));
	expect(lines).toEqual([]);
});
