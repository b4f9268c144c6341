import { createHash } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
	OAuthClientInformationMixed,
	OAuthClientMetadata,
	OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { loadSdk } from './load-sdk';
import type { McpAuth } from './server';

/** A client that logs in as itself. */
export interface ClientCredentials {
	readonly clientId: string;
	readonly clientSecret: string;
	/** Space-separated; '' leaves it to the server. */
	readonly scope: string;
	/** The only login server that gets the secret; '' takes the one that the MCP server names. */
	readonly issuer: string;
}

/**
 * OAuth2 client credentials: the token is got at the first 401, and again when the server refuses it. The login server is found
 * through the MCP server's metadata.
 *
 * @param kept tokens of this process by client, so that each execution does not log in anew; only a cache
 */
export function clientCredentialsAuth(client: ClientCredentials, kept: Map<string, OAuthTokens> = keptTokens): McpAuth {
	const key = createHash('sha256').update(JSON.stringify(client)).digest('hex');
	return { kind: 'oauth2', provider: new ClientCredentialsProvider(client, { get: () => kept.get(key), set: (tokens) => void kept.set(key, tokens) }) };
}

/**
 * Logs in once and gives the token, for a test of the credential.
 *
 * @throws what the login server or the network says
 */
export async function clientCredentialsToken(client: ClientCredentials, serverUrl: string, fetch: typeof globalThis.fetch): Promise<string> {
	const kept = new Map<string, OAuthTokens>();
	const login = clientCredentialsAuth(client, kept);
	if (login.kind === 'oauth2') await loadSdk('client/auth.js').auth(login.provider, { serverUrl, fetchFn: fetch });
	return [...kept.values()][0]?.access_token ?? '';
}

const keptTokens = new Map<string, OAuthTokens>();

interface KeptTokens {
	get(): OAuthTokens | undefined;
	set(tokens: OAuthTokens): void;
}

/** The SDK's own provider asks for no scope but the one that it was made with, and forgets its token with the connection. */
class ClientCredentialsProvider implements OAuthClientProvider {
	readonly redirectUrl = undefined;

	constructor(
		private readonly client: ClientCredentials,
		private readonly kept: KeptTokens,
	) {}

	get clientMetadata(): OAuthClientMetadata {
		return { redirect_uris: [], grant_types: ['client_credentials'], ...(this.client.scope && { scope: this.client.scope }) };
	}

	clientInformation(): OAuthClientInformationMixed {
		const { clientId, clientSecret, issuer } = this.client;
		return { client_id: clientId, client_secret: clientSecret, ...(issuer && { issuer }) };
	}

	tokens(): OAuthTokens | undefined {
		return this.kept.get();
	}

	saveTokens(tokens: OAuthTokens): void {
		this.kept.set(tokens);
	}

	prepareTokenRequest(scope?: string): URLSearchParams {
		const wanted = this.client.scope || scope;
		return new URLSearchParams({ grant_type: 'client_credentials', ...(wanted && { scope: wanted }) });
	}

	/** Nothing of the login of a person is ever needed. */
	redirectToAuthorization(): void {
		return;
	}

	saveCodeVerifier(): void {
		return;
	}

	codeVerifier(): string {
		return '';
	}
}

/** What a login by a person needs of its surroundings. */
export interface LoginPage {
	/** Where the login server sends the person back to. */
	readonly redirectUrl: string;
	/** A public address with the client's metadata, for servers that take it as the client's ID. */
	readonly clientMetadataUrl?: string;
	/** Used instead of a registration. */
	readonly client?: OAuthClientInformationMixed;
	/** Opens the page and gives the code that the person comes back with. */
	logIn(page: URL): Promise<string>;
}

/** OAuth2 authorization code with PKCE: discovery, registration where needed, refresh. In memory: one login per process. */
export function authorizationCodeAuth(page: LoginPage): McpAuth {
	const provider = new LoginProvider(page);
	return { kind: 'oauth2', provider, codeAfterLogin: () => provider.code() };
}

class LoginProvider implements OAuthClientProvider {
	private known: OAuthTokens | undefined;
	private client: OAuthClientInformationMixed | undefined;
	private verifier = '';
	private target: URL | undefined;
	readonly clientMetadataUrl?: string;

	constructor(private readonly page: LoginPage) {
		this.client = page.client;
		if (page.clientMetadataUrl !== undefined) this.clientMetadataUrl = page.clientMetadataUrl;
	}

	get redirectUrl(): string {
		return this.page.redirectUrl;
	}

	get clientMetadata(): OAuthClientMetadata {
		return {
			client_name: 'n8n-nodes-reactengine',
			redirect_uris: [this.page.redirectUrl],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
		};
	}

	async code(): Promise<string> {
		if (this.target === undefined) throw new Error('No login page is open');
		return await this.page.logIn(this.target);
	}

	clientInformation(): OAuthClientInformationMixed | undefined {
		return this.client;
	}

	saveClientInformation(client: OAuthClientInformationMixed): void {
		this.client = client;
	}

	tokens(): OAuthTokens | undefined {
		return this.known;
	}

	saveTokens(tokens: OAuthTokens): void {
		this.known = tokens;
	}

	redirectToAuthorization(target: URL): void {
		this.target = target;
	}

	saveCodeVerifier(verifier: string): void {
		this.verifier = verifier;
	}

	codeVerifier(): string {
		return this.verifier;
	}

	invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
		if (scope === 'all' || scope === 'tokens') this.known = undefined;
		if (scope === 'all' || scope === 'client') this.client = this.page.client;
	}
}
