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

/** Bodies shorter than `from` bytes are not compressed: as responses, they fit into one or two TCP segments anyway. */
const RESPONSE_GZIP: { from: number; level?: number } = { from: 1_400 };

export function encode(body: string | Uint8Array, contentType: string, { from, level } = RESPONSE_GZIP): Encoded {
  const bytes = Buffer.from(body);
  const gzip = bytes.length >= from;
  return { body: gzip ? gzipSync(bytes, { level }) : bytes, gzip, contentType, etag: createETag(bytes) };
}

export function createETag(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, ETAG_LENGTH);
}

export function decode({ body, gzip }: Encoded): Buffer {
  return gzip ? gunzipSync(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
