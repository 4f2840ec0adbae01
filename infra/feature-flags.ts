import { Duration } from 'aws-cdk-lib';
import {
  Application,
  ConfigurationContent,
  ConfigurationType,
  DeploymentStrategy,
  HostedConfiguration,
  JsonSchemaValidator,
  RolloutStrategy,
} from 'aws-cdk-lib/aws-appconfig';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { DEFAULT_FLAGS } from '../lib/flags/defaults.ts';
import { FLAG_KEY } from '../lib/flags/document.ts';

/** What AppConfig checks before it deploys a version, like lib/flags/document.ts does when it reads one. */
const VALIDATOR = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['version', 'flags', 'values'],
  properties: {
    version: { const: '1' },
    flags: { type: 'object', propertyNames: { pattern: FLAG_KEY.source } },
    values: {
      type: 'object',
      propertyNames: { pattern: FLAG_KEY.source },
      additionalProperties: {
        type: 'object',
        required: ['enabled'],
        properties: { enabled: { type: 'boolean' } },
        additionalProperties: { type: ['string', 'number', 'boolean', 'array'] },
      },
    },
  },
};

/** The feature flags, which operators change in AppConfig without a deployment of the stack. */
export class FeatureFlags {
  /** FLAGS_SOURCE of the functions. */
  readonly source: string;
  readonly #configurationArn: string;

  constructor(scope: Construct, stage: string) {
    const application = new Application(scope, 'FlagsApplication', { applicationName: `staking-data-${stage}` });
    const environment = application.addEnvironment('FlagsEnvironment', { environmentName: stage });
    const configuration = new HostedConfiguration(scope, 'FlagsProfile', {
      application,
      name: 'flags',
      type: ConfigurationType.FEATURE_FLAGS,
      content: ConfigurationContent.fromInlineJson(JSON.stringify(storedForm(DEFAULT_FLAGS.flags))),
      validators: [JsonSchemaValidator.fromInline(JSON.stringify(VALIDATOR))],
      versionLabel: 'stack',
      deployTo: [environment],
      // A tenth at a time, and time to see an alarm before it is final.
      deploymentStrategy: new DeploymentStrategy(scope, 'FlagsRollout', {
        rolloutStrategy: RolloutStrategy.linear({
          growthFactor: 20,
          deploymentDuration: Duration.minutes(10),
          finalBakeTime: Duration.minutes(10),
        }),
      }),
    });
    const { applicationId } = application;
    const { environmentId } = environment;
    const { configurationProfileId } = configuration;
    this.source = `${applicationId}/${environmentId}/${configurationProfileId}`;
    this.#configurationArn = `${environment.environmentArn}/configuration/${configurationProfileId}`;
  }

  /** Lets a function read the flags that are deployed. */
  grantRead(fn: IFunction): void {
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ['appconfig:StartConfigurationSession', 'appconfig:GetLatestConfiguration'],
        resources: [this.#configurationArn],
      }),
    );
  }
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
