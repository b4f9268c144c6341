import type { RunReport } from '../../core/run';
import type { AgentState } from '../../react/agent-state';
import { runReport } from '../../react/report';
import type { AgentEnd } from '../../react/run-agent';
import { checkFigures, evidenceOf } from '../../report/check-figures';
import type { ItemSetup } from './item-setup';
import type { AgentParameters } from './parameters';

/** The report of a run that ended; with Check Figures on, its answer is held against whole results, whatever the report keeps of them. */
export async function checkedReport(
	{ parameters, itemSetup }: { readonly parameters: AgentParameters; readonly itemSetup: ItemSetup },
	state: AgentState,
	end: AgentEnd,
): Promise<RunReport> {
	const { setup } = itemSetup;
	const run = await runReport(setup, state, { end, detail: parameters.detail });
	if (!parameters.checksFigures || end.answer === '') return run;
	const whole = parameters.detail === 'full' ? run : await runReport(setup, state, { end, detail: 'full' });
	const figures = checkFigures(end.answer, evidenceOf(whole));
	const found = figures.unsupported.map(({ text }) => text);
	if (found.length === 0) return { ...run, figures };
	const warning = `Figures of the answer that are in no result, passage or question: ${found.join(' · ')}`;
	return { ...run, figures, warnings: [...run.warnings, warning] };
}
