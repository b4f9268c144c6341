import { CodedError, isCodedError, messageOf, type ErrorDetails } from '../core/errors';
import { labelOf, type McpServer } from './server';

/** JSON-RPC codes of the protocol and the SDK. */
const TIMED_OUT = -32001;
const CONNECTION_CLOSED = -32000;
const METHOD_UNKNOWN = -32601;

/** What is known about a failed process. */
export interface ProcessEnd {
	readonly exitCode: number | null | undefined;
	/** Last lines of its error output. */
	readonly stderr: string;
}

/** Turns what the SDK, the network or a process threw into our error, with the server's name and what to change. */
export function toMcpError(error: unknown, server: McpServer, end?: ProcessEnd): CodedError {
	if (isCodedError(error)) return error;
	const label = labelOf(server);
	if (server.transport === 'stdio') return processError(error, label, end);
	const login = loginError(error, label);
	if (login !== undefined) return login;
	const status = statusOf(error);
	if (status !== undefined) return statusError(status, label, error);
	return plainError(error, label);
}

/** True when the SDK wants a person to log in before it goes on; the request was not run. */
export function isLoginNeeded(error: unknown): boolean {
	return nameOf(error) === 'UnauthorizedError';
}

/** What the OAuth2 part of the SDK threw; its errors carry an OAuth2 code (`invalid_client`) as text. */
function loginError(error: unknown, label: string): CodedError | undefined {
	const code = typeof error === 'object' && error !== null ? (Reflect.get(error, 'errorCode') as unknown) : undefined;
	if (typeof code === 'string') {
		return new CodedError('BAD_INPUT', `The login for the MCP server ${label} was refused: ${code}. ${wordsOf(error)}`, {
			cause: error,
			status: 401,
			remedy: 'Check client ID, client secret and scope of the MCP credential.',
		});
	}
	if (!isLoginNeeded(error)) return undefined;
	return new CodedError('BAD_INPUT', `The MCP server ${label} needs a login.`, {
		cause: error,
		status: 401,
		remedy: 'Choose n8n\'s MCP OAuth2 credential in this node and connect it, or enter a token.',
	});
}

function nameOf(error: unknown): unknown {
	return typeof error === 'object' && error !== null ? (Reflect.get(error, 'constructor') as { name?: unknown } | undefined)?.name : undefined;
}

/** Says how a server that was asked about a session it no longer has answers: 404, or words about a session with 400, −32600… */
export function isSessionLost(error: unknown): boolean {
	const status = statusOf(error);
	if (status === 404) return true;
	const code = codeOf(error);
	const isRefusal = status === 400 || code === -32600 || code === CONNECTION_CLOSED || code === TIMED_OUT;
	return isRefusal && /session|not initialized/i.test(wordsOf(error)) && !isTimeout(error);
}

/** True when the connection is gone, so that the next call needs a new one; the call itself may have run. */
export function isConnectionLost(error: unknown): boolean {
	if (statusOf(error) === 503) return true;
	if (codeOf(error) === CONNECTION_CLOSED) return true;
	return /^(not connected|fetch failed|terminated)/i.test(wordsOf(error));
}

/** True when the server does not know the method (-32601), also after `explain`. */
export function isMethodUnknown(error: unknown): boolean {
	return codeOf(error) === METHOD_UNKNOWN || codeOf(fieldOf(error, 'cause')) === METHOD_UNKNOWN;
}

/** True for the SDK's own timeout, not for a server's −32001. */
export function isTimeout(error: unknown): boolean {
	return codeOf(error) === TIMED_OUT && /timed out|timeout/i.test(wordsOf(error));
}

/** Errors of Node's own fetch may come from another realm, where `instanceof Error` is false. */
function fieldOf(error: unknown, field: 'message' | 'code' | 'cause'): unknown {
	return typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
}

function wordsOf(error: unknown): string {
	const message = fieldOf(error, 'message');
	return typeof message === 'string' && message !== '' ? message : messageOf(error);
}

