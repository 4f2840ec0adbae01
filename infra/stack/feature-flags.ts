import { CfnParameter, CustomResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  Application,
  CfnHostedConfigurationVersion,
  ConfigurationContent,
  ConfigurationType,
  DeletionProtectionCheck,
  DeploymentStrategy,
  HostedConfiguration,
  RolloutStrategy,
} from 'aws-cdk-lib/aws-appconfig';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { DEFAULT_FLAGS } from '../../lib/flags/defaults.ts';
import type { FlagVersionsProperties } from './custom/flag-versions.ts';
import { nagNameOf } from './names.ts';
import { CUSTOM_ANSWER_TIMEOUT, CUSTOM_TIMEOUT, ServiceFunction } from './service-function.ts';

/** The feature flags, which operators change in AppConfig without deploying the stack. */
export class FeatureFlags {
  /** The functions' environment variable FLAGS_SOURCE. */
  readonly source: string;
  readonly #configurationArn: string;

  constructor(scope: Construct, stage: string) {
    const application = new Application(scope, 'FlagsApplication', { applicationName: `staking-data-${stage}` });
    // Without monitors: a new alarm has insufficient data for some minutes, on which AppConfig would roll the first
    // deployment back, and CloudFormation the stack.
    const environment = application.addEnvironment('FlagsEnvironment', {
      environmentName: stage,
      deletionProtectionCheck: DeletionProtectionCheck.BYPASS,
    });
    const configuration = new HostedConfiguration(scope, 'FlagsProfile', {
      application,
      name: 'flags',
      type: ConfigurationType.FEATURE_FLAGS,
      content: ConfigurationContent.fromInline(firstDocument(scope), 'application/json'),
      versionLabel: 'stack',
      deployTo: [environment],
      deletionProtectionCheck: DeletionProtectionCheck.BYPASS,
      deploymentStrategy: new DeploymentStrategy(scope, 'FirstFlagsRollout', {
        rolloutStrategy: RolloutStrategy.linear({
          growthFactor: 100,
          deploymentDuration: Duration.minutes(0),
          finalBakeTime: Duration.minutes(0),
        }),
      }),
    });
    const cleanup = deleteVersionsWithStack(scope, application.applicationId, configuration.configurationProfileId);
    for (const part of configuration.node.findAll()) {
      if (part instanceof CfnHostedConfigurationVersion) {
        part.applyRemovalPolicy(RemovalPolicy.DESTROY);
        // CloudFormation deletes dependents first: this version is gone before the cleanup deletes the others.
        part.node.addDependency(cleanup);
      }
    }
    const { applicationId } = application;
    const { environmentId } = environment;
    const { configurationProfileId } = configuration;
    this.source = `${applicationId}/${environmentId}/${configurationProfileId}`;
    this.#configurationArn = `${environment.environmentArn}/configuration/${configurationProfileId}`;
  }

  /** Allows functions with this role to read the deployed flags. */
  grantRead(role: Role): void {
    role.addToPolicy(
      new PolicyStatement({
        actions: ['appconfig:StartConfigurationSession', 'appconfig:GetLatestConfiguration'],
        resources: [this.#configurationArn],
      }),
    );
  }
}

/**
 * The flags that a new stage starts with. As a stack parameter, they keep their first value: a later release with other
 * defaults does not change it, and so does not replace what operators have deployed.
 */
function firstDocument(scope: Construct): string {
  return new CfnParameter(scope, 'FirstFlags', {
    description: 'The flags that this stage started with. Leave it as it is: the current flags are in AppConfig.',
    default: JSON.stringify(storedForm(DEFAULT_FLAGS.flags)),
  }).valueAsString;
}

function deleteVersionsWithStack(
  scope: Construct,
  ApplicationId: string,
  ConfigurationProfileId: string,
): CustomResource {
  const fn = new ServiceFunction(scope, 'FlagVersions', {
    source: 'infra/stack/custom/flag-versions',
    description: 'Deletes the versions of the flags when the stack is deleted',
    environment: {},
    timeout: CUSTOM_TIMEOUT,
  });
  const arnOf = (name: string) =>
    Stack.of(scope).formatArn({
      service: 'appconfig',
      resource: 'application',
      resourceName: `${ApplicationId}${name}`,
    });
  const profile = `/configurationprofile/${ConfigurationProfileId}`;
  const versions = `${profile}/hostedconfigurationversion/*`;
  const own = [arnOf(''), arnOf(profile)];
  fn.addToRolePolicy(new PolicyStatement({ actions: ['appconfig:ListHostedConfigurationVersions'], resources: own }));
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ['appconfig:DeleteHostedConfigurationVersion'],
      resources: [...own, arnOf(versions)],
    }),
  );
  Validations.of(fn.role as Role).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${nagNameOf(Stack.of(scope).resolve(arnOf(versions)))}]`,
    reason: 'It deletes all versions of its own profile, whose numbers are not known beforehand.',
  });
  return new CustomResource(scope, 'FlagVersionsEnd', {
    resourceType: 'Custom::FlagVersions',
    serviceToken: fn.functionArn,
    serviceTimeout: CUSTOM_ANSWER_TIMEOUT,
    properties: { ApplicationId, ConfigurationProfileId } satisfies FlagVersionsProperties,
  });
}

/** Flags in AppConfig's format, which holds definitions and values separately. */
function storedForm(flags: typeof DEFAULT_FLAGS.flags) {
  const described = Object.entries(flags).map(([key, { enabled: _, ...attributes }]) => {
    const constraints = Object.entries(attributes).map(([name, value]) => [
      name,
      { constraints: { type: typeof value } },
    ]);
    return [key, { name: key, ...(constraints.length > 0 && { attributes: Object.fromEntries(constraints) }) }];
  });
  return { version: '1', flags: Object.fromEntries(described), values: flags };
}
