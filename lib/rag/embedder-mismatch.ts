import { CodedError } from '../core/errors';
import type { EmbedderIdentity, ThemeManifest } from './store';

const nameOf = (id: string | null, dimension: number | null): string =>
	id === null ? 'no embeddings' : `the embeddings "${id}"${dimension === null ? '' : ` (${dimension} numbers)`}`;

/** The named error for vectors that do not belong to the knowledge base. */
export function embedderMismatch(manifest: ThemeManifest, given: EmbedderIdentity | null): CodedError {
	const built = nameOf(manifest.embedderId, manifest.dimension);
	const now = nameOf(given?.id ?? null, given?.dimension ?? null);
	return new CodedError('BAD_INPUT', `The knowledge base "${manifest.theme}" was built with ${built}; now there are ${now}`, {
		remedy:
			manifest.embedderId === null
				? 'Disconnect the embeddings, or run the operation Rebuild of RAG Index with them: it embeds what is stored.'
				: `Connect "${manifest.embedderId}" again, or run the operation Rebuild of RAG Index with the new embeddings: it embeds what is stored again.`,
	});
}
