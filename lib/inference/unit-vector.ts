/** Divides a vector by its length, so that a dot product is a cosine; a zero vector stays zero. Changes and returns it. */
export function toUnit<T extends ArrayBufferLike>(vector: Float32Array<T>): Float32Array<T> {
	let squares = 0;
	for (const value of vector) squares += value * value;
	const length = Math.sqrt(squares);
	if (length > 0) for (let i = 0; i < vector.length; i += 1) vector[i] = vector[i]! / length;
	return vector;
}
