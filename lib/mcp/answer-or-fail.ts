/** As much of an answer as is looked at to find ids; an id that is cut in two between chunks fits in. */
const OVERLAP = 64;

/**
 * A fetch for the SDK's HTTP transport that makes a request fail when its answer stream ends without the answer.
 *
 * The SDK leaves such a request waiting for its timeout (the stream of a POST is cut, or closed too early). Here the stream
 * gets a JSON-RPC error for that request as its last event. Streams with event ids can be resumed by the SDK and are left
 * alone, as is everything that is not the event stream of a POST.
 */
export function answerOrFail(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		const response = await fetch(input, init);
		const id = requestId(init);
		const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
		if (id === undefined || !isStream || !response.ok || response.body === null) return response;
		const { status, statusText, headers } = response;
		return new Response(guarded(response.body, id), { status, statusText, headers });
	};
}

function requestId(init: RequestInit | undefined): number | string | undefined {
	if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
	const message: unknown = JSON.parse(init.body);
	if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message)) return undefined;
	return typeof message.id === 'number' || typeof message.id === 'string' ? message.id : undefined;
}

function guarded(body: ReadableStream<Uint8Array>, id: number | string): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const answer = new RegExp(`"id"\\s*:\\s*${JSON.stringify(id)}\\s*[,}]`);
	let tail = '';
	let settled = false;
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { value, done } = await read(reader);
			if (value !== undefined) {
				const text = tail + decoder.decode(value, { stream: true });
				settled ||= answer.test(text) || /^id:/m.test(text);
				tail = text.slice(-OVERLAP);
				controller.enqueue(value);
			}
			if (!done) return;
			if (!settled) controller.enqueue(new TextEncoder().encode(failure(id)));
			controller.close();
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

/** A cut stream counts as ended: what the SDK makes of the error is to reconnect, which would lose the request. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<{ value?: Uint8Array; done: boolean }> {
	try {
		return await reader.read();
	} catch {
		return { done: true };
	}
}

function failure(id: number | string): string {
	const error = { code: -32000, message: 'Connection closed before the answer came' };
	return `\n\nevent: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`;
}
