import { rmSync } from 'node:fs';

/** Ends the server of the tests and removes its user folder. */
export default async function stopServer() {
	const { server, userFolder } = globalThis.reactengineServer;
	await server.stop();
	rmSync(userFolder, { recursive: true, force: true });
}
