/**
 * A test for stored text (JSON or plain): does it hold one of these texts? Whatever the case of its letters, however its accents are
 * written, and also where JSON has escaped them. SQL cannot tell: SQLite knows the case of ASCII letters only.
 */
export function holderOf(texts: readonly string[]): (stored: string) => boolean {
	const wanted = [...new Set(texts.flatMap((text) => [plain(text), plain(JSON.stringify(text).slice(1, -1))]))].filter((text) => text !== '');
	return (stored) => {
		const all = plain(stored);
		return wanted.some((text) => all.includes(text));
	};
}

function plain(text: string): string {
	const unescaped = text.replace(/\\+u([\da-f]{4})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	return unescaped.normalize('NFC').toLowerCase();
}
