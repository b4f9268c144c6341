import { rmSync } from 'node:fs';

/** Ends what queue-servers.mjs started, the last first, and removes its folder. */
export default async function stopQueue() {
	const { folder, stops } = globalThis.reactengineQueue;
	for (const stop of stops.reverse()) await stop();
	rmSync(folder, { recursive: true, force: true });
}
