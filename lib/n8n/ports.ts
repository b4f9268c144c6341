import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, ILoadOptionsFunctions, ISupplyDataFunctions, ITriggerFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import type { Ports } from '../core/ports';
import { realClock } from '../core/real-clock';
import { proxyDispatcher } from './proxy';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions | ITriggerFunctions | ILoadOptionsFunctions;

/**
 * The outside world as a node sees it: n8n's log, the real clock, and a fetch that obeys n8n's egress rules (SSRF settings)
 * for the first address and for each redirect, and goes through the administrator's proxy.
 */
export function portsOf(ctx: NodeContext): Ports {
	return {
		fetch: (input, init) => guardedFetch(ctx, input, init),
		clock: realClock,
		log: (level, message, facts) => ctx.logger[level](message, facts),
		ids: randomUUID,
	};
}

const MAX_REDIRECTS = 5;

async function guardedFetch(ctx: NodeContext, input: string | URL | Request, init?: RequestInit): Promise<Response> {
	let url = new URL(input instanceof Request ? input.url : input);
	for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
		await assertAllowed(ctx, url);
		const dispatcher = proxyDispatcher(process.env);
		const response = await fetch(hop === 0 ? input : url, { ...init, redirect: 'manual', ...(dispatcher && { dispatcher }) });
		const location = response.headers.get('location');
		if (response.status < 300 || response.status > 399 || !location) return response;
		const next = new URL(location, url);
		if (next.origin !== url.origin && !carriesNothing(input, init)) throw redirectedAway(url, next);
		url = next;
	}
	throw new CodedError('UPSTREAM', `${url.href} redirects more than ${MAX_REDIRECTS} times`);
}

/** True for a plain download, which tells the next server nothing but its address; hubs hand large files over to other servers. */
function carriesNothing(input: string | URL | Request, init?: RequestInit): boolean {
	return !(input instanceof Request) && (init?.method ?? 'GET') === 'GET' && init?.headers === undefined;
}

function redirectedAway(from: URL, to: URL): CodedError {
	return new CodedError('UPSTREAM', `${from.origin} redirects to another server, ${to.origin}`, {
		remedy: `If that is right, enter ${to.origin} as the address: keys are not sent to a server they were not meant for.`,
	});
}

async function assertAllowed(ctx: NodeContext, url: URL): Promise<void> {
	const filter = 'getSecureEgressFilter' in ctx.helpers ? ctx.helpers.getSecureEgressFilter() : undefined;
	const verdict = await filter?.validateUrl(url.href);
	if (verdict === undefined || verdict.ok) return;
	throw new CodedError('BAD_INPUT', `n8n does not allow requests to ${url.host}`, {
		remedy: 'Ask the administrator to add the host to N8N_SSRF_ALLOWED_HOSTNAMES or its range to N8N_SSRF_ALLOWED_IP_RANGES.',
		cause: verdict.error,
	});
}
