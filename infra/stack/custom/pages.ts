/**
 * Copies the pages to their bucket, and empties it when the stack is deleted. Files of earlier releases stay, because
 * pages in caches still load them.
 */

import { CopyObjectCommand, DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

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

/** Deletes a list of at most 1,000 files after the other. */
async function empty(Bucket: string): Promise<void> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  if (Contents.length === 0) return;
  const Objects = Contents.flatMap(({ Key }) => (Key ? { Key } : []));
  await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  await empty(Bucket);
}

/**
 * Runs a custom resource's handler and reports the outcome, for which CloudFormation waits (infra/stack/static-site.ts).
 * Throws if the answer was not accepted: Lambda then runs it again, twice, so the work has to be safe to repeat.
 */
function customResource(work: (event: CloudFormationCustomResourceEvent) => Promise<void>) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const failure = await work(event).then(
      () => undefined,
      (error: Error) => error,
    );
    const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
    const answer = {
      Status: failure ? 'FAILED' : 'SUCCESS',
      Reason: failure?.message,
      // Always the same, so that an update never replaces the resource.
      PhysicalResourceId: LogicalResourceId,
      StackId,
      RequestId,
      LogicalResourceId,
    };
    // As bytes: for a string, fetch would add a Content-Type, which the URL's signature does not cover.
    const { ok, status } = await fetch(ResponseURL, { method: 'PUT', body: Buffer.from(JSON.stringify(answer)) });
    if (!ok) throw new Error(`the answer was refused with ${status}`);
  };
}
