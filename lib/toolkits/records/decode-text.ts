/**
 * The text of a file: UTF-8, UTF-16 with its mark, else Windows-1252, which is what Excel writes for CSV in western Europe. Every
 * file gives a text; only bytes that no encoding knows become �.
 */
export function decodeText(bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		// Not UTF-8: an accent of another encoding gave it away.
		return new TextDecoder('windows-1252').decode(bytes);
	}
}
