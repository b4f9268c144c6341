import { createRequire } from 'node:module';

/**
 * Packages that n8n itself brings (it puts its own node_modules on NODE_PATH). They are loaded by require, since `import()`
 * does not look there, and only when first needed: the SDK alone costs about 70 ms and 10 MB.
 */
const requireFromHost = createRequire(__filename);

type AiNodeSdk = typeof import('@n8n/ai-node-sdk');

/** n8n's AI node SDK. Throws when the host is older than the versions this package supports. */
export function aiNodeSdk(): AiNodeSdk {
	sdk ??= requireFromHost('@n8n/ai-node-sdk') as AiNodeSdk;
	return sdk;
}

/** Even a module that is loaded costs a search for its file at each require. */
let sdk: AiNodeSdk | undefined;

/** JSON Schema of a zod v4 schema, which the SDK's own conversion leaves as it is. */
export function zod4ToJsonSchema(schema: unknown): Record<string, unknown> {
	const { toJSONSchema } = requireFromHost('zod/v4') as { toJSONSchema: (schema: unknown) => unknown };
	return toJSONSchema(schema) as Record<string, unknown>;
}
