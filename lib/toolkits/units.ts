import { createRequire } from 'node:module';
import type { MathJsInstance, Unit } from 'mathjs';
import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { foldAccents } from '../text/stem';
import { attempt } from './attempt';
import { makeTool } from './make-tool';

const LONGEST_UNIT = 60;

/** As people write units, French and English → as mathjs does. Keys are folded: lower case, no accents, no plural s. */
const NAMES: { readonly [name: string]: string } = {
	'°c': 'degC', celsius: 'degC', 'degre celsius': 'degC', '°f': 'degF', fahrenheit: 'degF', kelvin: 'K',
	metre: 'm', kilometre: 'km', centimetre: 'cm', millimetre: 'mm', pouce: 'inch', pied: 'foot', mile: 'mile', 'mille marin': '1852 m', 'nautical mile': '1852 m',
	litre: 'liter', l: 'liter', ml: 'milliliter', cl: 'centiliter', hl: 'hectoliter', m3: 'm^3', 'm³': 'm^3', cm3: 'cm^3', 'cm³': 'cm^3', m2: 'm^2', 'm²': 'm^2', km2: 'km^2', hectare: 'hectare', ha: 'hectare',
	kilo: 'kg', kilogramme: 'kg', gramme: 'g', tonne: 'tonne', t: 'tonne', livre: 'lb', pound: 'lb', ounce: 'oz',
	seconde: 'second', minute: 'minute', min: 'minute', heure: 'hour', h: 'hour', jour: 'day', semaine: 'week', an: 'year', annee: 'year', moi: 'month', mois: 'month',
	'km/h': 'km/hour', kmh: 'km/hour', 'kilometre par heure': 'km/hour', 'm/s': 'm/second', mph: 'mile/hour', noeud: '0.514444444444444 m/s', knot: '0.514444444444444 m/s',
	bar: 'bar', psi: 'psi', kwh: 'kWh', wh: 'Wh', ch: '735.49875 W', cv: '735.49875 W', hp: 'hp', octet: 'byte', ko: 'kB', mo: 'MB', go: 'GB', to: 'TB',
};

let instance: MathJsInstance | undefined;

function loadMath(): MathJsInstance {
	instance ??= (createRequire(__filename)('mathjs/lib/browser/math.js') as { create(config: object): MathJsInstance }).create({ number: 'number' });
	return instance;
}

/** Conversion between units of one quantity. */
export function unitTools(): Tool[] {
	return [
		makeTool<{ value: number; from: string; to: string }>({
			name: 'convert_units',
			intent: 'Converts a value from one unit to another: length, weight, time, speed, temperature, pressure, energy, volume, data.',
			description: 'Units as km, miles, °C, psi, bar, L, kWh, km/h, in English or French. No currencies. Returns {value, unit, from}.',
			input: {
				value: { type: 'number' },
				from: { type: 'string', description: 'For example km/h' },
				to: { type: 'string', description: 'For example m/s' },
			},
			tags: ['units'],
			run: ({ value, from, to }) => convert(value, from, to),
		}),
	];
}

function convert(value: number, from: string, to: string): object {
	const math = loadMath();
	const source = scaled(math, from);
	const target = scaled(math, to);
	const result = attempt(
		() => math.unit(value * source.factor, source.name).toNumber(target.name) / target.factor,
		() => new CodedError('BAD_INPUT', `"${from}" cannot be converted to "${to}": they measure different things.`),
	);
	return { value: Number(result.toPrecision(12)), unit: to, from: { value, unit: from } };
}

/** A unit that mathjs knows, and by how much it is multiplied: a horsepower is 735.49875 W. */
function scaled(math: MathJsInstance, written: string): { name: string; factor: number } {
	const [, factor = '1', name = ''] = /^(?:([\d.]+) )?(.*)$/.exec(known(written)) ?? [];
	const unit = attempt<Unit>(() => math.unit(name), () => unknownUnit(written));
	if (name.length > LONGEST_UNIT || unit.units.length === 0) throw unknownUnit(written);
	return { name, factor: Number(factor) };
}

function known(written: string): string {
	const text = written.trim().replace(/\s+/g, ' ');
	const folded = foldAccents(text.toLowerCase());
	const forms = [folded, folded.replace(/s$/, ''), folded.replace(/(^| )(\S+?)s(?= |$)/g, '$1$2')];
	const found = forms.find((form) => Object.hasOwn(NAMES, form));
	return found === undefined ? text.replace(/²/g, '^2').replace(/³/g, '^3') : (NAMES[found] ?? text);
}

function unknownUnit(written: string): CodedError {
	return new CodedError('BAD_INPUT', `"${written.slice(0, LONGEST_UNIT)}" is not a unit that is known.`, { remedy: 'Write it as km, kg, L, bar, kWh, km/h, degC…' });
}
