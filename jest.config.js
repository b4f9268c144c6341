/**
 * Five projects: `fast` (unit tests and in-process workflows), `slow` (kills, large stores, fuzzing, a Postgres), `e2e` (the packed package in a real n8n), `browser` (its editor
 * in Chromium) and `queue` (a main and two workers over Redis and Postgres). Child processes are loaded from dist/, so build before running them.
 */
const path = require('node:path');

/** Children (inference host, MCP servers) must run on the Node that runs the tests, whatever the system has. */
process.env.PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;

const shared = {
	rootDir: __dirname,
	testEnvironment: '<rootDir>/test/setup/node-environment.cjs',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				sourceMaps: 'inline',
				jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
				module: { type: 'commonjs', ignoreDynamic: true },
			},
		],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.n8n-demo/'],
};

/** Loaded machines are slow; a test that hangs still ends. */
const testTimeout = 30_000;

module.exports = {
	testTimeout,
	projects: [
		{
			...shared,
			displayName: 'fast',
			testMatch: ['<rootDir>/test/**/*.test.ts'],
			testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/n8n/', '<rootDir>/test/browser/', '<rootDir>/test/queue/', '\\.slow\\.test\\.ts$'],
			globalSetup: '<rootDir>/test/setup/local-model.mjs',
		},
		{ ...shared, displayName: 'slow', testMatch: ['<rootDir>/test/**/*.slow.test.ts'] },
		{
			...shared,
			displayName: 'e2e',
			testMatch: ['<rootDir>/test/n8n/**/*.test.ts'],
			globalSetup: '<rootDir>/test/setup/n8n-server.mjs',
			globalTeardown: '<rootDir>/test/setup/n8n-server-stop.mjs',
		},
		{
			...shared,
			displayName: 'browser',
			testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
			globalSetup: '<rootDir>/test/setup/n8n-server.mjs',
			globalTeardown: '<rootDir>/test/setup/n8n-server-stop.mjs',
		},
		{
			...shared,
			displayName: 'queue',
			testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
			globalSetup: '<rootDir>/test/setup/queue-servers.mjs',
			globalTeardown: '<rootDir>/test/setup/queue-servers-stop.mjs',
		},
	],
};
