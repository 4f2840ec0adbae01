/**
 * The archives of a stage: a bucket behind the edge, and a function that adds one each day, with all that the service knows
 * (infra/tools/archive/daily.ts). The bucket outlives the stack. When a stage is frozen, its last archives stay.
 */

import { CfnOutput, Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { type BehaviorOptions, CachePolicy } from 'aws-cdk-lib/aws-cloudfront';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { accept } from './nag.ts';
import { NO_RETRY, type RecorderProps } from './recorders.ts';
import { ServiceFunction } from './service-function.ts';
import { originOf } from './static-site.ts';

/** Lambda's limit. With a million events, a full export takes some minutes (`npm run bench:archive`). */
const TIMEOUT = Duration.minutes(15);
/** An archive of a million events is 0.6 GB, more than Lambda gives without asking. */
const STORAGE = Size.gibibytes(2);

/** The function's description. */
export const ARCHIVE_RECORDER = "Writes each day's archive";

/** What is in the bucket is at `/archive/<day>/…`, below the endpoint `/archive`. */
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
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      // None that deletes by age: when the recorder ends, the last archives are all that remains.
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
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

  /**
   * How CloudFront serves them: as they are, because a compressed answer has no ranges of bytes to read in place, and from
   * the bucket alone, so that it can be closed.
   */
  behaviour(common: Omit<BehaviorOptions, 'origin'>): BehaviorOptions {
    return { ...common, compress: false, origin: originOf(this.bucket), cachePolicy: CachePolicy.CACHING_DISABLED };
  }

  /**
   * Closes the archives while an alarm is raised. Unlike a firewall, this costs nothing at rest; an action of the budget
   * would come hours late, and could only change policies of roles, of which CloudFront needs none.
   */
  closeOn(alarm: Alarm): void {
    const gate = new ServiceFunction(this, 'Gate', {
      source: 'infra/stack/custom/archive-gate',
      description: 'Closes the archives while CloudFront sends too much',
      environment: { ARCHIVE_BUCKET: this.bucket.bucketName, ARCHIVE_FILES: this.bucket.arnForObjects('*') },
    });
    gate.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:GetBucketPolicy', 's3:PutBucketPolicy'],
        resources: [this.bucket.bucketArn],
      }),
    );
    const action = new LambdaAction(gate);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }

  /** Adds the function and its schedule. It reads what endpoints read, because it answers as they do. */
  record({ environment, tables, secret, commit }: RecorderProps & { commit: string }): void {
    const recorder = new ServiceFunction(this, 'Recorder', {
      source: 'infra/tools/archive/daily',
      description: ARCHIVE_RECORDER,
      environment: {
        ...environment,
        ARCHIVE_BUCKET: this.bucket.bucketName,
        COMMIT: commit,
      },
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
    if (secret) secret.grantRead(recorder);
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
      description: "Runs the recorder of archives every hour, which does nothing if it has made the day's archive",
      schedule: Schedule.cron({ minute: '30' }),
      targets: [new LambdaFunction(recorder, NO_RETRY)],
    });
  }
}
