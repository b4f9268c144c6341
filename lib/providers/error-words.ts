import { isRecord, jsonOf } from './json';

const QUOTED_CHARACTERS = 300;

/** The message inside an error body; the body itself when it has none. */
export function wordsOf(body: string): string {
	return deepMessage(jsonOf(body)) ?? body;
}

function deepMessage(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) {
		const all = value.map(deepMessage).filter((text) => text !== undefined);
		return all.length > 0 ? all.join('; ') : undefined;
	}
	if (!isRecord(value)) return undefined;
	for (const key of ['error', 'message', 'detail', 'msg']) {
		const text = deepMessage(value[key]);
		if (text !== undefined) return text;
	}
	return undefined;
}

/** One line of at most 300 characters, the key replaced by ***. */
export function quote(text: string, apiKey: string | undefined): string {
	const safe = apiKey ? text.replaceAll(apiKey, '***') : text;
	const line = safe.replace(/\s+/g, ' ').trim();
	return line.length > QUOTED_CHARACTERS ? `${line.slice(0, QUOTED_CHARACTERS)}…` : line || '(no message)';
}

/** The messages of a failed fetch from outside to inside, since Node hides the real one in `cause`; at most five. */
export function causesOf(error: unknown): string {
	const texts: string[] = [];
	for (let at: unknown = error; at && texts.length < 5; at = isRecord(at) ? at['cause'] : undefined) {
		texts.push(textOf(at));
	}
	return texts.join(': ');
}

/** By shape, not by class: errors of fetch may belong to another realm. */
function textOf(error: unknown): string {
	if (!isRecord(error)) return String(error);
	const code = typeof error['code'] === 'string' ? error['code'] : '';
	const message = typeof error['message'] === 'string' ? error['message'] : String(error['name'] ?? 'unknown error');
	return code && !message.includes(code) ? `${message} ${code}`.trim() : message;
}
