import { join } from 'node:path';
import { Duration, IgnoreMode, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { FUNCTION_TIMEOUT_SECONDS } from './limits.ts';

export interface ServiceFunctionProps {
  /** Path of the source file, without the extension. */
  source: string;
  description: string;
  environment: Record<string, string>;
  /** By default, the function gets a role of its own. */
  role?: Role;
  logGroup: LogGroup;
  timeout?: Duration;
  /** MB; default 1,024. */
  memorySize?: number;
  /** For events. Lambda's default is to retry a failed one twice, and to keep throttled ones for six hours. */
  retry?: { retryAttempts: number; maxEventAge: Duration };
}

/** The name of the app's context value with the folder of all bundles (infra/stack/bundling.ts). */
export const BUNDLES = 'bundles';

/** A Lambda function made from the bundle of one file. Its role may write only the log. */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { source, retry, ...props }: ServiceFunctionProps) {
    const { role = functionRole(scope, `${id}Role`), logGroup } = props;
    logGroup.grantWrite(role);
    super(scope, id, {
      code: Code.fromAsset(join(scope.node.getContext(BUNDLES), source), {
        // Folders below it have the bundles of other functions.
        ignoreMode: IgnoreMode.GIT,
        exclude: ['*/'],
      }),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      // A fifth cheaper than x86_64.
      architecture: Architecture.ARM_64,
      // CPU scales with memory: at 1 GB, the first request after a cold start takes half as long as at 512 MB.
      memorySize: 1_024,
      timeout: Duration.seconds(FUNCTION_TIMEOUT_SECONDS),
      ...retry,
      ...props,
      // Stacks in the log name the sources.
      environment: { NODE_OPTIONS: '--enable-source-maps', ...props.environment },
      role,
    });
  }
}

/** A role that functions can share. CDK's default role could write to all log groups, through an AWS managed policy. */
export function functionRole(scope: Construct, id: string): Role {
  return new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
}

export function monthLog(scope: Construct, id: string, logGroupName?: string): LogGroup {
  return new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}
