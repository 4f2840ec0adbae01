/**
 * The archives of a stage: a bucket behind CloudFront, and a function that adds one each day
 * (functions/archive-recorder.ts). The bucket outlives the stack.
 */

import { CfnOutput, Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { type BehaviorOptions, CachePolicy } from 'aws-cdk-lib/aws-cloudfront';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { accept } from './nag.ts';
import { type FunctionInputs, NO_RETRY } from './recorders.ts';
import { ServiceFunction } from './service-function.ts';
import { createOrigin } from './static-site.ts';

/** Lambda's limit. */
const TIMEOUT = Duration.minutes(15);
/** An archive of a million events is 0.6 GB, more than Lambda gives without asking. */
const STORAGE = Size.gibibytes(2);
/** For this long, a deleted or overwritten archive can be brought back. */
export const OLD_VERSIONS_DAYS = 7;

/** The function's description. */
export const ARCHIVE_RECORDER = "Writes each day's archive";

/** The bucket's files are at `/archive/<day>/…`, below the endpoint `/archive`. */
export const ARCHIVE_PATTERN = 'archive/*';

export class DailyArchives extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, stage: string) {
    super(scope, 'Archives');
    this.bucket = new Bucket(this, 'Bucket', {
      // Fixed, so that a new stack can take it over, as it does the tables (infra/stack/durable-data.ts).
      bucketName: `staking-data-${stage}-archives-${Stack.of(this).account}`,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // The recorder may delete archives.
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      // No rule deletes current files by age: when the recorder ends, the last archives are all that remains.
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(OLD_VERSIONS_DAYS),
        },
      ],
    });
    accept(
      this.bucket,
      'S1',
      'Only CloudFront and the function that fills it read it, and CloudFront has an access log.',
    );
    new CfnOutput(scope, 'ArchiveBucket', {
      value: this.bucket.bucketName,
      description: 'The bucket whose folders archive/<day> are the archives',
    });
  }

  /** CloudFront's behaviour for archives: uncompressed, because a compressed response has no byte ranges. */
  behaviour(common: Omit<BehaviorOptions, 'origin'>): BehaviorOptions {
    return {
      ...common,
      compress: false,
      origin: createOrigin(this.bucket),
      cachePolicy: CachePolicy.CACHING_OPTIMIZED_FOR_UNCOMPRESSED_OBJECTS,
    };
  }

  /** Adds the function and its schedule. It reads the same tables as endpoints, because it answers as they do. */
  record({ environment, tables, secret }: FunctionInputs, commit: string): void {
    const recorder = new ServiceFunction(this, 'Recorder', {
      source: 'functions/archive-recorder',
      description: ARCHIVE_RECORDER,
      environment: { ...environment, ARCHIVE_BUCKET: this.bucket.bucketName, COMMIT: commit },
      timeout: TIMEOUT,
      storage: STORAGE,
      retry: NO_RETRY,
    });
    tables.history.grant(recorder, 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:Scan', 'dynamodb:PutItem');
    tables.ledger.grant(recorder, 'dynamodb:GetItem', 'dynamodb:Query');
    tables.cache.grant(
      recorder,
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
    );
    secret?.grantRead(recorder);
    const files = this.bucket.arnForObjects('archive/*');
    recorder.addToRolePolicy(
      new PolicyStatement({ actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], resources: [files] }),
    );
    // To find old archives. Without it, S3 also answers 403 instead of 404 for a day that has no archive yet.
    recorder.addToRolePolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }));
    const bucketId = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    accept(
      recorder.role as Role,
      `IAM5[Resource::<${bucketId}.Arn>/archive/*]`,
      'It adds the archive of a day, reads that of the day before and deletes old ones: their names are not known in advance.',
    );
    new Rule(this, 'Schedule', {
      description: "Runs the recorder of archives every hour; it does nothing if the day's archive exists",
      schedule: Schedule.cron({ minute: '30' }),
      targets: [new LambdaFunction(recorder, NO_RETRY)],
    });
  }
}