function codeOf(error: unknown): number | undefined {
	const code = fieldOf(error, 'code');
	return typeof code === 'number' ? code : undefined;
}

/** The HTTP status of a transport error; JSON-RPC codes are negative. */
function statusOf(error: unknown): number | undefined {
	const code = codeOf(error);
	return code !== undefined && code >= 100 && code < 600 ? code : undefined;
}

function statusError(status: number, label: string, cause: unknown): CodedError {
	const details: ErrorDetails = { status, cause };
	if (status === 401 || status === 403) {
		const remedy = 'Check the token or headers of the MCP credential.';
		return new CodedError('BAD_INPUT', `The MCP server ${label} refused the credential (HTTP ${status}).`, { ...details, remedy });
	}
	if (status === 404 || status === 405) {
		const remedy = 'Check the address; it usually ends in /mcp. For an older server choose the transport SSE or Auto.';
		return new CodedError('BAD_INPUT', `There is no MCP server at ${label} (HTTP ${status}).`, { ...details, remedy });
	}
	const retryable = status >= 500 || status === 429;
	return new CodedError('UPSTREAM', `The MCP server ${label} answered HTTP ${status}: ${firstPart(wordsOf(cause))}`, { ...details, retryable });
}

function plainError(error: unknown, label: string): CodedError {
	if (isTimeout(error)) return timedOut(label, error);
	if (codeOf(error) !== undefined && codeOf(error) !== CONNECTION_CLOSED) {
		return new CodedError('UPSTREAM', `The MCP server ${label} answered: ${wordsOf(error)}`, { cause: error });
	}
	const cause = fieldOf(error, 'cause');
	const reason = cause === undefined ? wordsOf(error) : `${wordsOf(error)}: ${reasonOf(cause)}`;
	return new CodedError('UPSTREAM', `The MCP server ${label} cannot be reached: ${reason}`, {
		cause: error,
		retryable: true,
		remedy: 'Check that the server runs and that this address is right as seen from n8n.',
	});
}

/** Refused connections to a name with two addresses come as an AggregateError without a message. */
function reasonOf(cause: unknown): string {
	const message = fieldOf(cause, 'message');
	return typeof message === 'string' && message !== '' ? message : String(fieldOf(cause, 'code') ?? 'unknown reason');
}

function processError(error: unknown, label: string, end?: ProcessEnd): CodedError {
	const code = fieldOf(error, 'code');
	if (code === 'ENOENT' || code === 'EACCES') {
		return new CodedError('BAD_INPUT', `The command "${label}" cannot be started: ${wordsOf(error)}`, {
			cause: error,
			remedy: 'The command must be installed on the machine (or in the container) that runs n8n; give its full path if it is not on the PATH.',
		});
	}
	if (isTimeout(error)) return timedOut(label, error, end);
	const ended = end?.exitCode === undefined ? '' : ` It ended with exit code ${end.exitCode ?? 'none (a signal)'}.`;
	if (ended === '' && codeOf(error) !== undefined && codeOf(error) !== CONNECTION_CLOSED) {
		return new CodedError('UPSTREAM', `The MCP server "${label}" answered: ${wordsOf(error)}`, { cause: error });
	}
	return new CodedError('UPSTREAM', `The MCP server "${label}" failed: ${wordsOf(error)}.${ended}${errorOutput(end)}`, {
		cause: error,
		retryable: true,
		remedy: 'Run the command by hand to see what it needs.',
	});
}

function errorOutput(end?: ProcessEnd): string {
	return end === undefined || end.stderr === '' ? '' : ` Its last error output:\n${end.stderr}`;
}

function timedOut(label: string, cause: unknown, end?: ProcessEnd): CodedError {
	return new CodedError('TIMEOUT', `The MCP server ${label} did not answer in time.${errorOutput(end)}`, {
		cause,
		remedy: 'Raise the timeout of the MCP Toolkit, or check the server.',
	});
}

function firstPart(text: string): string {
	return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
