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
				? 'Disconnect the embeddings, or delete the knowledge base with RAG Index and add its documents again.'
				: `Connect "${manifest.embedderId}" again, or delete the knowledge base with RAG Index and add its documents again.`,
	});
}
