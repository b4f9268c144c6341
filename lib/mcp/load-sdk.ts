import { createRequire } from 'node:module';

type Sdk = '@modelcontextprotocol/sdk';

interface SdkModules {
	'client/auth.js': typeof import('@modelcontextprotocol/sdk/client/auth.js');
	'client/index.js': typeof import('@modelcontextprotocol/sdk/client/index.js');
	'client/sse.js': typeof import('@modelcontextprotocol/sdk/client/sse.js');
	'client/stdio.js': typeof import('@modelcontextprotocol/sdk/client/stdio.js');
	'client/streamableHttp.js': typeof import('@modelcontextprotocol/sdk/client/streamableHttp.js');
	'types.js': typeof import('@modelcontextprotocol/sdk/types.js');
	'validation/cfworker': typeof import('@modelcontextprotocol/sdk/validation/cfworker');
}

const load = createRequire(__filename);

/** A part of the MCP SDK, loaded when it is first needed: n8n requires every node file at its start. */
export function loadSdk<Part extends keyof SdkModules>(part: Part): SdkModules[Part] {
	const path: `${Sdk}/${Part}` = `@modelcontextprotocol/sdk/${part}`;
	return load(path) as SdkModules[Part];
}
