import { CodedError } from '../../lib/core/errors';
import { runScripted } from '../support/run-scripted';
import { scriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const down = new CodedError('UPSTREAM', 'HTTP 503 from the model', { status: 503, retryable: true });
const wrongKey = new CodedError('BAD_INPUT', 'HTTP 401: wrong key', { status: 401, remedy: 'Check the key.' });

describe('a model that fails', () => {
	it('is replaced by the fallback model when the failure may pass, and the report says so', async () => {
		const model = scriptedModel([{ error: down }]);
		const fallbackModel = { ...scriptedModel([{ text: 'from the second' }]), id: 'scripted/second' };
		const { end, run } = await runScripted({ model, setup: { fallbackModel } });
		expect(end.answer).toBe('from the second');
		expect(run.usage.model).toBe('scripted/second');
		expect(run.warnings).toEqual(['scripted/model failed (HTTP 503 from the model); scripted/second took over.']);
	});

	it('says in the stream that the text so far does not count, when the failure came in the middle of a reply', async () => {
		const model = scriptedModel([{ text: 'La pompe 7 est', error: down }]);
		const { end, events } = await runScripted({ model, setup: { fallbackModel: scriptedModel([{ text: 'La pompe 9 fuit.' }]), language: 'fr' } });
		expect(end.answer).toBe('La pompe 9 fuit.');
		const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
		expect(types).toEqual(['step-start', 'text-delta', 'restart', 'step-start', 'text-delta']);
		expect(events.find(({ type }) => type === 'restart')).toMatchObject({ notice: '[La connexion au modèle a été coupée ; la réponse recommence.]' });
	});

	it('ends the run with its own error when the failure will not pass', async () => {
		const fallbackModel = scriptedModel([]);
		const { end, error } = await runScripted({ model: scriptedModel([{ error: wrongKey }]), setup: { fallbackModel } });
		expect(end).toMatchObject({ stoppedBy: 'error', answer: '' });
		expect(error).toBe(wrongKey);
		expect(fallbackModel.requests).toHaveLength(0);
	});
});

describe('a model that never answers', () => {
	it('is cut off when the time of the run is up, and the run ends by time', async () => {
		const hangs = {
			...scriptedModel([]),
			stream: (_request: unknown, signal: AbortSignal) => {
				const next = async () =>
					await new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
				return { [Symbol.asyncIterator]: () => ({ next }) };
			},
		};
		const { end, error } = await runScripted({ model: hangs, setup: { signal: AbortSignal.timeout(30) } });
		expect(end.stoppedBy).toBe('time');
		expect(error?.message).toContain('300 seconds is reached');
	});
});

describe('a cancelled run', () => {
	it('stops before the next turn, and tools see the signal', async () => {
		const cancel = new AbortController();
		const seen: boolean[] = [];
		const wait = tool('wait', () => ({ text: '' }), {
			run: async (_input, { signal }) => {
				cancel.abort();
				seen.push(signal.aborted);
				return { text: 'late' };
			},
		});
		const model = scriptedModel([{ calls: [{ name: 'wait', args: {} }] }]);
		const { end } = await runScripted({ model, tools: [wait], setup: { signal: cancel.signal } });
		expect(end.stoppedBy).toBe('aborted');
		expect(seen).toEqual([true]);
		expect(model.requests).toHaveLength(1);
	});
});
