/** Trimmed names on one line; empty ones become column_3, repeated ones get a number. */
export function columnNames(fields: readonly string[]): string[] {
	const seen = new Map<string, number>();
	return fields.map((field, index) => {
		const name = field.replace(/\s+/g, ' ').trim() || `column_${index + 1}`;
		const count = (seen.get(name) ?? 0) + 1;
		seen.set(name, count);
		return count === 1 ? name : `${name}_${count}`;
	});
}
