/** Keys as the common services write them, and anything that is introduced as one. */
const SECRETS: readonly [RegExp, string][] = [
	[/\b(?:sk|pk|rk|hf|gsk|xox[abp]|gh[pousr]|glpat)[-_][A-Za-z0-9_-]{12,}/g, '***'],
	[/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
	[/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, '***'],
	[/((?:api[-_ ]?key|password|passwd|mot de passe|secret|access[-_]?token)["']?\s*[:=]\s*["']?)[^\s"',;}]{4,}/gi, '$1***'],
	[/(:\/\/[^\s/:@]+:)[^\s/@]+@/g, '$1***@'],
];

/**
 * A text without secrets: the given ones, and what looks like a key, a token or a password. The same text always gives the same.
 *
 * @param known  secrets to take out wherever they stand; those under 4 characters are left alone
 */
export function redact(text: string, known: readonly string[] = []): string {
	const named = known.reduce((left, secret) => (secret.length < 4 ? left : left.replaceAll(secret, '***')), text);
	return SECRETS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), named);
}
