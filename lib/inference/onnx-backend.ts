import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Makes Transformers.js loadable in this process and says which runtime it will use. Call before its first require.
 *
 * Transformers.js requires onnxruntime-node when it is loaded, so where that library cannot be loaded (musl, old glibc) nothing
 * of it works. There the WebAssembly runtime, which is installed with it anyway, takes the place of onnxruntime-node in the module
 * cache. Both packages are looked up from Transformers.js, since n8n installs them below it.
 *
 * @param force  true takes WebAssembly although the native library would load
 */
export function installOnnxBackend(force: boolean): 'native' | 'wasm' {
	const resolver = createRequire(require.resolve('@huggingface/transformers'));
	const entry = resolver.resolve('onnxruntime-node');
	if (!force && !isMusl() && loadsNatively(resolver)) return 'native';
	const web = resolver('onnxruntime-web') as OnnxWeb;
	// Without a path of its own it would fetch its binary from a public server.
	web.env.wasm.wasmPaths = pathToFileURL(path.dirname(resolver.resolve('onnxruntime-web')) + path.sep).href;
	web.env.wasm.numThreads = 1;
	const replacement = new Module(entry);
	replacement.filename = entry;
	replacement.loaded = true;
	replacement.exports = facadeOver(web);
	require.cache[entry] = replacement as NodeJS.Module;
	return 'wasm';
}

/**
 * Linux without glibc, as in the Alpine images. The native library is made for glibc: trying to load it there may end the process, so it is
 * not tried.
 *
 * @param glibc  version of glibc that Node runs on; '' for none
 */
export function isMusl(platform: string = process.platform, glibc: string = glibcVersion()): boolean {
	return platform === 'linux' && glibc === '';
}

function glibcVersion(): string {
	Object.assign(process.report, { excludeNetwork: true });
	const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
	return header?.glibcVersionRuntime ?? '';
}

interface OnnxWeb {
	readonly env: { readonly wasm: { wasmPaths?: string; numThreads?: number } };
	readonly Tensor: unknown;
	readonly InferenceSession: { create(model: unknown, options: object): Promise<unknown> };
}

function loadsNatively(resolver: NodeJS.Require): boolean {
	try {
		resolver('onnxruntime-node');
		return true;
	} catch (error) {
		process.stderr.write(`onnxruntime-node cannot be loaded, WebAssembly is used: ${String(error)}\n`);
		return false;
	}
}

function facadeOver(web: OnnxWeb): object {
	return {
		...web,
		env: web.env,
		Tensor: web.Tensor,
		listSupportedBackends: () => [{ name: 'cpu', bundled: true }],
		InferenceSession: {
			create: async (model: unknown, options: object = {}) =>
				await web.InferenceSession.create(model, { ...options, ...externalData(model), executionProviders: ['wasm'] }),
		},
	};
}

/** Weights beside the model file (`model.onnx_data`, `model.onnx_data_1` …): WebAssembly has no files, so they are handed over. */
function externalData(model: unknown): object {
	if (typeof model !== 'string') return {};
	const name = path.basename(model);
	const files = readdirSync(path.dirname(model)).filter((file) => file.startsWith(`${name}_data`));
	if (files.length === 0) return {};
	return { externalData: files.map((file) => ({ path: file, data: readFileSync(path.join(path.dirname(model), file)) })) };
}
