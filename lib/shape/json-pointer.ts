/** Keys of a JSON pointer such as `/a/0/b`, unescaped; '' and '#' give []. A leading `#` is tolerated. */
export function pointerKeys(pointer: string): string[] {
	return pointer
		.replace(/^#/, '')
		.split('/')
		.slice(1)
		.map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
}

/** The pointer of a list of keys; [] gives ''. */
export function toPointer(keys: readonly string[]): string {
	return keys.map((key) => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}

/** The value under a pointer, or undefined when a part of the way is missing. Own properties only. */
export function valueAt(root: unknown, pointer: string): unknown {
	let current = root;
	for (const key of pointerKeys(pointer)) {
		if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
		current = (current as Record<string, unknown>)[key];
	}
	return current;
}

/** Replaces the value under a pointer in place; nothing happens at the root or when the parent is missing. */
export function replaceAt(root: unknown, pointer: string, value: unknown): void {
	const { parent, key } = parentOf(root, pointer);
	if (parent !== undefined) Object.defineProperty(parent, key, { value, ...PLAIN_PROPERTY });
}

/** Deletes a property of an object in place; list entries and missing parents are left alone. True when it was deleted. */
export function deleteAt(root: unknown, pointer: string): boolean {
	const { parent, key } = parentOf(root, pointer);
	if (parent === undefined || Array.isArray(parent)) return false;
	return delete parent[key];
}

const PLAIN_PROPERTY = { writable: true, enumerable: true, configurable: true };

function parentOf(root: unknown, pointer: string): { parent?: Record<string, unknown>; key: string } {
	const keys = pointerKeys(pointer);
	const key = keys.pop();
	if (key === undefined) return { key: '' };
	const parent = valueAt(root, toPointer(keys));
	return typeof parent === 'object' && parent !== null ? { parent: parent as Record<string, unknown>, key } : { key };
}
