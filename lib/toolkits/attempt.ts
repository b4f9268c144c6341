import { isCodedError, messageOf } from '../core/errors';

/**
 * Runs a function of another package and turns what it throws into an error of ours.
 *
 * @param explain makes the error from the other's message; our own errors pass as they are
 */
export function attempt<Value>(run: () => Value, explain: (why: string) => Error): Value {
	let failure: unknown;
	try {
		return run();
	} catch (error) {
		failure = error;
	}
	throw isCodedError(failure) ? failure : explain(messageOf(failure));
}
