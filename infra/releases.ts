import { Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/**
 * Releases functions gradually: for five minutes, a tenth of the requests get the new version of each function. If the
 * alarm is raised, CodeDeploy returns to the old version and CloudFormation rolls back the rest. All functions shift at
 * the same time, so a deployment takes six to seven minutes longer however many there are.
 */
export class Releases {
  readonly #scope: Construct;
  readonly #alarm: IAlarm;
  readonly #application: LambdaApplication;
  readonly #role: Role;

  constructor(scope: Construct, alarm: IAlarm) {
    this.#scope = scope;
    this.#alarm = alarm;
    this.#application = new LambdaApplication(scope, 'Releases');
    this.#role = new Role(scope, 'ReleasesRole', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      // Allows shifting aliases, reading alarms, and invoking hooks, of which there are none.
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason:
        'The AWS managed policy for this very purpose: shifting aliases and reading the alarms that stop a shift.',
    });
  }

  /** The function's alias `live`, to invoke instead of the function itself. */
  live(fn: ServiceFunction): IFunction {
    const alias = new Alias(this.#scope, `${fn.node.id}Live`, { aliasName: 'live', version: fn.currentVersion });
    new LambdaDeploymentGroup(this.#scope, `${fn.node.id}Release`, {
      application: this.#application,
      role: this.#role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [this.#alarm],
    });
    return alias;
  }
}
