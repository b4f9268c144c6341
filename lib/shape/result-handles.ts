import { CodedError } from '../core/errors';

/** Results that are kept, in characters of all together; the oldest go first. */
const MOST_CHARACTERS = 20_000_000;
const REFERENCE = /^\s*\{\{\s*(result_[a-z0-9]+)\s*\}\}\s*$/;

/**
 * Long results by handle: the model reads the beginning, pages through the rest, and can pass the whole on to another tool
 * without writing it out, as the argument `{{result_1}}`.
 *
 * Lives in memory for one run. A handle that is no longer known is an error that says so; it never stands for an empty text.
 */
export class ResultHandles {
	private readonly kept = new Map<string, string>();
	private made = 0;
	private size = 0;

	/**
	 * @param mark  lower-case letters and digits, other ones for each run of a process: a model that still knows a handle of an earlier
	 *              one (the run went on elsewhere) must not be given another result under the same name
	 */
	constructor(private readonly mark = '') {}

	/** The text itself when it is within `most` characters, else its beginning with the handle and how to go on. */
	cut(text: string, most: number): string {
		if (text.length <= most) return text;
		const handle = this.keep(text);
		const note = `… (${text.length} characters in all, this is the beginning; the handle of the whole is ${handle}. `
			+ `To pass the whole on to a tool of this server, give {{${handle}}} as the argument.)`;
		return `${text.slice(0, Math.max(0, most))}\n${note}`;
	}

	/** The text with a line before it that says how to pass it on, when it is longer than `most` characters. */
	announce(text: string, most: number): string {
		if (text.length <= most) return text;
		return `[${text.length} characters; to pass the whole on to a tool of this server, give {{${this.keep(text)}}} as the argument]\n${text}`;
	}

	/** Keeps a text and gives its handle. */
	keep(text: string): string {
		this.made += 1;
		const handle = `result_${this.made}${this.mark}`;
		this.kept.set(handle, text);
		this.size += text.length;
		for (const [oldest, old] of this.kept) {
			if (this.size <= MOST_CHARACTERS || oldest === handle) break;
			this.kept.delete(oldest);
			this.size -= old.length;
		}
		return handle;
	}

	/** @throws CodedError BAD_INPUT when the handle is not known, with those that are */
	read(handle: string): string {
		const text = this.kept.get(handle);
		if (text !== undefined) return text;
		const known = [...this.kept.keys()].slice(-5).join(', ') || 'none';
		throw new CodedError('BAD_INPUT', `There is no result ${handle} any more; known are: ${known}. Call the tool that made it again.`);
	}

	/**
	 * A copy of `value` in which every text that is nothing but `{{result_1}}` is the whole result; other values stay what they
	 * are.
	 *
	 * @throws CodedError BAD_INPUT when a handle is not known
	 */
	fill<Value>(value: Value): Value {
		if (this.made === 0 && !JSON.stringify(value ?? null).includes('{{result_')) return value;
		return this.filled(value) as Value;
	}

	private filled(value: unknown): unknown {
		if (typeof value === 'string') {
			const handle = REFERENCE.exec(value)?.[1];
			return handle === undefined ? value : this.read(handle);
		}
		if (Array.isArray(value)) return value.map((entry) => this.filled(entry));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.filled(entry)]));
	}
}
