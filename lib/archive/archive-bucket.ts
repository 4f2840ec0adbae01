import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { bundleName } from './bundle-name.ts';
import { hashFile } from './hashed-file.ts';
import { ARCHIVE_CACHE, contentType } from './http-headers.ts';
import { MANIFEST, type Manifest, parseManifest } from './manifest.ts';

/**
 * The bucket behind the edge: each archive in a folder that is named by its day. Its manifest is uploaded last, so a folder
 * that has one is whole, and is not written again.
 */
export class ArchiveBucket {
  readonly #client: S3Client;
  readonly #name: string;

  constructor(client: S3Client, name: string) {
    this.#client = client;
    this.#name = name;
  }

  /** The manifest of a day's archive, if that is whole. */
  async manifest(day: string): Promise<Manifest | undefined> {
    try {
      const { Body } = await this.#get(day, MANIFEST);
      return parseManifest(await (Body as { transformToString(): Promise<string> }).transformToString());
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  /** Uploads an archive and its bundle from a folder, the manifest last. */
  async upload(folder: string, { day, files }: Manifest): Promise<void> {
    for (const { name } of files) await this.#put(folder, day, name);
    await this.#put(folder, day, bundleName(day));
    await this.#put(folder, day, MANIFEST);
  }

  /** Deletes the archives of earlier days. */
  async deleteBefore(day: string): Promise<void> {
    const [Bucket, first] = [this.#name, keyOf(day, '')];
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, { Bucket, Prefix: FOLDER })) {
      // Days sort like their names.
      const old = Contents.flatMap(({ Key = '' }) => (Key < first ? [Key] : []));
      for (const Key of old) await this.#client.send(new DeleteObjectCommand({ Bucket, Key }));
    }
  }

  #get(day: string, name: string) {
    return this.#client.send(new GetObjectCommand({ Bucket: this.#name, Key: keyOf(day, name) }));
  }

  async #put(folder: string, day: string, name: string) {
    const path = join(folder, name);
    const command = new PutObjectCommand({
      Bucket: this.#name,
      Key: keyOf(day, name),
      Body: createReadStream(path),
      ContentLength: statSync(path).size,
      ContentType: contentType(name),
      CacheControl: ARCHIVE_CACHE,
      // S3 compares it with what has arrived.
      ChecksumSHA256: (await hashFile(path)).toString('base64'),
    });
    await this.#client.send(command);
  }
}

/** The path below the edge is the key. */
const FOLDER = 'archive/';

function keyOf(day: string, name: string): string {
  return `${FOLDER}${day}/${name}`;
}
