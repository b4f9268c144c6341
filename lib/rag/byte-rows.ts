/**
 * Rows of signed bytes in one block of memory, and their scalar products with a query: the exact scan of the embedded store.
 *
 * A WebAssembly kernel of a few lines (`dot-kernel.c`) does it, 16 bytes at a time; where WebAssembly or its SIMD is missing the
 * same is done in JavaScript, some ten times slower. Rows are only appended; who removes one skips it in the results.
 */
import { DOT_KERNEL } from './dot-kernel-bytes';
import { quantise, rowBytes } from './quantise';

export interface ByteRows {
	readonly count: number;
	/** @param values  as many as the dimension, rounded up to 16 */
	append(values: Uint8Array, scale: number): void;
	/**
	 * About the cosine of a query with every row, or with the chosen ones, in their order; both are unit vectors. The list is that
	 * of the block: the next call and the next row change it.
	 */
	scores(query: Float32Array, chosen?: Int32Array): Float32Array;
}

export interface ByteRowsOptions {
	/** Rows that will come, as far as it is known. */
	readonly expected?: number;
	/** Default true, where it is there. */
	readonly webAssembly?: boolean;
}

/** The part of WebAssembly that is used: its types come with those of browsers only. */
interface WasmMemory {
	readonly buffer: ArrayBuffer;
	grow(pages: number): number;
}
interface WasmEngine {
	validate(bytes: Uint8Array): boolean;
	readonly Module: new (bytes: Uint8Array) => object;
	readonly Memory: new (size: { initial: number }) => WasmMemory;
	readonly Instance: new (module: object, imports: { env: { memory: WasmMemory } }) => { readonly exports: unknown };
}

interface Kernel {
	scan_all(rows: number, query: number, dimension: number, count: number, products: number): void;
	scan_some(rows: number, query: number, dimension: number, count: number, products: number, chosen: number): void;
}

/** Below it lies the kernel's own stack. */
const FIRST_BYTE = 65_536;
const PAGE = 65_536;

const engine = (globalThis as { WebAssembly?: WasmEngine }).WebAssembly;
let compiled: object | null | undefined;

/** The compiled kernel; null where it cannot run. */
function kernelModule(): object | null {
	if (compiled !== undefined) return compiled;
	const bytes = Buffer.from(DOT_KERNEL, 'base64');
	compiled = engine?.validate(bytes) ? new engine.Module(bytes) : null;
	return compiled;
}

/** An empty block for vectors of `dimension` numbers. */
export function createByteRows(dimension: number, options: ByteRowsOptions = {}): ByteRows {
	const { expected = 0, webAssembly = true } = options;
	const module = webAssembly ? kernelModule() : null;
	return engine && module ? new WasmRows({ engine, module }, dimension, expected) : new PlainRows(dimension, expected);
}

abstract class Rows implements ByteRows {
	protected readonly width: number;
	protected scales: Float32Array;
	count = 0;

	constructor(dimension: number, expected: number) {
		this.width = rowBytes(dimension);
		this.scales = new Float32Array(Math.max(64, expected));
	}

	append(values: Uint8Array, scale: number): void {
		this.reserve(this.count + 1);
		if (this.count === this.scales.length) {
			const larger = new Float32Array(Math.ceil(this.count * 1.5));
			larger.set(this.scales);
			this.scales = larger;
		}
		this.place(values, this.count);
		this.scales[this.count] = scale;
		this.count += 1;
	}

	scores(query: Float32Array, chosen?: Int32Array): Float32Array {
		const { values, scale } = quantise(query);
		const products = this.products(values, chosen);
		// In the place of the products: 400 kB for each search of 100,000 rows would be garbage before the collector wakes.
		const scores = new Float32Array(products.buffer, products.byteOffset, products.length);
		for (let i = 0; i < scores.length; i++) {
			scores[i] = (products[i] as number) * scale * (this.scales[chosen ? (chosen[i] as number) : i] as number);
		}
		return scores;
	}

	protected abstract reserve(rows: number): void;
	protected abstract place(values: Uint8Array, row: number): void;
	protected abstract products(query: Int8Array, chosen: Int32Array | undefined): Int32Array<ArrayBuffer>;
}

class WasmRows extends Rows {
	private readonly memory: WasmMemory;
	private readonly kernel: Kernel;
	private bytes: Uint8Array;

	constructor({ engine: wasm, module }: { engine: WasmEngine; module: object }, dimension: number, expected: number) {
		super(dimension, expected);
		this.memory = new wasm.Memory({ initial: this.pagesFor(expected) });
		this.kernel = new wasm.Instance(module, { env: { memory: this.memory } }).exports as unknown as Kernel;
		this.bytes = new Uint8Array(this.memory.buffer);
	}

	/** Query and products stand behind the rows, 4 bytes of a product for each. */
	private pagesFor(rows: number): number {
		return Math.ceil((FIRST_BYTE + (rows + 1) * (this.width + 4) + 64) / PAGE);
	}

	protected reserve(rows: number): void {
		const have = this.memory.buffer.byteLength / PAGE;
		if (this.pagesFor(rows) <= have) return;
		this.memory.grow(Math.max(this.pagesFor(Math.ceil(rows * 1.1)), have + 1) - have);
		this.bytes = new Uint8Array(this.memory.buffer);
	}

	protected place(values: Uint8Array, row: number): void {
		this.bytes.set(values, FIRST_BYTE + row * this.width);
	}

	protected products(query: Int8Array, chosen: Int32Array | undefined): Int32Array<ArrayBuffer> {
		const queryAt = FIRST_BYTE + this.count * this.width;
		const productsAt = queryAt + this.width;
		const count = chosen?.length ?? this.count;
		this.bytes.set(new Uint8Array(query.buffer, query.byteOffset, query.length), queryAt);
		const products = new Int32Array(this.memory.buffer, productsAt, count);
		if (chosen) {
			products.set(chosen);
			this.kernel.scan_some(FIRST_BYTE, queryAt, this.width, count, productsAt, productsAt);
		} else {
			this.kernel.scan_all(FIRST_BYTE, queryAt, this.width, count, productsAt);
		}
		return products;
	}
}

class PlainRows extends Rows {
	private bytes: Int8Array;

	constructor(dimension: number, expected: number) {
		super(dimension, expected);
		this.bytes = new Int8Array(Math.max(64, expected) * this.width);
	}

	protected reserve(rows: number): void {
		if (rows * this.width <= this.bytes.length) return;
		const larger = new Int8Array(Math.ceil(rows * 1.1) * this.width);
		larger.set(this.bytes);
		this.bytes = larger;
	}

	protected place(values: Uint8Array, row: number): void {
		this.bytes.set(new Int8Array(values.buffer, values.byteOffset, values.length), row * this.width);
	}

	protected products(query: Int8Array, chosen: Int32Array | undefined): Int32Array<ArrayBuffer> {
		const products = new Int32Array(chosen?.length ?? this.count);
		for (let n = 0; n < products.length; n++) {
			const from = (chosen ? (chosen[n] as number) : n) * this.width;
			let sum = 0;
			for (let i = 0; i < this.width; i++) sum += (this.bytes[from + i] as number) * (query[i] as number);
			products[n] = sum;
		}
		return products;
	}
}
