/** Most texts and characters in one message to the host process: either way it is packed and unpacked in some milliseconds. */
const SLICE_TEXTS = 256;
const SLICE_CHARACTERS = 256 * 1024;
/** The next slice waits at the host while one is worked on. */
const AT_ONCE = 2;

/**
 * Works on texts slice by slice and gives the results in the order of the texts.
 *
 * Texts of like length come together, so that little is padded. After a failure no further slice is begun; it throws what `fn` throws.
 *
 * @param fn  gives one result for each text of a slice
 */
export async function inSlices<R>(texts: readonly string[], fn: (slice: readonly string[]) => Promise<readonly R[]>): Promise<R[]> {
	const slices = slicesOf(texts);
	const results = new Array<R>(texts.length);
	let next = 0;
	const work = async (): Promise<void> => {
		for (let slice = slices[next++]; slice; slice = slices[next++]) {
			const found = await fn(slice.map((at) => texts[at]!));
			slice.forEach((at, i) => (results[at] = found[i]!));
		}
	};
	const stop = (error: unknown): Promise<never> => {
		next = slices.length;
		return Promise.reject(error);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, async () => await work().catch(stop)));
	return results;
}

/** Positions of the texts, slice by slice, the shortest first. */
function slicesOf(texts: readonly string[]): number[][] {
	const slices: number[][] = [];
	let room = 0;
	for (const at of [...texts.keys()].sort((a, b) => texts[a]!.length - texts[b]!.length)) {
		const last = slices.at(-1);
		const length = texts[at]!.length;
		if (last && last.length < SLICE_TEXTS && length <= room) {
			last.push(at);
			room -= length;
		} else {
			slices.push([at]);
			room = SLICE_CHARACTERS - length;
		}
	}
	return slices;
}
