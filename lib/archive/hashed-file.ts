import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';

/** Size and hash of a file's content. */
export interface FileDigest {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** A file that is written from its start to its end, and hashed meanwhile. */
export class HashedFile {
  readonly #file: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  close(): FileDigest {
    closeSync(this.#file);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** The SHA-256 of a file. `onBytes` is called with the size of each part that is read. */
export async function hashFile(path: string, onBytes: (count: number) => void = () => {}): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    onBytes(chunk.length);
  }
  return hash.digest();
}
