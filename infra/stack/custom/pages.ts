/**
 * Copies the pages to their bucket, and empties it when the stack is deleted. Files of earlier releases stay, because
 * pages in caches still load them.
 */

import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  type ObjectIdentifier,
  S3Client,
} from '@aws-sdk/client-s3';
import { customResource } from './answer.ts';

export interface PagesProperties {
  Bucket: string;
  Files: { Key: string; Source: string; ContentType: string; CacheControl: string }[];
}

const client = new S3Client();

export const handler = customResource(async ({ RequestType, ResourceProperties }) => {
  const { Bucket, Files } = ResourceProperties as unknown as PagesProperties;
  if (RequestType === 'Delete') return empty(Bucket);
  await Promise.all(
    Files.map(({ Source, ...file }) =>
      // REPLACE: the copy gets the headers of the site, not those of the asset.
      client.send(new CopyObjectCommand({ Bucket, CopySource: Source, MetadataDirective: 'REPLACE', ...file })),
    ),
  );
});

async function empty(Bucket: string): Promise<void> {
  const { Contents = [], IsTruncated } = await client.send(new ListObjectsV2Command({ Bucket }));
  if (Contents.length === 0) return;
  const Objects = Contents.map(({ Key }) => ({ Key })) as ObjectIdentifier[];
  await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  if (IsTruncated) await empty(Bucket);
}
