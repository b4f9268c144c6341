import type { DateTime } from 'luxon';
import { CodedError } from '../core/errors';

/** A stretch of whole days; both ends belong to it. */
export interface Period {
	readonly from: DateTime;
	readonly to: DateTime;
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

const UNITS: readonly (readonly [RegExp, Unit])[] = [
	[/\b(days?|jours?)\b/, 'day'],
	[/\b(weeks?|semaines?)\b/, 'week'],
	[/\b(months?|mois)\b/, 'month'],
	[/\b(quarters?|trimestres?)\b/, 'quarter'],
	[/\b(years?|ans?|annees?)\b/, 'year'],
];
const NAMED_DAYS: { readonly [name: string]: number } = { today: 0, "aujourd'hui": 0, yesterday: -1, hier: -1, tomorrow: 1, demain: 1,
	'avant-hier': -2, 'day before yesterday': -2, 'apres-demain': 2, 'day after tomorrow': 2 };
const MONTHS = [
	['january', 'janvier', 'jan'], ['february', 'fevrier', 'feb'], ['march', 'mars', 'mar'], ['april', 'avril', 'apr'],
	['may', 'mai'], ['june', 'juin', 'jun'], ['july', 'juillet', 'jul'], ['august', 'aout', 'aug'],
	['september', 'septembre', 'sep', 'sept'], ['october', 'octobre', 'oct'], ['november', 'novembre', 'nov'],
	['december', 'decembre', 'dec'],
];

/**
 * Finds the whole days that a period in words covers, in English or French.
 *
 * Understood: today, yesterday, avant-hier… · this / last / next day, week, month, quarter, year (`dernier trimestre`: the
 * calendar quarter before the one that holds `reference`) · last 30 days, 3 derniers mois (whole units that end with the
 * reference's day, or before its unit) · 2025 · 2025-03 · Q2 2025, T2 2025, 2e trimestre 2025 · March 2025, mars 2025 · 1er semestre
 * 2025, first half of 2025 · début / mi / fin janvier, end of last month: of a month the days 1-10, 11-20 and from 21 on, of longer
 * periods their first, middle and last third · year to date, depuis le début du mois.
 *
 * @throws CodedError BAD_INPUT when it is not understood
 */
export function resolvePeriod(text: string, reference: DateTime): Period {
	const plain = fold(text);
	const period = namedDay(plain, reference) ?? partOf(plain, reference) ?? toDate(plain, reference) ?? calendarPeriod(plain, reference) ?? relativePeriod(plain, reference);
	if (period !== undefined) return period;
	throw new CodedError('BAD_INPUT', `"${text}" is not a period that is understood.`, {
		remedy: 'Say for example "last quarter", "3 derniers mois", "Q2 2025", "mars 2025" or "2025".',
	});
}

function fold(text: string): string {
	const bare = text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’`]/g, "'").toLowerCase();
	return bare.replace(/\s+/g, ' ').trim().replace(/^((the|le|la|les|au|en|in|during|pendant) |l')/, '');
}

function namedDay(text: string, reference: DateTime): Period | undefined {
	const days = Object.hasOwn(NAMED_DAYS, text) ? NAMED_DAYS[text] : undefined;
	return days === undefined ? undefined : whole(reference.plus({ days }), 'day');
}

/** Thirds of a month or of a longer period. */
function partOf(text: string, reference: DateTime): Period | undefined {
	const match = /^(debut|early|beginning of|start of|mi-?|mid-?|middle of|milieu|fin|late|end of)\s*(?:de |du |d'|of )?(?:the |le |la |l')?(.+)$/.exec(text);
	if (match === null) return undefined;
	const [, word = '', of = ''] = match;
	const within = calendarPeriod(of, reference) ?? relativePeriod(of, reference) ?? bareUnit(of, reference);
	if (within === undefined) return undefined;
	const days = Math.round(within.to.diff(within.from, 'days').days) + 1;
	const months = Math.round(days / 30.4);
	const third = months >= 3 ? { months: Math.round(months / 3) } : { days: months === 1 ? 10 : Math.round(days / 3) };
	const first = within.from.plus(third);
	const second = first.plus(third);
	if (/^(debut|early|beg|start)/.test(word)) return { from: within.from, to: first.minus({ days: 1 }) };
	if (/^(mi|mid)/.test(word)) return { from: first, to: second.minus({ days: 1 }) };
	return { from: second, to: within.to };
}

/** `mois`, `year`: the one that holds the reference. */
function bareUnit(text: string, reference: DateTime): Period | undefined {
	const unit = /^\S+$/.test(text) ? UNITS.find(([pattern]) => pattern.test(text))?.[1] : undefined;
	return unit === undefined ? undefined : whole(reference, unit);
}

/** From the start of the year, quarter, month or week up to the reference's day. */
function toDate(text: string, reference: DateTime): Period | undefined {
	const match = /^(?:(\w+) to date|since the (?:start|beginning) of the (\w+)|depuis (?:le )?debut (?:de l'|du |de la |de )?(\w+))$/.exec(text);
	const name = match?.slice(1).find((word) => word !== undefined);
	const unit = name === undefined ? undefined : bareUnit(name, reference);
	return unit && { from: unit.from, to: reference.startOf('day') };
}

function whole(date: DateTime, unit: Unit): Period {
	return { from: date.startOf(unit), to: date.endOf(unit).startOf('day') };
}

function calendarPeriod(text: string, reference: DateTime): Period | undefined {
	const year = /\b(\d{4})\b/.exec(text)?.[1];
	const rest = year === undefined ? text : text.replace(year, '').replace(/^[\s-]+|[\s-]+$/g, '');
	const at = (month: number): DateTime => reference.set({ year: Number(year ?? reference.year), month, day: 1 });
	if (year !== undefined && rest === '') return whole(at(1), 'year');
	if (year !== undefined && /^(0?[1-9]|1[0-2])$/.test(rest)) return whole(at(Number(rest)), 'month');
	const quarter = /^(?:[qt]([1-4])|([1-4])(?:er|e|eme|st|nd|rd|th)? (?:trimestre|quarter))(?: (?:de|of))?$/.exec(rest);
	if (quarter !== null) return whole(at(Number(quarter[1] ?? quarter[2]) * 3 - 2), 'quarter');
	const half = /^(?:[hs]([12])|([12])(?:er|e|eme|nd)? semestre|(first|premier|second|deuxieme) (?:half|semestre))(?: (?:de|of))?$/.exec(rest);
	if (half !== null) {
		const first = half[1] === '1' || half[2] === '1' || /^(first|premier)$/.test(half[3] ?? '');
		return { from: at(first ? 1 : 7), to: at(first ? 6 : 12).endOf('month').startOf('day') };
	}
	const month = MONTHS.findIndex((names) => names.includes(rest));
	return month < 0 ? undefined : whole(at(month + 1), 'month');
}

const NUMBER_WORDS = [['one', 'un', 'une'], ['two', 'deux'], ['three', 'trois'], ['four', 'quatre'], ['five', 'cinq'], ['six'], ['seven', 'sept'],
	['eight', 'huit'], ['nine', 'neuf'], ['ten', 'dix'], ['eleven', 'onze'], ['twelve', 'douze']];
/** All that a relative period may be made of; any other word (`not`, `fiscal`, `before`) would change what it means. */
const RELATIVE_WORDS = new Set((
	'day days jour jours week weeks semaine semaines month months mois quarter quarters trimestre trimestres year years an ans annee annees ' +
	'last previous past dernier derniere derniers dernieres precedent precedente precedents precedentes passe passee passes passees ' +
	'next coming prochain prochaine prochains prochaines suivant suivante suivants suivantes this current ce cet cette ci cours courant courante ' +
	'the le la les l des du de d of over during in en au dans sur'
).split(' '));

function relativePeriod(given: string, reference: DateTime): Period | undefined {
	const words = given.split(/[\s'-]+/).map((word) => {
		const number = NUMBER_WORDS.findIndex((names) => names.includes(word));
		return number < 0 ? word : String(number + 1);
	});
	const text = words.join(' ');
	const unit = words.every((word) => RELATIVE_WORDS.has(word) || /^\d{1,3}$/.test(word)) ? UNITS.find(([pattern]) => pattern.test(text))?.[1] : undefined;
	const counts = words.filter((word) => /^\d/.test(word)).map(Number);
	if (unit === undefined || counts.length > 1 || counts[0] === 0) return undefined;
	const counted = counts.length === 1;
	const count = counts[0] ?? 1;
	if (/\b(last|previous|past|dernier|derniere|derniers|dernieres|precedent|precedente|precedents|passe|passee)\b/.test(text)) {
		return counted ? pastUnits(unit, count, reference) : whole(shift(reference, unit, -1), unit);
	}
	if (/\b(next|coming|prochain|prochaine|prochains|prochaines|suivant|suivante)\b/.test(text)) {
		const first = shift(reference, unit, 1).startOf(unit);
		return { from: first, to: shift(first, unit, count).minus({ days: 1 }) };
	}
	return /^(this|current|ce|cet|cette)\b|\b(en cours|courant|courante)\b/.test(text) ? whole(reference, unit) : undefined;
}

/** The last N days include today; the last N months are the N whole months before this one. */
function pastUnits(unit: Unit, count: number, reference: DateTime): Period {
	if (unit === 'day') return { from: reference.minus({ days: count - 1 }).startOf('day'), to: reference.startOf('day') };
	const end = reference.startOf(unit);
	return { from: shift(end, unit, -count), to: end.minus({ days: 1 }) };
}

function shift(date: DateTime, unit: Unit, count: number): DateTime {
	return date.plus({ [`${unit}s`]: count });
}
