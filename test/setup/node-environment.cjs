const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's Node environment with the outer realm's typed arrays: native onnxruntime checks tensors with instanceof, and a
 * Float32Array made inside Jest's own realm would be refused.
 */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		Object.assign(this.global, {
			ArrayBuffer,
			BigInt64Array,
			BigUint64Array,
			Float32Array,
			Float64Array,
			Int8Array,
			Int16Array,
			Int32Array,
			Uint8Array,
			Uint16Array,
			Uint32Array,
		});
	}
};
