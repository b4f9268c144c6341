/*
 * Scalar products of one query with many rows of signed bytes, 16 at a time. All values lie in -127..127, so that two products fit
 * 16 bits. `dimension` is a multiple of 16. Compiled to the text in dot-kernel-bytes.ts by:
 *
 *   clang --target=wasm32 -O3 -msimd128 -fno-builtin -nostdlib -Wl,--no-entry -Wl,--import-memory -Wl,--strip-all -Wl,-z,stack-size=1024 \
 *     -Wl,--global-base=1024 -o dot-kernel.wasm dot-kernel.c && base64 -w0 dot-kernel.wasm
 */
#include <wasm_simd128.h>

static inline int dot(const signed char *row, const signed char *query, int dimension) {
	v128_t sum = wasm_i32x4_splat(0);
	for (int i = 0; i < dimension; i += 16) {
		v128_t a = wasm_v128_load(row + i);
		v128_t b = wasm_v128_load(query + i);
		v128_t pairs = wasm_i16x8_add(wasm_i16x8_extmul_low_i8x16(a, b), wasm_i16x8_extmul_high_i8x16(a, b));
		sum = wasm_i32x4_add(sum, wasm_i32x4_extadd_pairwise_i16x8(pairs));
	}
	return wasm_i32x4_extract_lane(sum, 0) + wasm_i32x4_extract_lane(sum, 1) + wasm_i32x4_extract_lane(sum, 2) +
		wasm_i32x4_extract_lane(sum, 3);
}

/* products[i] of row i for the first `count` rows. */
__attribute__((export_name("scan_all"))) void scan_all(const signed char *rows, const signed char *query, int dimension, int count,
	int *products) {
	for (int i = 0; i < count; i++) products[i] = dot(rows + (long)i * dimension, query, dimension);
}

/* products[i] of row chosen[i]; `products` may be the same place as `chosen`. */
__attribute__((export_name("scan_some"))) void scan_some(const signed char *rows, const signed char *query, int dimension, int count,
	int *products, const int *chosen) {
	for (int i = 0; i < count; i++) products[i] = dot(rows + (long)chosen[i] * dimension, query, dimension);
}
