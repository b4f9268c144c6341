import { isDeepStrictEqual } from 'node:util';
import type { ToolFile, ToolOutput } from '../core/tool';
import { readJson } from './read-json';

const EXTENSIONS: { readonly [mediaType: string]: string } = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif',
	'image/webp': 'webp', 'image/svg+xml': 'svg', 'audio/mpeg': 'mp3', 'audio/wav': 'wav', 'application/pdf': 'pdf', 'text/csv': 'csv',
	'application/json': 'json' };

/**
 * Turns the result of a call into a tool output.
 *
 * Text stays text; pictures, sound and embedded files become files with a note in the text; links become a line. Structured
 * content is the data; its JSON is the text when no text came, or when the text says the same; when both differ the model
 * gets both. A single text that is a JSON object or list is the data as well. Unknown kinds of content are shown as JSON.
 */
export function toToolOutput(result: Record<string, unknown>): ToolOutput {
	const blocks = Array.isArray(result.content) ? result.content.filter(isBlock) : [];
	const files: ToolFile[] = [];
	const texts = blocks.map((block) => textOfBlock(block, files)).filter((text) => text !== '');
	const written = texts.join('\n');
	const structured = result.structuredContent;
	const parsed = blocks.length === 1 && blocks[0]?.type === 'text' ? parsedJson(written) : undefined;
	const data = structured ?? parsed;
	const output = {
		text: joined(written, structured, parsed),
		...(result.isError === true && { isError: true }),
		...(data !== undefined && data !== null && { data }),
	};
	return files.length > 0 ? { ...output, files } : output;
}

interface Block {
	readonly type: string;
	readonly mimeType?: unknown;
	readonly [key: string]: unknown;
}

function isBlock(value: unknown): value is Block {
	return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function joined(written: string, structured: unknown, parsed: unknown): string {
	if (structured === undefined || structured === null) return written === '' ? 'Done. The tool returned no data.' : written;
	const json = JSON.stringify(structured);
	return written === '' || isDeepStrictEqual(parsed, structured) ? json : `${written}\n${json}`;
}

function parsedJson(text: string): unknown {
	return /^\s*[[{]/.test(text) ? readJson(text) : undefined;
}

function textOfBlock(block: Block, files: ToolFile[]): string {
	switch (block.type) {
		case 'text':
			return typeof block.text === 'string' ? block.text : '';
		case 'image':
		case 'audio':
			return addFile(block, files, { base: block.type, data: block.data });
		case 'resource':
			return resourceText(block.resource, files);
		case 'resource_link':
			return `[link ${String(block.name ?? '')}: ${String(block.uri ?? '')}]`;
		default:
			return JSON.stringify(block);
	}
}

function resourceText(resource: unknown, files: ToolFile[]): string {
	if (typeof resource !== 'object' || resource === null) return '';
	const { uri, text, blob, mimeType } = resource as Record<string, unknown>;
	if (typeof text === 'string') return text;
	const base = String(uri ?? '').split('/').at(-1) || 'resource';
	return typeof blob === 'string' ? addFile({ mimeType }, files, { base, data: blob }) : `[resource ${String(uri ?? '')}]`;
}

function addFile(block: { readonly mimeType?: unknown }, files: ToolFile[], { base, data }: { base: string; data: unknown }): string {
	if (typeof data !== 'string') return '';
	const mediaType = typeof block.mimeType === 'string' ? block.mimeType : 'application/octet-stream';
	const name = base.includes('.') ? base : `${base}_${files.length + 1}.${EXTENSIONS[mediaType] ?? 'bin'}`;
	files.push({ name, mediaType, data });
	return `[file ${name} (${mediaType}) is attached; its content is not shown here]`;
}
