import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { DEFAULT_LIMITS } from '../../lib/react/agent-setup';

describe('ReAct Agent', () => {
	it('shows the limits that the engine uses when the options are left alone', () => {
		const collection = new ReActAgent().description.properties.find(({ name }) => name === 'options');
		const shown = (collection?.options ?? []) as Array<{ name: string; default: unknown }>;
		for (const name of ['maxSteps', 'maxSeconds', 'maxTokens', 'maxObservationCharacters'] as const) {
			expect(shown.find((option) => option.name === name)?.default).toBe(DEFAULT_LIMITS[name]);
		}
	});
});
