import { CodedError } from '../core/errors';
import type { Clock } from '../core/ports';
import type { Tool } from '../core/tool';
import { arithmeticTools } from './arithmetic';
import { calendarTools } from './calendar';
import { chartTools } from './chart';
import { dateTools } from './dates';
import { exactNumberTools } from './exact-numbers';
import { listTools } from './lists';
import type { NumberLocale } from './read-number';
import { statisticsTools } from './statistics';
import { textTools } from './text';
import { unitTools } from './units';

export type ToolGroup = 'arithmetic' | 'statistics' | 'numbers' | 'dates' | 'text' | 'lists' | 'units' | 'chart';

export interface GeneralSettings {
	readonly groups: readonly ToolGroup[];
	/** IANA name of the zone in which dates are read and shown. */
	readonly timezone: string;
	/** How numbers and dates are read when a call does not say. */
	readonly locale: NumberLocale;
	readonly clock: Pick<Clock, 'now'>;
}

const GROUPS: { readonly [group in ToolGroup]: (settings: GeneralSettings) => Tool[] } = {
	arithmetic: ({ locale }) => arithmeticTools(locale),
	statistics: () => statisticsTools(),
	numbers: ({ locale }) => exactNumberTools(locale),
	dates: (settings) => [...dateTools(settings), ...calendarTools(settings)],
	text: () => textTools(),
	lists: () => listTools(),
	units: () => unitTools(),
	chart: () => chartTools(),
};

/**
 * The general tools of the chosen groups, in the order of the groups.
 *
 * @throws CodedError BAD_INPUT when no group or an unknown one is chosen
 */
export function generalTools(settings: GeneralSettings): Tool[] {
	if (settings.groups.length === 0) {
		throw new CodedError('BAD_INPUT', 'No group of tools is chosen.', { remedy: 'Choose at least one group on the General Toolkit.' });
	}
	return settings.groups.flatMap((group) => {
		if (Object.hasOwn(GROUPS, group)) return GROUPS[group](settings);
		throw new CodedError('BAD_INPUT', `"${String(group)}" is not a group of tools.`, {
			remedy: `Choose among ${Object.keys(GROUPS).join(', ')}.`,
		});
	});
}
