/** Writes small ONNX files, so that tests of local models need no download: just the protobuf fields that a runtime reads. */

export interface OnnxNode {
	readonly op: string;
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
	/** Whole numbers only. */
	readonly attributes?: { readonly [name: string]: number };
}

export type OnnxType = 'float' | 'int64';

export interface OnnxTensor {
	readonly name: string;
	readonly type: OnnxType;
	readonly dims: readonly number[];
	readonly values: readonly number[];
}

/** Dimensions are numbers, or names of lengths that are known at the run. */
export interface OnnxValue {
	readonly name: string;
	readonly type: OnnxType;
	readonly dims: readonly (number | string)[];
}

export interface OnnxGraph {
	readonly nodes: readonly OnnxNode[];
	readonly initializers: readonly OnnxTensor[];
	readonly inputs: readonly OnnxValue[];
	readonly outputs: readonly OnnxValue[];
}

const ELEMENT = { float: 1, int64: 7 } as const;

/** The bytes of a model file (IR version 8, operator set 17). */
export function onnxModel(graph: OnnxGraph): Buffer {
	const opset = field(2, 17);
	const body = Buffer.concat([
		...graph.nodes.map((node) => bytes(1, nodeOf(node))),
		bytes(2, 'g'),
		...graph.initializers.map((tensor) => bytes(5, tensorOf(tensor))),
		...graph.inputs.map((value) => bytes(11, valueOf(value))),
		...graph.outputs.map((value) => bytes(12, valueOf(value))),
	]);
	return Buffer.concat([field(1, 8), bytes(7, body), bytes(8, opset)]);
}

function nodeOf({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
	const named = Object.entries(attributes).map(([name, value]) => bytes(5, Buffer.concat([bytes(1, name), field(3, value), field(20, 2)])));
	return Buffer.concat([...inputs.map((name) => bytes(1, name)), ...outputs.map((name) => bytes(2, name)), bytes(4, op), ...named]);
}

function tensorOf({ name, type, dims, values }: OnnxTensor): Buffer {
	const raw = type === 'float' ? Float32Array.from(values) : BigInt64Array.from(values.map((value) => BigInt(value)));
	return Buffer.concat([...dims.map((dim) => field(1, dim)), field(2, ELEMENT[type]), bytes(8, name), bytes(9, Buffer.from(raw.buffer))]);
}

function valueOf({ name, type, dims }: OnnxValue): Buffer {
	const shape = Buffer.concat(dims.map((dim) => bytes(1, typeof dim === 'number' ? field(1, dim) : bytes(2, dim))));
	const tensor = Buffer.concat([field(1, ELEMENT[type]), bytes(2, shape)]);
	return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensor))]);
}

function field(number: number, value: number): Buffer {
	return Buffer.concat([varint(number << 3), varint(value)]);
}

function bytes(number: number, content: Buffer | string): Buffer {
	const body = typeof content === 'string' ? Buffer.from(content) : content;
	return Buffer.concat([varint((number << 3) | 2), varint(body.length), body]);
}

/** Negative numbers take ten bytes, as two's complement of 64 bits. */
function varint(value: number): Buffer {
	let rest = BigInt.asUintN(64, BigInt(value));
	const parts: number[] = [];
	do {
		const low = Number(rest & 0x7fn);
		rest >>= 7n;
		parts.push(rest > 0n ? low | 0x80 : low);
	} while (rest > 0n);
	return Buffer.from(parts);
}
