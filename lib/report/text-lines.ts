const LONGEST_LINE = 160;

/** The lines of a text, by the place of a letter. */
export class Lines {
	readonly all: readonly string[];
	private readonly starts: number[] = [0];

	constructor(text: string) {
		this.all = text.split('\n');
		for (const line of this.all) this.starts.push((this.starts.at(-1) ?? 0) + line.length + 1);
	}

	at(index: number): number {
		let [low, high] = [0, this.all.length];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if ((this.starts[middle] ?? 0) <= index) low = middle;
			else high = middle;
		}
		return low;
	}

	shown(index: number): string {
		const line = (this.all[this.at(index)] ?? '').trim();
		return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
	}
}
