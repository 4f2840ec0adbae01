import { CfnParameter, CustomResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  Application,
  CfnDeployment,
  CfnHostedConfigurationVersion,
  ConfigurationContent,
  ConfigurationType,
  DeletionProtectionCheck,
  DeploymentStrategy,
  HostedConfiguration,
  Monitor,
  RolloutStrategy,
} from 'aws-cdk-lib/aws-appconfig';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { DEFAULT_FLAGS } from '../lib/flags/defaults.ts';
import type { FlagVersionsProperties } from './custom/flag-versions.ts';
import { ServiceFunction } from './service-function.ts';

/** The feature flags, which operators change in AppConfig without a deployment of the stack. */
export class FeatureFlags {
  /** FLAGS_SOURCE of the functions. */
  readonly source: string;
  readonly #configurationArn: string;
  #first: CfnDeployment | undefined;

  /** `errors` is the alarm that takes a version back. */
  constructor(scope: Construct, stage: string, errors: IAlarm) {
    const application = new Application(scope, 'FlagsApplication', { applicationName: `staking-data-${stage}` });
    const environment = application.addEnvironment('FlagsEnvironment', {
      environmentName: stage,
      monitors: [Monitor.fromCloudWatchAlarm(errors)],
      deletionProtectionCheck: DeletionProtectionCheck.BYPASS,
    });
    Validations.of(environment).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'AppConfig reads the state of alarms without naming them.',
    });
    const configuration = new HostedConfiguration(scope, 'FlagsProfile', {
      application,
      name: 'flags',
      type: ConfigurationType.FEATURE_FLAGS,
      content: ConfigurationContent.fromInline(firstDocument(scope), 'application/json'),
      versionLabel: 'stack',
      deployTo: [environment],
      deletionProtectionCheck: DeletionProtectionCheck.BYPASS,
      // There is nothing to go back to, and a deployment that is taken back would take the new stack with it.
      deploymentStrategy: atOnce(scope, 'FirstFlagsRollout', Duration.minutes(0)),
    });
    // For operators.
    atOnce(scope, 'FlagsRollout', Duration.minutes(10));
    const end = deleteVersionsAtTheEnd(scope, application.applicationId, configuration.configurationProfileId);
    for (const part of configuration.node.findAll()) {
      if (part instanceof CfnHostedConfigurationVersion) {
        part.applyRemovalPolicy(RemovalPolicy.DESTROY);
        // CloudFormation deletes in the opposite order: this one first, so that not both delete it at the same time.
        part.node.addDependency(end);
      }
      if (part instanceof CfnDeployment) this.#first = part;
    }
    const { applicationId } = application;
    const { environmentId } = environment;
    const { configurationProfileId } = configuration;
    this.source = `${applicationId}/${environmentId}/${configurationProfileId}`;
    this.#configurationArn = `${environment.environmentArn}/configuration/${configurationProfileId}`;
  }

  /**
   * The first flags wait for this to be made: AppConfig takes back what is deployed while the alarm has no state, as a new one has
   * none for its first minutes.
   */
  deployAfter(slow: Construct): void {
    this.#first?.node.addDependency(slow);
  }

  /** Lets functions with a role read the flags that are deployed. */
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
 * To all at once: containers share their answers, so a part of them would lead all to the new version and back. `watched` is the time
 * in which the alarm takes it back by itself.
 */
function atOnce(scope: Construct, id: string, watched: Duration): DeploymentStrategy {
  const whole = { growthFactor: 100, deploymentDuration: Duration.minutes(0) };
  return new DeploymentStrategy(scope, id, {
    rolloutStrategy: RolloutStrategy.linear({ ...whole, finalBakeTime: watched }),
  });
}

/**
 * What a new stage starts with. A parameter, because a deployment leaves those as they were when it is not given others: the document
 * of a later release is then no change, and does not take the place of what operators have deployed.
 */
function firstDocument(scope: Construct): string {
  return new CfnParameter(scope, 'FirstFlags', {
    description: 'The flags that this stage started with. Leave it as it is: the current flags are in AppConfig.',
    default: JSON.stringify(storedForm(DEFAULT_FLAGS.flags)),
  }).valueAsString;
}

function deleteVersionsAtTheEnd(
  scope: Construct,
  ApplicationId: string,
  ConfigurationProfileId: string,
): CustomResource {
  const fn = new ServiceFunction(scope, 'FlagVersions', {
    source: 'infra/custom/flag-versions',
    description: 'Deletes the versions of the flags when the stack is deleted',
    environment: {},
  });
  const arnOf = (name: string) =>
    Stack.of(scope).formatArn({
      service: 'appconfig',
      resource: 'application',
      resourceName: `${ApplicationId}${name}`,
    });
  const profile = `/configurationprofile/${ConfigurationProfileId}`;
  const versions = `${profile}/hostedconfigurationversion/*`;
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ['appconfig:ListHostedConfigurationVersions', 'appconfig:DeleteHostedConfigurationVersion'],
      resources: [arnOf(''), arnOf(profile), arnOf(versions)],
    }),
  );
  Validations.of(fn.role as Role).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${nagNameOf(Stack.of(scope).resolve(arnOf(versions)))}]`,
    reason: 'It deletes all versions of its own profile, whose numbers are not known beforehand.',
  });
  return new CustomResource(scope, 'FlagVersionsEnd', {
    resourceType: 'Custom::FlagVersions',
    serviceToken: fn.functionArn,
    properties: { ApplicationId, ConfigurationProfileId } satisfies FlagVersionsProperties,
  });
}

/** How cdk-nag writes a resolved text: references in angle brackets. */
function nagNameOf(joined: { 'Fn::Join': [string, (string | { Ref: string })[]] }): string {
  return joined['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
}

/** Flags in the form AppConfig stores: what there is of each one, apart from its value. */
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
