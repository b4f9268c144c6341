import type { TokenSource } from './server';

/**
 * A fetch that sends the token of `source`, and once more with a fresh one when the server answers 401: a refused request has
 * not run. Requests that are refused together share one refresh. A second 401 is the answer.
 */
export function bearerFetch(fetch: typeof globalThis.fetch, source: TokenSource): typeof globalThis.fetch {
	let token = source.token();
	let refreshing: Promise<string | undefined> | undefined;
	const renew = async (refused: string): Promise<string | undefined> => {
		if (token !== refused) return token;
		refreshing ??= source.refresh().finally(() => {
			refreshing = undefined;
		});
		const fresh = await refreshing;
		if (fresh !== undefined && fresh !== '') token = fresh;
		return fresh;
	};
	return async (input, init) => {
		const used = token;
		const response = await fetch(input, withToken(init, used));
		if (response.status !== 401) return response;
		const fresh = await renew(used);
		if (fresh === undefined || fresh === '' || fresh === used) return response;
		await response.body?.cancel();
		return await fetch(input, withToken(init, fresh));
	};
}

function withToken(init: RequestInit | undefined, token: string): RequestInit {
	const headers = new Headers(init?.headers);
	headers.set('Authorization', `Bearer ${token}`);
	return { ...init, headers };
}
