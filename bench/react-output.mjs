/**
 * Suite react-output: JSON lines {id, peer, input, expect}. A case is right when the reader does what `expect` says; `text`
 * cases ask what a person would be shown, so a corrective turn counts there when the text was kept.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export async function run({ data }) {
	const { parseReply } = require('../dist/lib/react/output-parser.js');
	const { parseTolerant } = require('../dist/lib/text/tolerant-json.js');
	const wrong = [];
	const byPeer = {};
	for (const { id, peer, input, expect } of data) {
		const got = read(parseReply, input);
		const right = isRight(got, expect, parseTolerant);
		const tally = (byPeer[peer] ??= { cases: 0, right: 0 });
		tally.cases++;
		if (right) tally.right++;
		else wrong.push(id);
	}
	const right = data.length - wrong.length;
	return { cases: data.length, right, accuracy: right / data.length, byPeer, wrong };
}

function read(parseReply, input) {
	try {
		return parseReply(input);
	} catch (error) {
		if (error.name !== 'RetryException') throw error;
		return { kind: 'error', message: error.message };
	}
}

function isRight(got, expect, parseTolerant) {
	switch (expect.kind) {
		case 'error':
			return got.kind === 'error';
		case 'answer':
			return got.kind === 'answer' && holds(got.answer, expect.answer, expect.answer_contains) && thought(got, expect);
		case 'action':
			return isCall(got, expect, parseTolerant) && thought(got, expect);
		case 'actions':
			return got.kind === 'calls' && got.calls.length === (expect.actions?.length ?? 2);
		case 'action_name_cleanup':
			return expect.action === '' ? got.kind === 'error' : got.kind === 'calls' && got.calls[0].name === expect.action;
		case 'action_or_error':
			return got.kind === 'error' || isCall(got, expect, parseTolerant);
		case 'no_action':
		case 'not_a_tool_call':
			return got.kind !== 'calls';
		case 'text':
			return got.kind !== 'calls';
		default:
			return false;
	}
}

function holds(answer, exact, part) {
	return (exact === undefined || answer === exact.trim()) && (part === undefined || answer.includes(part));
}

function thought(got, expect) {
	return expect.thought === undefined || got.thought === expect.thought;
}

function isCall(got, expect, parseTolerant) {
	if (got.kind !== 'calls' || got.calls[0].name !== expect.action) return false;
	const { argumentsText } = got.calls[0];
	if (expect.input_json !== undefined) {
		return JSON.stringify(parseTolerant(argumentsText)) === JSON.stringify(expect.input_json);
	}
	return expect.input_raw === undefined || argumentsText.trim() === expect.input_raw.trim();
}
