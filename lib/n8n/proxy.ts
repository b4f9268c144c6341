import { createRequire } from 'node:module';

import type { Dispatcher } from 'undici';

type Environment = { readonly [name: string]: string | undefined };
type Undici = typeof import('undici');

const load = createRequire(__filename);
let made: { readonly key: string; readonly dispatcher: Dispatcher } | undefined;

/**
 * What `fetch` needs to go through the proxy that the administrator set (HTTP_PROXY, HTTPS_PROXY, NO_PROXY, in capitals or not);
 * undefined without one. Node's own fetch does not look at these variables.
 */
export function proxyDispatcher(environment: Environment): Dispatcher | undefined {
	const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
	const [http, https, none] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(read) as [string, string, string];
	const all = read('ALL_PROXY');
	if (http === '' && https === '' && all === '') return undefined;
	const key = JSON.stringify([http, https, none, all]);
	if (made?.key === key) return made.dispatcher;
	const { EnvHttpProxyAgent } = load('undici') as Undici;
	const dispatcher = new EnvHttpProxyAgent({ httpProxy: http || all, httpsProxy: https || http || all, noProxy: none });
	made = { key, dispatcher };
	return dispatcher;
}
