import { parseEnv, splitWords } from '../../lib/mcp/parse-env';

describe('parseEnv', () => {
	it('M16 reads several values of one field with quotes, = and spaces', () => {
		expect(parseEnv('HOST=127.0.0.1 MDP="a b=c"')).toEqual({ HOST: '127.0.0.1', MDP: 'a b=c' });
		expect(parseEnv("# note\nexport A='x \"y\"'\nB=\n\nC=\"say \\\"hi\\\"\"")).toEqual({ A: 'x "y"', B: '', C: 'say "hi"' });
		expect(parseEnv('PATH_WIN=C:\\tools\\bin')).toEqual({ PATH_WIN: 'C:\\tools\\bin' });
		expect(parseEnv('')).toEqual({});
	});

	it('M16 reads the JSON form', () => {
		expect(parseEnv('{"HOST":"127.0.0.1","MDP":"a b=c","PORT":3000,"ON":true}')).toEqual({
			HOST: '127.0.0.1', MDP: 'a b=c', PORT: '3000', ON: 'true',
		});
	});

	it.each(['{"PW":"s3cret', 's3cret', '{"PW":{"x":"s3cret"}}', 'PW="s3cret', 'A B=s3cret'])('M16 never shows a value in its message: %s', (text) => {
		let message = '';
		try {
			parseEnv(text);
		} catch (error) {
			message = (error as Error).message;
		}
		expect(message).not.toBe('');
		expect(message).not.toContain('s3cret');
	});
});

describe('splitWords', () => {
	it('splits arguments like a shell, without expanding anything', () => {
		expect(splitWords('-y @scope/server "C:\\a b" \'$HOME *\' a\\ b ""')).toEqual(['-y', '@scope/server', 'C:\\a b', '$HOME *', 'a b', '']);
		expect(splitWords('  ')).toEqual([]);
	});
});
