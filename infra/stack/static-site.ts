/**
 * Publishes the pages in a bucket for CloudFront. Each file is an asset of the stack, whose key is a hash of its content,
 * so pages and functions are deployed and rolled back together.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLevel } from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import type { SiteFile } from '../site/site-file.ts';
import type { PagesProperties } from './custom/pages.ts';
import { accept } from './nag.ts';
import { assetPrefix } from './names.ts';
import { ServiceFunction } from './service-function.ts';
import { REGION } from './settings.ts';

/** A private bucket for CloudFront, and all files as its content. */
export function publishSite(scope: Construct, stage: string, files: readonly SiteFile[], logGroup: LogGroup) {
  const bucket = new Bucket(scope, 'Pages', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  accept(bucket, 'S1', 'Only CloudFront reads it, and CloudFront has an access log.');
  const upload = new ServiceFunction(scope, 'PagesUpload', {
    source: 'infra/stack/custom/pages',
    description: 'Copies the pages of a release to the bucket behind CloudFront',
    environment: {},
    logGroup,
    timeout: Duration.minutes(2),
  });
  const assets = createAssets(scope, files);
  // All assets are in the bucket that `cdk bootstrap` has made. It may read those of other releases, so that its policy stays
  // the same: a change takes some time to apply everywhere, in which the upload could not read the files of the next release.
  const [objects = ''] = assets.map(({ asset }) => asset.bucket.arnForObjects(`${assetPrefix(stage)}*`));
  const allow = (resource: string, ...actions: string[]) =>
    upload.addToRolePolicy(new PolicyStatement({ actions, resources: [resource] }));
  allow(objects, 's3:GetObject');
  allow(bucket.bucketArn, 's3:ListBucket');
  allow(bucket.arnForObjects('*'), 's3:PutObject', 's3:DeleteObject');
  accept(
    upload.role as Role,
    `IAM5[Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-${REGION}/${assetPrefix(stage)}*]`,
    'It is only told to read the files of its release, whose keys must not be in the policy.',
  );
  accept(
    upload.role as Role,
    `IAM5[Resource::<${Stack.of(scope).getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/*]`,
    'It fills and empties its own bucket, which also holds files of earlier releases, with unknown names.',
  );
  const content = new CustomResource(scope, 'PagesContent', {
    resourceType: 'Custom::Pages',
    serviceToken: upload.functionArn,
    // By default an hour, in which the stack can neither go on nor back. Enough for three attempts with Lambda's pauses.
    serviceTimeout: Duration.minutes(15),
    properties: {
      Bucket: bucket.bucketName,
      Files: assets.map(({ file: { path, headers }, asset }) => ({
        Key: path,
        Source: `${asset.s3BucketName}/${asset.s3ObjectKey}`,
        ContentType: headers['Content-Type'] as string,
        CacheControl: headers['Cache-Control'] as string,
      })),
    } satisfies PagesProperties,
  });
  // Without LIST, S3 responds to a missing file with 403 instead of 404.
  const originAccessLevels = [AccessLevel.READ, AccessLevel.LIST];
  return { origin: S3BucketOrigin.withOriginAccessControl(bucket, { originAccessLevels }), content };
}

function createAssets(scope: Construct, files: readonly SiteFile[]) {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const assets = files.map((file, index) => {
    const path = join(folder, String(index));
    writeFileSync(path, file.body);
    // The names of hashed files change with their content, but the IDs of their assets should not.
    const name = file.path.replace(/-[A-Z0-9]{8}\./, '.').replaceAll('/', '-');
    return { file, asset: new Asset(scope, `Site-${name}`, { path }) };
  });
  // The app's output contains copies.
  rmSync(folder, { recursive: true });
  return assets;
}
