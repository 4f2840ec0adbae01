import { hash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type ArchiveFile, MANIFEST, type Manifest, parseManifest } from '../../../lib/archive/manifest.ts';
import { ARCHIVE_CACHE, contentType } from '../../local/archive-files.ts';

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

  /** Downloads files of a day's archive into a folder. */
  async download(day: string, files: readonly ArchiveFile[], folder: string): Promise<void> {
    for (const { name } of files) {
      const { Body } = await this.#get(day, name);
      await pipeline(Body as Readable, createWriteStream(join(folder, name)));
    }
  }

  /** Uploads an archive from a folder. Files that an earlier one has, too, are copied from there, within the bucket. */
  async upload(folder: string, { day, files }: Manifest, earlier: Manifest | undefined): Promise<void> {
    const known = new Map(earlier?.files.map(({ name, sha256 }) => [name, sha256]));
    for (const file of files) {
      if (earlier && known.get(file.name) === file.sha256) await this.#copy(earlier.day, day, file.name);
      else await this.#put(folder, day, file);
    }
    const sha256 = hash('sha256', readFileSync(join(folder, MANIFEST)));
    await this.#put(folder, day, { name: MANIFEST, sha256 });
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

  async #put(folder: string, day: string, { name, sha256 }: Pick<ArchiveFile, 'name' | 'sha256'>) {
    const path = join(folder, name);
    const command = new PutObjectCommand({
      Bucket: this.#name,
      Key: keyOf(day, name),
      Body: createReadStream(path),
      ContentLength: statSync(path).size,
      ContentType: contentType(name),
      CacheControl: ARCHIVE_CACHE,
      // S3 compares it with what has arrived.
      ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    });
    await this.#client.send(command);
  }

  async #copy(from: string, to: string, name: string): Promise<void> {
    const CopySource = `${this.#name}/${keyOf(from, name)}`;
    await this.#client.send(new CopyObjectCommand({ Bucket: this.#name, Key: keyOf(to, name), CopySource }));
  }
}

/** The path below the edge is the key. */
const FOLDER = 'archive/';

function keyOf(day: string, name: string): string {
  return `${FOLDER}${day}/${name}`;
}
