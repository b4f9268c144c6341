import { isMusl } from '../../lib/inference/onnx-backend';

describe('the native library', () => {
	it.each([
		['linux', '', true],
		['linux', '2.36', false],
		['darwin', '', false],
		['win32', '', false],
	])('E01 on %s with glibc "%s": musl is %p, known before anything is loaded', (platform, glibc, expected) => {
		expect(isMusl(platform, glibc)).toBe(expected);
	});
});
