/** Types of `jose`, which is loaded by the call that needs it. */
export type { JSONWebKeySet, JWTPayload, JWTVerifyOptions, CryptoKey as KeyLike } from 'jose';
