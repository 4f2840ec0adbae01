import { hash } from 'node:crypto';

/** A body as it is stored and sent: compressed once, when it is made. */
export interface Encoded {
  body: Uint8Array;
  gzip: boolean;
  contentType: string;
  /** Hash of the uncompressed body, without quotes. */
  etag: string;
}

/** Characters of an etag. */
export const ETAG_LENGTH = 22;

/** Below this, gzip saves less than its header costs in work. */
const GZIP_FROM_BYTES = 1_000;

/** Loaded when it is first needed, which takes a cold start 1.6 ms: many bodies are small. */
export const zlib = () => process.getBuiltinModule('node:zlib');

/** `level` is gzip's, if not the usual one. */
export function encode(body: string | Uint8Array, contentType: string, level?: number): Encoded {
  const bytes = Buffer.from(body);
  const gzip = bytes.length > GZIP_FROM_BYTES;
  return { body: gzip ? zlib().gzipSync(bytes, { level }) : bytes, gzip, contentType, etag: etagOf(bytes) };
}

/** Whether the body is still what was encoded. Worth its microseconds: a damaged body would be served for as long as it lives. */
export function isIntact(encoded: Encoded): boolean {
  try {
    return etagOf(decode(encoded)) === encoded.etag;
  } catch {
    return false;
  }
}

function etagOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, ETAG_LENGTH);
}

/** The uncompressed body. */
export function decode({ body, gzip }: Encoded): Buffer {
  return gzip ? zlib().gunzipSync(body) : Buffer.from(body);
}
