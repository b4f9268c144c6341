/** Names of secrets before `:` or `=`, in English and French. */
const NAMES = String.raw`(?:api[-_ ]?key|pass(?:word|wd|phrase)|\bpwd|\bmdp|mot[-_ ]?de[-_ ]?passe|secret(?:[-_]?key)?|(?:private|access)[-_ ]?key|(?:access|refresh|auth|id|bearer|session)[-_ ]?token|cl[ée]f?[-_ ]?(?:(?:d['’])?api|secr[eè]te|priv[ée]e))`;
/** Between name and value; in JSON within JSON quotes have backslashes before them. */
const IS = String.raw`\\*["']?\s*(?:=>|[:=])\s*`;

/** Keys as the common services write them, and anything that is introduced as one. */
const SECRETS: readonly [RegExp, string][] = [
	[/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '***'],
	[/\b(?:sk|pk|rk|hf|gsk|xox[abeoprs]|gh[pousr]|github_pat|glpat)[-_][A-Za-z0-9_-]{12,}/g, '***'],
	[/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}|\bSG\.[\w-]{16,}\.[\w-]{16,}/g, '***'],
	[/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
	[/\beyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,3}/g, '***'],
	// In quotes all that they hold, else a word.
	[new RegExp(`(${NAMES}${IS}(\\\\*)(["']))[^\\n]{1,500}?(?=(?<!\\\\)\\2\\3)`, 'gi'), '$1***'],
	[new RegExp(`(${NAMES}${IS}(?:\\\\*["']|«\\s*)?)[^\\s"',;}\\\\«»*]{4,}`, 'gi'), '$1***'],
	[/((?:password|passwd|passphrase|mot de passe|mdp)\s{1,3}(?:is|est)\s{0,3}:?\s{0,3}["'«]?\s{0,3})(?=[^\s"'»]{0,100}[\d!@#$%^&*_])[^\s"'»]{4,}/gi, '$1***'],
	[/((?:^|[^\p{L}\p{N}])(?:token|jeton)\\*["']?\s*[:=]\s*\\*["']?)(?=[^\s"'\\]*\d)[\w.~+/=-]{8,}/giu, '$1***'],
	[/((?:authorization|cookie)\\*["']?\s*[:=]\s*\\*["']?)(?!Bearer\b|Basic\b|\*)(?:(?:Token|ApiKey|Digest|Negotiate)\s+)?[^\s"',}\\]{4,}/gi, '$1***'],
	[/([?&](?:key|token|sig|signature|auth|pwd|pass|code)=)[^\s&"'#<>)\]]{4,}/gi, '$1***'],
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

/** Words of a field name that say that its value is a secret. */
const SECRET_NAME = /(?:^| )(?:password|passwd|pwd|passphrase|mdp|mot de passe|motdepasse|secrets?|authorization|cookie|api ?key|(?:private|access|client) key|credentials?|cle(?:f)? (?:d )?(?:api|secrete|privee)|cleapi)(?: |$)|(?:^| )(?:token|jeton|jeton d acces)$/;

function isSecretName(name: string): boolean {
	const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
	return SECRET_NAME.test(words.replace(/[^a-z\d]+/g, ' ').trim());
}

/** A plain JSON value without secrets: texts as by `redact`, and texts and numbers under a name that says so, at any depth. */
export function redactValue<Value>(value: Value): Value {
	return cleaned(value, false) as Value;
}

function cleaned(value: unknown, isSecret: boolean): unknown {
	if (typeof value === 'string') return isSecret && value !== '' ? '***' : redact(value);
	if (typeof value === 'number') return isSecret ? '***' : value;
	if (Array.isArray(value)) return value.map((one) => cleaned(one, isSecret));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), cleaned(inner, isSecret || isSecretName(name))]));
}
