import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.join(__dirname, '../..');
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Every client scenario of protocol 2025-11-25, as `conformance list --client` names them; checked below. */
const REQUIRED = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry',
	...['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3', 'basic-cimd', 'scope-from-www-authenticate',
		'scope-from-scopes-supported', 'scope-omitted-when-undefined', 'scope-step-up', 'scope-retry-limit', 'token-endpoint-auth-basic',
		'token-endpoint-auth-post', 'token-endpoint-auth-none', 'pre-registration'].map((name) => `auth/${name}`)];
/** Older servers, drafts and extensions that pass as well. */
const MORE = ['2025-03-26-oauth-metadata-backcompat', '2025-03-26-oauth-endpoint-fallback', 'resource-mismatch', 'offline-access-scope',
	'offline-access-not-supported', 'client-credentials-basic'].map((name) => `auth/${name}`);

async function conformance(...args: string[]): Promise<string> {
	const { stdout, stderr } = await run(process.execPath, [suite, ...args], { cwd: root, timeout: 110_000 });
	return stdout + stderr;
}

describe('the official conformance suite, against our connection code as built', () => {
	it('has no client scenario of protocol 2025-11-25 that is missing here', async () => {
		const said = await conformance('list', '--client');
		const required = [...said.matchAll(/- (\S+) \[([^\]]*)\]/g)].filter(([, , versions]) => versions?.includes('2025-11-25'));
		expect(required.map(([, name]) => name).sort()).toEqual([...REQUIRED].sort());
	});

	it.each([...REQUIRED, ...MORE])('passes %s', async (scenario) => {
		const command = `"${process.execPath}" test/mcp/conformance/client.mjs`;
		const said = await conformance('client', '--command', command, '--scenario', scenario, '--timeout', '90000');
		expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed/);
	}, 120_000);
});
