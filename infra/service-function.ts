import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat, SourceMapMode } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ESBUILD_OPTIONS } from './bundling.ts';

interface ServiceFunctionProps {
  /** Path of the source, without its suffix. */
  source: string;
  description: string;
  environment: Record<string, string>;
  /** One of its own if it is given none. */
  role?: Role;
  timeout?: Duration;
  /** At most so many at once; unlimited but for the account otherwise. */
  concurrency?: number;
  /** Of a function that events invoke: how often one that has failed is tried again, and how long one may wait. */
  retry?: { retryAttempts: number; maxEventAge: Duration };
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * A Lambda function bundled from one file, with a log group of its own. Its role may write its log and its traces and nothing else: what
 * a function reads is granted to that by verb (infra/stack.ts).
 */
export class ServiceFunction extends NodejsFunction {
  constructor(
    scope: Construct,
    id: string,
    {
      source,
      description,
      environment,
      role = functionRole(scope, `${id}Role`),
      timeout = Duration.seconds(10),
      concurrency,
      retry,
    }: ServiceFunctionProps,
  ) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(role);
    super(scope, id, {
      entry: `${ROOT}${source}.ts`,
      projectRoot: ROOT,
      depsLockFilePath: `${ROOT}package-lock.json`,
      description,
      role,
      logGroup,
      runtime: Runtime.NODEJS_24_X,
      // CPU comes with memory: at 1 GB a cold start's first request takes half of what it takes at 512 MB.
      memorySize: 1_024,
      timeout,
      // Which requests are traced is decided before, by the API's rule (infra/api.ts).
      tracing: Tracing.ACTIVE,
      ...(concurrency && { reservedConcurrentExecutions: concurrency }),
      ...retry,
      environment,
      bundling: {
        minify: ESBUILD_OPTIONS.minify,
        target: ESBUILD_OPTIONS.target,
        format: OutputFormat.CJS,
        mainFields: ESBUILD_OPTIONS.mainFields,
        sourceMap: true,
        sourceMapMode: SourceMapMode.EXTERNAL,
        sourcesContent: false,
        define: ESBUILD_OPTIONS.define,
        bundleAwsSDK: true,
        externalModules: [...ESBUILD_OPTIONS.external],
        esbuildArgs: Object.fromEntries([
          ...Object.entries(ESBUILD_OPTIONS.alias).map(([name, path]) => [`--alias:${name}`, path]),
          ['--legal-comments', 'none'],
          ...Object.entries(ESBUILD_OPTIONS.supported).map(([feature, is]) => [`--supported:${feature}`, String(is)]),
        ]),
      },
    });
  }
}

/** A role that functions may share. Without one of ours CDK would attach a managed policy that may write every log of the account. */
export function functionRole(scope: Construct, id: string): Role {
  const role = new Role(scope, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason: 'To write traces: X-Ray has no resources that a permission could name.',
  });
  return role;
}
