/** A small client of the REST interface that n8n's editor uses. */

/**
 * Creates the owner at the first start, logs in at later ones.
 *
 * @returns a function `(method, path, body?) → data`; it throws with n8n's own message. Its `get(path)` fetches any path of the
 *          server as the logged-in user.
 */
export async function connect(url, login) {
	let cookie = '';
	const call = async (method, path, body) => {
		const response = await fetch(`${url}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json', cookie },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`n8n refused ${method} ${path} (${response.status}): ${text.slice(0, 500)}`);
		cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ') || cookie;
		return text === '' ? undefined : JSON.parse(text).data;
	};
	call.get = (path) => fetch(`${url}${path}`, { headers: { cookie } });
	const settings = await call('GET', '/settings');
	if (settings.userManagement.showSetupOnFirstLoad) await call('POST', '/owner/setup', login);
	else await call('POST', '/login', { emailOrLdapLoginId: login.email, password: login.password });
	return call;
}
