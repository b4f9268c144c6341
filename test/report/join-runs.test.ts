import { joinRuns } from '../../lib/report/join-runs';
import { makeCall, makeRun } from '../support/make-run';

const WORK = { question: 'Overhaul', answer: 'Done.', plan: { steps: [], notes: [], replanned: true }, usage: { in: 10, out: null } };

it('joins nothing to nothing', () => expect(joinRuns([], WORK)).toBeUndefined());

it('numbers the steps through, keeps the tree, and adds up what is known', () => {
	const one = makeRun([makeCall('a', {}, {}), makeCall('b', {}, {})]);
	const joined = joinRuns([{ run: one, planStep: 's1' }, { run: one, planStep: 's2' }], WORK)!;
	const { length } = one.steps;
	expect(joined.steps.map(({ number }) => number)).toEqual(Array.from({ length: 2 * length }, (_, i) => i + 1));
	expect(joined.steps.map(({ planStep }) => planStep)).toEqual([...Array(length).fill('s1'), ...Array(length).fill('s2')]);
	expect(joined.steps[length]?.parent).toBe(null);
	expect(joined).toMatchObject({ answer: 'Done.', prompt: { question: 'Overhaul' }, plan: { replanned: true }, durationMs: 2 * one.durationMs });
	expect(joined.usage).toMatchObject({ model: one.usage.model, in: 2 * (one.usage.in ?? 0) + 10 });
});

it('is partial and ended as the part that did not answer', () => {
	const good = makeRun([makeCall('a', {}, {}), makeCall('b', {}, {})]);
	const joined = joinRuns([{ run: good }, { run: { ...good, stoppedBy: 'step-limit', partial: true, usage: { ...good.usage, in: null, out: null, cost: null } } }], { ...WORK, usage: { in: null, out: null } });
	expect(joined).toMatchObject({ stoppedBy: 'step-limit', partial: true, usage: { in: good.usage.in, cost: good.usage.cost } });
});
