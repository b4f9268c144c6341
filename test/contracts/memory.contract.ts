import type { ConversationKey, MemoryStore } from '../../lib/chat/memory-store';
import { openMemory, type MemoryPlace } from '../../lib/chat/open-memory';
import { textMessage, type Message } from '../../lib/core/message';

/** A turn of a question and its answer. */
export function turnOf(question: string, answer = `to ${question}`): Message[] {
	return [textMessage('user', question), textMessage('assistant', answer)];
}

/** Tests that every memory store must pass. Each test has a memory of its own; stores are opened one after the other. */
export function itIsAMemory(placeOf: () => MemoryPlace): void {
	let store: MemoryStore;
	let memory = 0;
	let key: ConversationKey;
	const add = async (to: ConversationKey, question: string, startsFresh = false): Promise<void> =>
		await store.append(to, { at: 1_700_000_000_000 + question.length, messages: turnOf(question), startsFresh });
	const questions = async (of: ConversationKey, most = 100): Promise<string[]> =>
		(await store.read(of, most)).turns.map(({ messages }) => (messages[0]?.parts[0] as { text: string }).text);

	beforeEach(async () => {
		store = await openMemory(placeOf());
		key = { memory: `m${(memory += 1)}`, user: 'anne', session: 's1' };
	});
	afterEach(async () => await store.close());

	it('gives turns back as they were kept, oldest first', async () => {
		const messages: Message[] = [
			textMessage('user', "L'arrêt d'urgence N-92c ? 🚜 \u0000"),
			{ role: 'assistant', parts: [{ type: 'tool-call', callId: 'c1', name: 'find', argumentsText: '{"q":"N-92c"}' }] },
			{ role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'find', text: '3 rows', isError: false }] },
			textMessage('assistant', 'Trois.'),
		];
		await store.append(key, { at: 5, messages });
		await add(key, 'second');
		const { turns, summary } = await store.read(key, 10);
		expect(summary).toBeUndefined();
		expect(turns[0]).toEqual({ number: 1, at: 5, messages });
		expect(turns.map(({ number }) => number)).toEqual([1, 2]);
	});

	it('gives the newest turns when there are more than asked for', async () => {
		for (const question of ['a', 'b', 'c', 'd']) await add(key, question);
		expect(await questions(key, 2)).toEqual(['c', 'd']);
	});

	it('keeps users, sessions and memories apart, also with the same names', async () => {
		await add(key, 'mine');
		const others = [{ ...key, user: 'bob' }, { ...key, user: '' }, { ...key, user: 'Anne' }, { ...key, session: 's2' }, { ...key, memory: `${key.memory}x` }];
		for (const other of others) expect(await questions(other)).toEqual([]);
		await add({ ...key, user: "anne' OR '1'='1" }, 'quoted');
		expect(await questions(key)).toEqual(['mine']);
	});

	it('adds messages to the last turn when they belong to it', async () => {
		await store.append(key, { at: 1, messages: [textMessage('assistant', 'Hello')], joins: true });
		await store.append(key, { at: 2, messages: [textMessage('user', 'Hi')] });
		await store.append(key, { at: 3, messages: [textMessage('assistant', 'What?')], joins: true });
		const { turns } = await store.read(key, 10);
		expect(turns.map(({ messages }) => messages.map(({ role }) => role))).toEqual([['assistant'], ['user', 'assistant']]);
	});

	it('H08 does not read what was said before a fresh start, but keeps it', async () => {
		await add(key, 'old');
		await store.summarise(key, { text: 'about old', upTo: 1 }, 0);
		await add(key, 'new', true);
		await add(key, 'next');
		expect(await questions(key)).toEqual(['new', 'next']);
		expect((await store.read(key, 10)).summary).toBeUndefined();
		expect((await store.export({ user: 'anne', memory: key.memory }))[0]?.turns).toHaveLength(3);
	});

	it('keeps a summary in the place of the turns that it is about, and the first of two', async () => {
		for (const question of ['a', 'b', 'c']) await add(key, question);
		expect(await store.summarise(key, { text: 'a and b', upTo: 2 }, 0)).toBe(true);
		expect(await store.summarise(key, { text: 'only a', upTo: 1 }, 0)).toBe(false);
		const { summary } = await store.read(key, 10);
		expect([summary, await questions(key)]).toEqual([{ text: 'a and b', upTo: 2 }, ['c']]);
	});

	it('exports all that was kept of one person, and deletes it without touching others', async () => {
		await add(key, 'one');
		await add({ ...key, session: 's2' }, 'two');
		await add({ ...key, memory: `${key.memory}b` }, 'elsewhere');
		await add({ ...key, user: 'bob' }, 'of bob');
		const exported = await store.export({ user: 'anne', memory: key.memory });
		expect(exported.map(({ session, turns }) => [session, turns.length])).toEqual([['s1', 1], ['s2', 1]]);
		expect(exported[0]?.turns[0]).toMatchObject({ number: 1, messages: turnOf('one'), startsFresh: false });
		expect(await store.remove({ user: 'anne', memory: key.memory })).toEqual({ conversations: 2, turns: 2 });
		expect(await questions(key)).toEqual([]);
		expect(await questions({ ...key, user: 'bob' })).toEqual(['of bob']);
		expect((await store.export({ user: 'anne' })).map(({ memory: name }) => name)).toContain(`${key.memory}b`);
		expect(await store.remove({ user: 'anne', memory: key.memory })).toEqual({ conversations: 0, turns: 0 });
	});

	it('deletes conversations that ended before a time, and nothing when nothing was chosen', async () => {
		await store.append(key, { at: 1_000, messages: turnOf('old') });
		await store.append({ ...key, session: 's2' }, { at: 3_000, messages: turnOf('new') });
		expect(await store.remove({})).toEqual({ conversations: 0, turns: 0 });
		expect(await store.remove({ memory: key.memory, before: 2_000 })).toEqual({ conversations: 1, turns: 1 });
		expect(await questions({ ...key, session: 's2' })).toEqual(['new']);
	});

	it('gives conversations whole and takes them back as they were, in the place of what is there', async () => {
		await add(key, 'old');
		await add(key, 'new', true);
		await add(key, 'next');
		await store.summarise(key, { text: 'about new', upTo: 2 }, 0);
		const whole = (await store.whole(key))!;
		expect(whole).toMatchObject({ ...key, updatedAt: 1_700_000_000_004, summary: { text: 'about new', upTo: 2 } });
		expect(whole.turns.map(({ number, startsFresh }) => [number, startsFresh])).toEqual([[1, false], [2, true], [3, false]]);
		const seen = await store.read(key, 10);
		await add(key, 'later');
		await store.put(whole);
		expect(await store.whole(key)).toEqual(whole);
		expect(await store.read(key, 10)).toEqual(seen);
		await add(key, 'on');
		expect(await questions(key)).toEqual(['next', 'on']);
		expect((await store.list()).filter(({ memory: name }) => name === key.memory)).toEqual([key]);
		expect(await store.whole({ ...key, session: 'none' })).toBeUndefined();
	});
}
