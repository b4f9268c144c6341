type Fetch = typeof globalThis.fetch;

/**
 * A fetch under which the listener stream of the SDK's HTTP transport never logs in.
 *
 * The SDK opens that stream beside the first request. When both are refused, both start a login at once, and one overwrites the
 * other's verifier. Here a refused listener reads that the server offers none (405); it is opened after the first request that
 * the server accepts.
 *
 * @param reopen called once after a refusal, when a request was accepted
 */
export function listenerWithoutLogin(fetch: Fetch, reopen: () => void): Fetch {
	let wasRefused = false;
	return async (input, init) => {
		const response = await fetch(input, init);
		const isListener = (init?.method ?? 'GET') === 'GET' && new Headers(init?.headers).get('accept') === 'text/event-stream';
		if (isListener && response.status === 401) {
			wasRefused = true;
			await response.body?.cancel();
			return new Response(null, { status: 405 });
		}
		if (wasRefused && init?.method === 'POST' && response.ok && typeof init.body === 'string' && init.body.includes('"jsonrpc"')) {
			wasRefused = false;
			reopen();
		}
		return response;
	};
}
