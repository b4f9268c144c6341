import type { DateTime } from 'luxon';
import { CodedError } from '../core/errors';

/** Which comes first in 03/04/2025: `en` month, `fr` day, `auto` asks when both are possible. */
export type DateLocale = 'auto' | 'en' | 'fr';

export interface DateSettings {
	/** IANA name, e.g. Europe/Paris; dates without their own zone are read in it. */
	readonly timezone: string;
	readonly locale: DateLocale;
}

const TIMES = ['', ' H:mm', ' H:mm:ss', " 'à' H:mm", " 'at' H:mm", " H'h'mm", " H'h'"];
const NAMED = ['d MMMM yyyy', 'd MMM yyyy', 'cccc d MMMM yyyy', 'MMMM d, yyyy', 'MMM d, yyyy', 'MMMM d yyyy', 'cccc, MMMM d, yyyy'];

/**
 * Reads a date as people write it: ISO, `31/12/2025`, `31 décembre 2025 14:30`, `December 31, 2025`.
 *
 * Without a time it is midnight in the timezone. `03/04/2025` is refused in `auto`; years have four digits.
 *
 * @throws CodedError BAD_INPUT with the question to ask, or when it is no date
 */
export async function readDate(text: string, settings: DateSettings): Promise<DateTime> {
	const luxon = await import('luxon');
	const trimmed = text.trim().replace(/\s+/g, ' ').replace(/\b1er\b/i, '1');
	const zone = { zone: settings.timezone };
	const iso = luxon.DateTime.fromISO(trimmed.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'), zone);
	if (iso.isValid && /^\d{4}-\d\d-\d\d/.test(trimmed)) return iso;
	const candidates = numericFormats(trimmed, settings.locale);
	const locales = candidates === undefined ? ['fr', 'en'] : ['en'];
	for (const locale of locales) {
		for (const format of candidates ?? NAMED) {
			for (const time of TIMES) {
				const date = luxon.DateTime.fromFormat(trimmed, format + time, { ...zone, locale });
				if (date.isValid) return date;
			}
		}
	}
	throw new CodedError('BAD_INPUT', `"${text}" is not a date that is understood.`, {
		remedy: 'Write it as 2025-12-31, with 2025-12-31T14:30 for a time.',
	});
}

/** Formats for a date in figures, or undefined when it has none. */
function numericFormats(text: string, locale: DateLocale): string[] | undefined {
	const match = /^(\d{1,2})([/.-])(\d{1,2})\2\d{4}\b/.exec(text);
	if (match === null) return undefined;
	const [, first = '', separator = '', second = ''] = match;
	const dayFirst = [`d${separator}M${separator}yyyy`];
	const monthFirst = [`M${separator}d${separator}yyyy`];
	if (first === second || separator === '.') return dayFirst;
	if (Number(first) > 12) return dayFirst;
	if (Number(second) > 12) return monthFirst;
	if (locale === 'auto') {
		throw new CodedError('BAD_INPUT', `Does "${text}" begin with the day or with the month? It can be read both ways.`, {
			remedy: 'Write it as 2025-12-31, or set locale to en (month first) or fr (day first).',
		});
	}
	return locale === 'fr' ? dayFirst : monthFirst;
}
