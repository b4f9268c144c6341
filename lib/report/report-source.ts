import type { RunReport } from '../core/run';

/** What a report is made of, and what of it is wanted. */

export interface ReportSource {
	readonly run: RunReport;
	/** Absent or '' takes the run's own answer. */
	readonly answer?: string;
	readonly question?: string;
	/** Passages as retrievers and compressors give them; other shapes are left out. */
	readonly documents?: readonly unknown[];
	/** What the run is called among others; absent takes the question. */
	readonly name?: string;
	/** Why it failed. */
	readonly error?: { readonly message: string; readonly remedy?: string };
	/** The question to a person that it ended with. */
	readonly waitsFor?: string;
	/** Pictures that its tools made. */
	readonly pictures?: readonly ReportPicture[];
}

export interface ReportPicture {
	readonly name: string;
	/** What a page or a mail shows it by: a data address, or `cid:…`; absent for one that is too large to be shown. */
	readonly address?: string;
}

export type ReportSection = 'answer' | 'check' | 'figures' | 'sources' | 'steps' | 'run';

export interface ReportOptions {
	readonly language: 'en' | 'fr';
	/** '' takes the language's own title. */
	readonly title: string;
	/** What to show; the order is always the same. */
	readonly sections: readonly ReportSection[];
	/** Rows of one table, from 1. */
	readonly maxRows: number;
	/** What is told of the steps, or the answer alone. Absent: everything. */
	readonly show?: ReportShow;
	/** IANA name; absent: UTC. */
	readonly timezone?: string;
}

export type ReportShow = 'everything' | 'no-thoughts' | 'calls' | 'answer';

const ORDER: readonly ReportSection[] = ['answer', 'check', 'figures', 'sources', 'steps', 'run'];

/** The sections to write, in their order. */
export function sectionsOf({ sections, show }: ReportOptions): ReportSection[] {
	return show === 'answer' ? ['answer'] : ORDER.filter((section) => sections.includes(section));
}
