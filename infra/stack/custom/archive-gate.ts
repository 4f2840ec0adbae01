/**
 * Closes the archives to CloudFront while the alarm EdgeBytes is raised, and opens them again: whole downloads are what
 * costs most, and a frozen stage has no firewall.
 */

import { GetBucketPolicyCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';

/** What CloudWatch passes to a function that is an alarm's action. */
export interface AlarmEvent {
  alarmData: { state: { value: 'ALARM' | 'OK' | 'INSUFFICIENT_DATA' } };
}

const CLOSED = 'ArchivesClosed';

const client = new S3Client();

export async function handler({ alarmData }: AlarmEvent): Promise<void> {
  const Bucket = process.env.ARCHIVE_BUCKET;
  const { Policy = '{}' } = await client.send(new GetBucketPolicyCommand({ Bucket }));
  const { Statement, ...policy }: { Statement: { Sid?: string }[] } = JSON.parse(Policy);
  const open = Statement.filter(({ Sid }) => Sid !== CLOSED);
  const closed = {
    Sid: CLOSED,
    Effect: 'Deny',
    Principal: { Service: 'cloudfront.amazonaws.com' },
    Action: 's3:GetObject',
    Resource: process.env.ARCHIVE_FILES,
  };
  const statements = alarmData.state.value === 'ALARM' ? [...open, closed] : open;
  await client.send(
    new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify({ ...policy, Statement: statements }) }),
  );
}
