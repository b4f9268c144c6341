/** A thread under test: doubles numbers, refuses words, sleeps, or ends at once. */
import { createRequire } from 'node:module';
import { resourceLimits } from 'node:worker_threads';

const require = createRequire(import.meta.url);
const { answerCalls } = require('../../dist/lib/storage/thread-wire.js');
const { CodedError } = require('../../dist/lib/core/errors.js');

answerCalls(async (method, [given]) => {
	if (method === 'limits') return resourceLimits;
	if (method === 'crash') process.exit(3);
	if (method === 'throw') setImmediate(() => { throw new Error('broken inside'); });
	if (method === 'throw' || method === 'wait') return await new Promise((resolve) => setTimeout(resolve, given));
	if (typeof given === 'number') return given * 2;
	throw new CodedError('BAD_INPUT', `${given} is no number`, { remedy: 'Give one.' });
});
