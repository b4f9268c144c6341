import { CodedError } from '../core/errors';

/** Set by the administrator of n8n: the commands that may be started, separated by commas; absent allows all, '' none. */
export const ALLOWED_COMMANDS_VARIABLE = 'REACTENGINE_MCP_COMMANDS';

/**
 * Refuses a command that the administrator did not allow. Compared as written, so `npx` does not allow `/tmp/npx`.
 *
 * @param environment  of the n8n process
 * @throws CodedError BAD_INPUT that names the command, what is allowed and where
 */
export function assertCommandAllowed(command: string, environment: { readonly [name: string]: string | undefined }): void {
	const list = environment[ALLOWED_COMMANDS_VARIABLE];
	if (list === undefined) return;
	const allowed = list.split(',').map((entry) => entry.trim()).filter(Boolean);
	if (allowed.includes(command)) return;
	throw new CodedError('BAD_INPUT', `The command "${command}" is not allowed on this n8n. Allowed: ${allowed.join(', ') || 'none'}.`, {
		remedy: `Ask the administrator to add it to the variable ${ALLOWED_COMMANDS_VARIABLE}.`,
	});
}
