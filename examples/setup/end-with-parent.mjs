/**
 * Loaded first into a long-lived child: ends it, with its group, when the process that started it is gone, even by force. An n8n whose
 * output nobody reads any more would go on for ever, logging that it cannot log.
 */
const parent = Number(process.env.REACTENGINE_PARENT);

if (parent && process.ppid === parent) {
	setInterval(() => {
		if (process.ppid !== parent) process.kill(-process.pid, 'SIGKILL');
	}, 1_000).unref();
}
