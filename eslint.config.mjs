import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

/**
 * n8n's community-node rules for self-hosted packages, with three exceptions:
 * - no-runtime-dependencies: the model, MCP and inference libraries are the point of this package;
 * - no-credential-reuse: our nodes accept n8n's own credentials where these exist;
 * - no-dangerous-functions, in one file: local models run in a child process, so that a crash there leaves n8n running.
 */
export default [
	{ ignores: ['dist', 'coverage', '.n8n-demo', '.pictures'] },
	...configWithoutCloudSupport,
	{
		rules: {
			'@n8n/community-nodes/no-runtime-dependencies': 'off',
			'@n8n/community-nodes/no-credential-reuse': 'off',
		},
	},
	{
		files: ['lib/inference/host-process.ts'],
		rules: { '@n8n/community-nodes/no-dangerous-functions': 'off' },
	},
];
