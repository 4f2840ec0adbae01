import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

/** A body as it is stored and sent: compressed once, when it is made. */
export interface Encoded {
  body: Uint8Array;
  gzip: boolean;
  contentType: string;
  etag: string;
}

const ETAG_LENGTH = 22;

/** Compression of bodies; `level` is gzip's, by default the usual one. */
interface Gzip {
  /** Shorter bodies, in bytes, are not compressed. */
  from: number;
  level?: number | undefined;
}

/** Compression of responses: with its headers, a shorter response fits into one or two TCP segments anyway. */
const RESPONSE_GZIP: Gzip = { from: 1_400 };

/** The body as it is stored and sent. */
export function encode(body: string | Uint8Array, contentType: string, { from, level }: Gzip = RESPONSE_GZIP): Encoded {
  const bytes = Buffer.from(body);
  const gzip = bytes.length >= from;
  return { body: gzip ? gzipSync(bytes, { level }) : bytes, gzip, contentType, etag: createETag(bytes) };
}

/** The start of the SHA-256 of some bytes. */
export function createETag(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, ETAG_LENGTH);
}

/** The uncompressed body: the stored bytes themselves, unless they are compressed. */
export function decode({ body, gzip }: Encoded): Buffer {
  return gzip ? gunzipSync(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
