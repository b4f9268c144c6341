import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../../lib/core/errors';
import { assertCommandAllowed } from '../../lib/mcp/allowed-command';
import { parseEnv, splitWords } from '../../lib/mcp/parse-env';
import { parseHeaders } from '../../lib/mcp/parse-headers';
import { urlOf, type HttpServer, type McpServer } from '../../lib/mcp/server';

type NodeContext = ISupplyDataFunctions | IExecuteFunctions;

/** How the node reaches its server, with the secrets of its credential. */
export async function readServer(ctx: NodeContext, itemIndex: number): Promise<McpServer> {
	const text = (name: string): string => String(ctx.getNodeParameter(name, itemIndex, '') ?? '').trim();
	const isProtected = text('authentication') === 'credential';
	const secrets = isProtected ? await ctx.getCredentials('reactEngineMcpApi', itemIndex) : {};
	const transport = ctx.getNodeParameter('transport', itemIndex, 'auto') as McpServer['transport'];
	if (transport !== 'stdio') return addressed({ transport, url: text('url'), headers: headersOf(secrets) }, secrets);
	const command = text('command');
	if (command === '') throw new CodedError('BAD_INPUT', 'No command is entered.', { remedy: 'Enter the command that starts the MCP server.' });
	assertCommandAllowed(command, process.env);
	const { cwd } = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const env = { ...parseEnv(text('env')), ...parseEnv(String(secrets.secretEnvironment ?? '')) };
	return { transport, command, args: splitWords(text('args')), env, ...(cwd ? { cwd: String(cwd) } : {}) };
}

function headersOf(secrets: ICredentialDataDecryptedObject): Record<string, string> {
	const token = String(secrets.token ?? '').trim();
	const headers = parseHeaders(String(secrets.secretHeaders ?? ''));
	return token === '' ? headers : { ...headers, Authorization: `Bearer ${token}` };
}

/** A token goes only to the server that it was entered for. */
function addressed(server: HttpServer, secrets: ICredentialDataDecryptedObject): HttpServer {
	const { origin } = urlOf(server);
	if (Object.keys(server.headers).length === 0) return server;
	const own = String(secrets.url ?? '').trim();
	if (own === '') {
		throw new CodedError('BAD_INPUT', 'The MCP credential has no server URL.', {
			remedy: `Enter the address of its server, such as ${server.url}: its token is sent nowhere else.`,
		});
	}
	const expected = urlOf({ ...server, url: own }).origin;
	if (expected === origin) return server;
	throw new CodedError('BAD_INPUT', `The credential is for ${expected}, the server is ${origin}.`, {
		remedy: 'Choose the credential of this server, or correct one of the two addresses.',
	});
}
