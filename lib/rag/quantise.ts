/** A vector as signed bytes: `values[i] × scale` is about the number it had; each vector has its own scale, so none is clipped. */
export interface QuantisedVector {
	readonly values: Int8Array;
	readonly scale: number;
}

/** Bytes of a row: the dimension, rounded up so that rows can be read 16 at a time; the rest is 0. */
export function rowBytes(dimension: number): number {
	return Math.ceil(dimension / 16) * 16;
}

/** Rounds a vector to bytes. A zero vector gives zeros and the scale 0. */
export function quantise(vector: Float32Array): QuantisedVector {
	const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	const values = new Int8Array(rowBytes(vector.length));
	if (!(largest > 0)) return { values, scale: 0 };
	const scale = largest / 127;
	for (let i = 0; i < vector.length; i++) values[i] = Math.round((vector[i] as number) / scale);
	return { values, scale };
}
